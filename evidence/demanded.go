package evidence

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// excuseOverridden makes refused stubs unclear if a subclass in another file overrides each. A base that demands a
// method does not excuse it.
func (j *call) excuseOverridden(p *place, r Result) Result {
	where := ""
	isStub := func(d *definition) bool { return d.kind == function && d.status == stub }
	for d := range p.model.outermost(p.text.span(p.first, p.last), isStub) {
		if !p.model.isMember(d) || !p.model.isTemplateHook(d) {
			return r
		}
		like := func(name string) bool { return path.Ext(name) == path.Ext(p.Path) }
		where, _ = j.search(p.Path, like, func(name string, entry Entry, src []byte) bool {
			return lang.HasWord(string(src), d.name) && lang.HasWord(string(src), d.parent.name) &&
				j.hasOverride(name, entry, src, d.parent, d.name)
		})
		if where == "" {
			return r
		}
	}
	if where == "" {
		return r
	}
	return p.unclear(fmt.Sprintf("a subclass overrides it: %s does the work", where),
		"cite the code that does the work, or report the item as skipped with a reason")
}

func (j *call) hasOverride(name string, entry Entry, src []byte, of *definition, method string) bool {
	m, err := j.Cache.model(j.Ctx, grammarOf(name), Source{name, src, entry.ID})
	return err == nil && slices.ContainsFunc(m.definitions, func(d *definition) bool {
		return d.name == method && d.kind == function && d.parent != nil && d.status == sound &&
			slices.Contains(d.parent.header.Bases, of.name)
	})
}

// isTemplateHook reports whether a stub is written for subclasses: it is empty or throws NotImplemented, and no note
// says that work is left.
func (m *model) isTemplateHook(d *definition) bool {
	return !m.hasMarker(d) && !m.saysLeft(d) && (m.hasOnlyNotes(d) ||
		d.body >= 0 && fits("not implemented body", m.of(stretch{d.body, d.bodyEnd})))
}

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
