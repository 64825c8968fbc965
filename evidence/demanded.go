package evidence

import (
	"fmt"
	"path"
	"slices"

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
		like := func(name string) bool { return path.Ext(name) == path.Ext(p.entry.Path) }
		where, _ = j.search(p.entry.Path, like, func(name string, entry Entry, src []byte) bool {
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
