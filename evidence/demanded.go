package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/acta-git/acta/evidence/lang"
)

// allowed turns the refusal of stubs into a doubt where other files of the tree say that each may be empty: a class
// that is derived from its own does the work. That a base asks for a method says nothing of what it is to do.
func (j *Judge) allowed(ctx context.Context, p *place, r Result) (Result, error) {
	where := ""
	isStub := func(d *definition) bool { return d.kind == function && d.status == stub }
	for d := range p.model.outermost(p.text.span(p.first, p.last), isStub) {
		if !p.model.isMember(d) || !p.model.isHook(d) {
			return r, nil
		}
		owner := &p.model.definitions[d.parent]
		like := func(name string) bool { return path.Ext(name) == path.Ext(p.entry.Path) }
		found, _, err := j.search(ctx, p.entry.Path, like, func(name string, entry Entry, src []byte) bool {
			return lang.HasWord(string(src), d.name) && lang.HasWord(string(src), owner.name) &&
				j.overrides(ctx, name, entry, src, owner, d.name)
		})
		if err != nil || found == "" {
			return r, err
		}
		where = found
	}
	if where == "" {
		return r, nil
	}
	return p.unsure(fmt.Sprintf("a subclass overrides it: %s does the work", where),
		"cite the code that does the work, or report the item as skipped with a reason"), nil
}

// overrides reports whether a file has a class that is derived from another, and does something in a method of a name.
func (j *Judge) overrides(
	ctx context.Context, name string, entry Entry, src []byte, of *definition, method string,
) bool {
	m, err := j.Cache.model(ctx, grammarOf(name), name, entry.ID, newText(src))
	if err != nil {
		return false // what cannot be read says nothing
	}
	return slices.ContainsFunc(m.definitions, func(d definition) bool {
		return d.name == method && d.kind == function && d.parent >= 0 && d.status == sound &&
			slices.Contains(m.definitions[d.parent].header.Bases, of.name)
	})
}

// isHook reports whether a stub is written as what others are to fill is: nothing stands in it, or it throws the error
// that its language has for that, and no note says that work is left.
func (m *model) isHook(d *definition) bool {
	return !m.marked(d) && !m.isLeft(d) && (m.isBare(d) ||
		d.body >= 0 && leftToOthers.MatchString(m.of(stretch{d.body, d.bodyEnd})))
}

var leftToOthers = lang.Lazy(`^[{\s]*(?:"""[^"]*"""\s*)?(?:raise|throw)\s+(?:new\s+)?NotImplemented` +
	`(?:Error|Exception)?(?:\(\s*\))?\W*(?:end\W*)?$`)
