package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"
)

// allowed turns the refusal of stubs into a doubt where other files of the tree say that each may be empty: a base or
// an interface of its class has a method of its name, or a class that is derived from its own has.
func (j *Judge) allowed(ctx context.Context, p *place, r Result) (Result, error) {
	where := ""
	isStub := func(d *definition) bool { return d.kind == function && d.status == stub }
	for d := range p.model.outermost(p.text.span(p.first, p.last), isStub) {
		if !p.model.isMember(d) {
			return r, nil
		}
		owner := &p.model.definitions[d.parent]
		like := func(name string) bool { return path.Ext(name) == path.Ext(p.entry.Path) }
		found, _, err := j.search(ctx, p.entry.Path, like, func(name string, entry Entry, src []byte) bool {
			return hasWord(string(src), d.name) &&
				slices.ContainsFunc(append([]string{owner.name}, owner.header.Bases...),
					func(word string) bool { return hasWord(string(src), word) }) &&
				j.relates(ctx, name, entry, src, owner, d.name)
		})
		if err != nil || found == "" {
			return r, err
		}
		where = found
	}
	if where == "" {
		return r, nil
	}
	return p.unsure(fmt.Sprintf("others may demand it: %s has a method of its name, in a related class", where),
		"cite the code that does the work, or report the item as skipped with a reason"), nil
}

// relates reports whether a file has a method of a name in a base of a class, or in a class that is derived from it.
func (j *Judge) relates(
	ctx context.Context, name string, entry Entry, src []byte, of *definition, method string,
) bool {
	m, err := j.Cache.model(ctx, grammarOf(name), name, entry.ID, newText(src))
	if err != nil {
		return false // what cannot be read says nothing
	}
	return slices.ContainsFunc(m.definitions, func(d definition) bool {
		if d.name != method || d.kind == class || d.parent < 0 {
			return false
		}
		owner := &m.definitions[d.parent]
		return slices.Contains(of.header.Bases, owner.name) || slices.Contains(owner.header.Bases, of.name)
	})
}
