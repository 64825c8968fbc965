package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// exemption says in one word why a definition is complete though empty, "" if it is not.
func (m *model) exemption(d *definition) string {
	if isNoop(d) {
		return "noop"
	}
	f := m.facts(d)
	gives := d.effect.hasResult && (d.effect.Outcome == flow.DoesNothing || d.reason == placeholderReturn)
	disguised := d.effect.Outcome == flow.DoesNothing && d.kind == function && !m.hasOnlyNotes(d)
	if word := f.FirstMatch(m.grammar.Complete); word != "" &&
		!(slices.Contains(idleWords, word) && (gives || disguised)) {
		return word
	}
	switch {
	case gives:
	case f.MatchAny(doubleConditions), f.MatchAny(idleConditions) && lang.NamesTestDouble(d.owner):
		return "stand_in"
	}
	return ""
}

// idleWords are exemptions that say that there is nothing to do; they do not apply if a result is declared.
var idleWords = strings.Fields("overridable deliberate teardown visitor listener accessor anonymous stand_in disabled")

var (
	idleConditions   = []string{"function !unwritten !marked"}
	doubleConditions = []string{"function !unwritten !marked in:type in:double"}
)

// isNoop reports whether a function is called noop: it does what its name says.
func isNoop(d *definition) bool {
	if d.kind != function || d.ownKinds.has(notImplemented) || d.effect.Outcome == flow.SaysNotDone ||
		d.effect.Outcome == flow.ReturnsConstant && !d.effect.ReturnsNull ||
		d.effect.HasBareReturn && d.reason == placeholderReturn {
		return false
	}
	switch strings.Trim(strings.ToLower(d.name), "_") {
	case "nop", "noop", "no_op", "donothing", "do_nothing":
		return true
	}
	return false
}

func (m *model) decoratorsOf(d *definition) []string {
	var texts []string
	for _, at := range within(m.decorators, stretch{d.outer, d.nameAt}) {
		texts = append(texts, m.of(at))
	}
	return texts
}

// isOption reports whether a definition is an empty callback among options that a function passes on: f({onError() {}})
// belongs to the function.
func (m *model) isOption(d *definition) bool {
	return d.isMember && d.parent != nil && d.parent.kind == function && d.parent.status == sound
}
