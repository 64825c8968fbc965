package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
)

// isDemanded reports whether an empty function must exist: its header says that it overrides another, or a base of its
// class is named after it, as IDisposable after Dispose. It must hold no more than notes.
func (m *model) isDemanded(d *definition) bool {
	if d.kind != function || m.hasMarker(d) || !m.hasOnlyNotes(d) {
		return false
	}
	stem := strings.TrimSuffix(strings.ToLower(d.name), "e")
	return fits("override words", m.headerText(d)) || m.isMember(d) &&
		slices.ContainsFunc(d.parent.header.Bases, func(base string) bool {
			rest, found := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(base), "i"), stem)
			return found && slices.Contains([]string{"able", "eable", "nable", "interface"}, rest)
		})
}

// isOfStream reports whether a method is one that all streams must have, and its class reads or writes.
func (m *model) isOfStream(d *definition) bool {
	if !slices.Contains([]string{"close", "flush", "seek"}, strings.ToLower(d.name)) {
		return false
	}
	for _, name := range []string{"write", "read", "Write", "Read"} {
		if slices.ContainsFunc(m.namesakes(&definition{name: name}), func(o *definition) bool {
			return o.parent == d.parent && o.effect.Outcome == flow.DoesWork
		}) {
			return true
		}
	}
	return false
}

// isInterfaceMethod reports whether a method is a bare {} that an interface or base may demand: another type of the
// file has a method of its name, or the comment above says what it implements.
func (m *model) isInterfaceMethod(d *definition) bool {
	if !m.grammar.Is("terse") || d.body < 0 || d.owner == "" && !m.isMember(d) ||
		len(bytes.Trim(m.text.bytes[d.body:d.bodyEnd], "{} \t")) > 0 {
		return false
	}
	return fits("implements words", m.above(d)) || slices.ContainsFunc(m.namesakes(d), func(o *definition) bool {
		return o.kind == function && (o.owner != d.owner || o.parent != d.parent) && (o.owner != "" || o.parent != nil)
	})
}

// isMacroArgument reports whether the name of a definition is an argument, as in TEST(Suite, Name).
func (m *model) isMacroArgument(d *definition) bool {
	before := m.of(stretch{d.start, max(d.start, d.nameAt)})
	return strings.Contains(before, "(") && !strings.HasPrefix(before, "func")
}

// isForSomeBuilds reports whether a file is only for some builds, by its name or a build condition: another file does
// the work elsewhere.
func isForSomeBuilds(path string, src []byte) bool {
	return fits("platform path", path) || patternOf("build condition").Match(src[:min(len(src), maxCondition)])
}

const maxCondition = 4000
