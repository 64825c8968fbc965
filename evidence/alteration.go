package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// Alteration is a definition that a change adds or alters, or a range of changed lines outside definitions: a place
// that can be cited for the change.
type Alteration struct {
	// Symbol is the anchor of the definition, "" if it has none. Title is the name of a test with a title.
	Symbol, Title string
	// Line and EndLine are lines of the new version; if IsRemoved, of the old one.
	Line, EndLine int
	IsRemoved     bool
	// IsFunction: it has a body, which may be a stub.
	IsFunction bool
	// Stub says why a definition is no evidence; "" if it is.
	Stub StubReason
}

// Alterations lists what a change of a file adds, alters and removes, in the order of lines. old is nil for a new file.
// Changes to comments and blank lines do not count, unless all is set: that lists ranges of added lines, or else of
// removed ones. An error says why the file has no readable lines.
func Alterations(ctx context.Context, path string, old, now []byte, all bool) ([]Alteration, error) {
	if isPointer(now) {
		return nil, syntax.Unreadable(isPointerReason)
	}
	if isBinary(old) || isBinary(now) {
		return nil, syntax.Unreadable(noLinesReason)
	}
	c, ok := compareLines(newText(old), newText(now), maxDiffLines)
	if !ok {
		return nil, errChanges
	}
	var m [2]*model
	for i, src := range [][]byte{old, now} {
		s, j := &source{Entry: Entry{Path: path}, text: newText(src)}, (&Judge{}).call(ctx)
		if j.parse(s); j.Err != nil {
			return nil, j.Err
		}
		m[i] = s.model
	}
	if !all && m[0] != nil && m[1] != nil && !m[1].grammar.Is("data") {
		return append(m[1].alterations(c), m[0].removedDefinitions(c, m[1])...), nil
	}
	var found []Alteration
	for _, r := range runs(c.isNew()) {
		found = append(found, Alteration{Line: r.first, EndLine: r.last})
	}
	if all && found == nil {
		for _, r := range runs(c.isRemoved) {
			found = append(found, Alteration{Line: r.first, EndLine: r.last, IsRemoved: true})
		}
	}
	return found, nil
}

// Lines is the number of lines of a file; 0 for a binary.
func Lines(src []byte) int {
	if isBinary(src) || isPointer(src) {
		return 0
	}
	return newText(src).count()
}

// alterations lists the definitions with a touched line of code, and touched lines outside definitions. An unchanged
// line next to removed ones counts in a function that has the lines on both sides.
func (m *model) alterations(c *comparison) []Alteration {
	var found []Alteration
	var last *definition
	for line := 1; line <= m.text.count(); line++ {
		if !c.isTouched[line-1] || !m.hasCode(line) {
			continue
		}
		d := m.citable(line)
		if c.from[line-1] > 0 {
			if d == nil || d.kind != function {
				continue
			}
			from, to := m.linesOf(d)
			if !(line > from && c.isTouched[line-2]) && !(line < to && c.isTouched[line]) {
				continue
			}
		}
		switch n := len(found); {
		case d != nil && d == last:
		case d != nil:
			found = append(found, m.alteration(d))
		case n > 0 && last == nil && found[n-1].EndLine == line-1:
			found[n-1].EndLine = line
		default:
			found = append(found, Alteration{Line: line, EndLine: line})
		}
		last = d
	}
	return found
}

// isNew says for each line whether it is new and not blank.
func (c *comparison) isNew() []bool {
	added := make([]bool, len(c.from))
	for i, from := range c.from {
		added[i] = from == 0 && c.isTouched[i]
	}
	return added
}

// hasCode reports whether a line holds more than comments, brackets and imports.
func (m *model) hasCode(line int) bool {
	s := m.text.span(line, line)
	for _, k := range m.kinds[s.start:s.end] {
		if base := k & kindMask; base > comment && (base != weak || k&(inStub|inExempt|inDoubt) != 0) || k&inStub != 0 &&
			base == weak {
			return true
		}
	}
	return m.defines(s)
}

// citable is the definition to cite for a line: the outermost function around it, else the innermost class, unless that
// holds functions; nil if there is none.
func (m *model) citable(line int) (best *definition) {
	for _, d := range m.definitions {
		from, to := m.linesOf(d)
		switch inside := from <= line && line <= to; {
		case inside && d.kind == function:
			return d
		case inside:
			best = d
		case best != nil && d.kind == function && d.outer < best.end:
			best = nil
		}
	}
	return best
}

func (m *model) alteration(d *definition) Alteration {
	from, to := m.linesOf(d)
	a := Alteration{Line: from, EndLine: to, IsFunction: d.kind == function}
	if d.isTitled {
		a.Title = strings.Trim(d.name, "\"'`")
	} else if m.anchor(from, to) == d.symbol {
		a.Symbol = d.symbol
	}
	if d.status == stub {
		a.Stub = d.reason
	}
	return a
}

// removedDefinitions lists the old definitions whose lines and symbols are all gone.
func (m *model) removedDefinitions(c *comparison, now *model) []Alteration {
	var found []Alteration
	end := 0
	for _, d := range m.definitions {
		from, to := m.linesOf(d)
		if to <= end || d.isTitled || len(now.findSymbol(d.symbol)) > 0 || slices.Contains(c.isRemoved[from-1:to], false) {
			continue
		}
		end = to
		found = append(found, Alteration{Title: d.symbol, Line: from, EndLine: to, IsRemoved: true})
	}
	return found
}

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
