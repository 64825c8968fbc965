package evidence

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence/syntax"
)

// Source is a file: its path, which decides the language, its bytes, and the id of its blob, "" if unknown.
type Source struct {
	Path  string
	Bytes []byte
	ID    string
}

// AddedStubs returns the stubs of a file, exempt ones included, that the earlier version lacks, in file order. It looks
// only at functions that a hunk touches, and those below a header that a hunk touches. The earlier version has a stub
// if its definition of that symbol has no substance, whatever else changed. A stub that was exempt and is not now is
// added. before may be in another language, or none. The cache may be nil. Errors are those of Functions for after, and
// the reason why before is unreadable.
func AddedStubs(ctx context.Context, c *Cache, before, after Source) ([]Stub, error) {
	known := c.orNew(after.ID)
	if before.ID == "" && len(before.Bytes) > 0 { // nothing tells its bytes from others
		known = &Cache{}
	}
	key := cacheKey{before.ID + " " + after.ID, before.Path, after.Path}
	added, err := known.stubs.get(key, stubBytes, func() ([]Stub, int, error) {
		added, err := findAddedStubs(ctx, c, before, after)
		return added, leastOutline, err
	})
	return slices.Clone(added), err
}

func findAddedStubs(ctx context.Context, c *Cache, before, after Source) ([]Stub, error) {
	oldBytes := before.Bytes
	if grammarOf(before.Path) != grammarOf(after.Path) {
		oldBytes = nil
	}
	hunks := hunksOf(oldBytes, after.Bytes)
	m, err := after.model(ctx, c, hunks.touch)
	if m == nil || err != nil {
		return nil, err
	}
	isUntouched := func(d *definition) bool { return !hunks.touchDefinition(m, d) }
	stubs := slices.DeleteFunc(m.stubs(false), isUntouched)
	if len(stubs) == 0 {
		return nil, nil
	}
	var old *model
	if g := grammarOf(before.Path); g != nil && g.IsCode() {
		if old, err = c.model(ctx, g, before); err != nil {
			return nil, fmt.Errorf("before the change: %s: %w", before.Path, err)
		}
	}
	return m.newStubs(stubs, old), nil
}

// newStubs returns the stubs that an earlier model lacks; stubs with equal texts are paired first.
func (m *model) newStubs(stubs []*definition, before *model) (added []Stub) {
	var old []*definition
	if before != nil {
		old = before.stubs(true)
	}
	hadStub := func(d *definition, sameText bool) bool {
		at := slices.IndexFunc(old, func(o *definition) bool {
			return o.symbol == d.symbol && (d.status == exempt || o.status != exempt) &&
				(!sameText || before.of(stretch{o.start, o.last}) == m.of(stretch{d.start, d.last}))
		})
		if at >= 0 {
			old = slices.Delete(old, at, at+1)
		}
		return at >= 0
	}
	hadSameText := map[*definition]bool{}
	for _, d := range m.definitions {
		hadSameText[d] = hadStub(d, true)
	}
	for _, d := range stubs {
		if !hadSameText[d] && !hadStub(d, false) {
			added = append(added, m.stubOf(d))
		}
	}
	return added
}

// hunks are the lines of a version that differ from an earlier one, or stand next to removed lines.
type hunks struct {
	text
	touched []bool // nil: all
}

// maxHunkLines bounds the lines that are compared one by one; beyond it, all count as touched.
const maxHunkLines = 2000

func hunksOf(before, after []byte) *hunks {
	h := &hunks{text: newText(after)}
	if c, ok := compareLines(newText(before), h.text, maxHunkLines); ok {
		h.touched = c.mayBeTouched
	}
	return h
}

// touches reports whether a line of a stretch is touched, or an adjacent line.
func (h *hunks) touches(s stretch) bool {
	first, last := h.line(s.start), h.line(max(s.start, s.end-1))
	if first = max(first-2, 0); h.touched == nil || first >= len(h.touched) {
		return true
	}
	return slices.Contains(h.touched[first:min(last+1, len(h.touched))], true)
}

// touch reports whether a hunk touches a node, or the first line of an ancestor.
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

func (h *hunks) touchDefinition(m *model, d *definition) bool {
	for s := (stretch{d.outer, d.end}); ; s = (stretch{d.outer, max(d.outer, d.body)}) {
		if h.touches(s) {
			return true
		}
		if d.parent == nil {
			return false
		}
		d = d.parent
	}
}
