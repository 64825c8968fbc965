package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence/syntax"
)

// Source is a file: its path, by which its language is judged, its bytes, and the name of its blob, "" for none.
type Source struct {
	Path  string
	Bytes []byte
	ID    string
}

// AddedStubs returns the stubs of a file that an earlier version of it does not
// have, the exempt ones included, in file order. It asks only functions that a hunk
// touches, and those below a head that a hunk touches. The earlier version has a stub
// where a definition of the same symbol has no substance there, whatever else
// about it changed; a stub that was complete though empty and is not now is added.
// Before may be of another language, or of none that is known. The cache, which may be
// nil, spares parsing a blob twice. Errors are those of Stubs for after, and
// what says why before could not be read.
func AddedStubs(ctx context.Context, c *Cache, before, after Source) ([]Stub, error) {
	stood := before.Bytes
	if grammarOf(before.Path) != grammarOf(after.Path) {
		stood = nil
	}
	changed := hunksOf(stood, after.Bytes)
	m, err := after.model(ctx, c, changed.touch)
	if m == nil || err != nil {
		return nil, err
	}
	stands := func(d *definition) bool { return !changed.touchDefinition(m, d) }
	found := slices.DeleteFunc(m.stubs(false), stands)
	if len(found) == 0 {
		return nil, nil
	}
	was, err := before.model(ctx, c, ofAll)
	if err != nil && !errors.Is(err, ErrNoLanguage) {
		return nil, fmt.Errorf("before the change: %w", err)
	}
	return m.addedTo(found, was), nil
}

// addedTo is what of some stubs of a model is none of an earlier one; those of the same text are the same.
func (m *model) addedTo(found []*definition, was *model) (added []Stub) {
	var old []*definition
	if was != nil {
		old = was.stubs(true)
	}
	had := func(d *definition, sameText bool) bool {
		at := slices.IndexFunc(old, func(o *definition) bool {
			return o.symbol == d.symbol && (d.status == exempt || o.status != exempt) &&
				(!sameText || was.of(stretch{o.start, o.last}) == m.of(stretch{d.start, d.last}))
		})
		if at >= 0 {
			old = slices.Delete(old, at, at+1)
		}
		return at >= 0
	}
	stood := map[*definition]bool{}
	for i := range m.definitions {
		stood[&m.definitions[i]] = had(&m.definitions[i], true)
	}
	for _, d := range found {
		if !stood[d] && !had(d, false) {
			added = append(added, m.stubOf(d))
		}
	}
	return added
}

// hunks are the lines of a version that differ from an earlier one, or stand next to lines that are gone.
type hunks struct {
	text
	touched []bool // nil: all are
}

// maxHunkLines bounds the lines that are compared one by one; of more all count as touched.
const maxHunkLines = 2000

func hunksOf(before, after []byte) *hunks {
	h := &hunks{text: newText(after)}
	if c, ok := compareLines(newText(before), h.text, maxHunkLines); ok {
		h.touched = c.mayTouch
	}
	return h
}

// touches reports whether a line of a stretch is touched, or the one before or behind it.
func (h *hunks) touches(s stretch) bool {
	first, last := h.line(s.start), h.line(max(s.start, s.end-1))
	if first = max(first-2, 0); h.touched == nil || first >= len(h.touched) {
		return true
	}
	return slices.Contains(h.touched[first:min(last+1, len(h.touched))], true)
}

// touch reports whether a hunk touches a node, or the line on which something around it begins.
func (h *hunks) touch(n *syntax.Node) bool {
	if h.touches(stretch{n.Start(), n.End()}) {
		return true
	}
	for n = n.Parent(); n != nil; n = n.Parent() {
		if h.touches(stretch{n.Start(), n.Start()}) {
			return true
		}
	}
	return false
}

// touchDefinition is touch of a definition.
func (h *hunks) touchDefinition(m *model, d *definition) bool {
	for s := (stretch{d.outer, d.end}); ; s = (stretch{d.outer, max(d.outer, d.body)}) {
		if h.touches(s) {
			return true
		}
		if d.parent < 0 {
			return false
		}
		d = &m.definitions[d.parent]
	}
}
