package evidence

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// isWired reports whether all real code of a span outside definitions only names the definitions, calls a hollow one,
// or is a constant.
func (m *model) isWired(s stretch, hollow func(*definition) bool) bool {
	for at := s.start; at < s.end; {
		line := m.text.at(m.text.line(at))
		end := at + len(line)
		if part := (stretch{at, min(end, s.end)}); m.isLoose(part) && (m.isInside(part, hollow) ||
			!fits("wiring", line) && !m.callsVague(line) && !m.isFrame(part)) {
			return false
		}
		at = max(end, at) + 1
	}
	return true
}

func (m *model) callsVague(line string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "await "), "(")
	return ok && slices.ContainsFunc(m.definitions, func(d *definition) bool {
		return d.name == name && d.status == vague
	})
}

// isDoubtful reports whether everything unclear in a span is so because of flow's doubts.
func (m *model) isDoubtful(s stretch) bool {
	for d := range m.outermost(s, func(d *definition) bool { return d.status == vague }) {
		if !d.isDoubted() {
			return false
		}
	}
	return true
}

// isDoubted reports whether a definition is unclear because of flow's doubt.
func (d *definition) isDoubted() bool {
	return d.status == vague && d.why != "" && (d.why == d.effect.doubt || d.why == d.effect.futility)
}

// holdsFutile reports whether a part of a function of a span cannot matter, whatever stands beside it.
func (m *model) holdsFutile(s stretch) bool {
	for d := range m.outermost(s, isFunction) {
		if d.isDoubted() && d.why == d.effect.futility {
			return true
		}
	}
	return false
}

// doesOnly reports whether all functions of a span that do something have an effect, if any has.
func (m *model) doesOnly(s stretch, has func(effect) bool) bool {
	found := false
	for d := range m.outermost(s, isFunction) {
		if !has(d.effect) && !d.effect.onlyStores && d.effect.Outcome == flow.DoesWork {
			return false
		}
		found = found || has(d.effect)
	}
	return found
}

// callsDoubtful reports whether code of a span calls a function of the span that flow doubts. A check of presence may
// be all that the caller needs.
func (m *model) callsDoubtful(s stretch) bool {
	asked := 0
	for d := range m.outermost(s, isFunction) {
		if !d.isDoubted() || d.why == flow.OnlyChecksPresence || m.isOnPurpose(d) {
			continue
		}
		if asked++; asked > maxOfOneName {
			break
		}
		if m.calls(d, stretch{s.start, d.outer}) || m.calls(d, stretch{d.end, s.end}) {
			return true
		}
	}
	return false
}

// calls reports whether code of a stretch calls a function by its name.
func (m *model) calls(d *definition, s stretch) bool {
	for call := d.name + "("; s.start < s.end; {
		i := bytes.Index(m.text.bytes[s.start:s.end], []byte(call))
		if i < 0 {
			return false
		}
		at := s.start + i
		last, _ := utf8.DecodeLastRune(m.text.bytes[:at])
		if !lang.IsNameRune(last) && !setOf(comment, docstring).has(m.kinds[at]&kindMask) {
			return true
		}
		s.start = at + len(call)
	}
	return false
}

// isFrame reports whether a line stands in a type, and in none of its functions that may work.
func (m *model) isFrame(s stretch) bool {
	touches := func(d *definition) bool { return d.outer < s.end && s.start < d.end }
	return slices.ContainsFunc(m.definitions, func(d *definition) bool { return touches(d) && d.kind != function }) &&
		!slices.ContainsFunc(m.definitions, func(d *definition) bool { return touches(d) && !seemsHollow(d) })
}

// isHollow reports whether a definition is a stub, or holds no statements.
func isHollow(d *definition) bool { return d.kind == other || d.status == stub }

// seemsHollow reports whether a definition is not a working function: a class is only a container, and a constructor
// may only store its parameters.
func seemsHollow(d *definition) bool {
	return d.kind != function || d.effect.onlyStores || d.effect.Outcome == flow.DoesNothing ||
		d.status == stub || d.status == vague
}

func (m *model) isInside(s stretch, hollow func(*definition) bool) bool {
	return slices.ContainsFunc(m.definitions, func(d *definition) bool {
		return d.outer < s.start && s.end <= d.end && !hollow(d)
	})
}

// isLoose reports whether a stretch holds real code outside of known stubs.
func (m *model) isLoose(s stretch) bool {
	for _, k := range m.kinds[s.start:s.end] {
		if k&(inStub|inDoubt|inSkip) == 0 && setOf(real, discarded, skips).has(k&kindMask) || k&inExempt != 0 {
			return true
		}
	}
	return false
}
