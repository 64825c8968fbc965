package evidence

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// Alteration is a definition that a change adds or alters, or a stretch of
// changed lines that stands in none: a place that can be cited for the change.
type Alteration struct {
	// Symbol anchors the definition; "" where nothing does. Title is the name of a test that is given as a string.
	Symbol, Title string
	// Line and EndLine are in the new version, or for what is Removed in the old one.
	Line, EndLine int
	Removed       bool
	// IsFunction: it has a body, which may do nothing.
	IsFunction bool
	// Stub says why a definition is no evidence; "" when it is some.
	Stub StubReason
}

// Alterations lists what a change of a file adds, alters and removes, in the
// order of the lines. old is nil for a new file. A change of comments and blank
// lines alone alters nothing, unless all is set, which lists the stretches of lines that are added, or else those that
// are gone. An error says why the file cannot be read by lines.
func Alterations(ctx context.Context, path string, old, now []byte, all bool) ([]Alteration, error) {
	if isBinary(old) || isBinary(now) {
		return nil, syntax.Unreadable(noLines)
	}
	c, ok := compareLines(newText(old), newText(now), maxDiffLines)
	if !ok {
		return nil, syntax.Unreadable(tooManyDiffer)
	}
	var m [2]*model
	for i, src := range [][]byte{old, now} {
		s := &source{Entry: Entry{Path: path}, text: newText(src)}
		if err := s.parse(ctx, nil); err != nil {
			return nil, err
		}
		m[i] = s.model
	}
	if !all && m[0] != nil && m[1] != nil && !m[1].grammar.Is("data") {
		return append(m[1].altered(c), m[0].dropped(c, m[1])...), nil
	}
	var found []Alteration
	for _, r := range runs(c.added()) {
		found = append(found, Alteration{Line: r.first, EndLine: r.last})
	}
	if all && found == nil {
		for _, r := range runs(c.gone) {
			found = append(found, Alteration{Line: r.first, EndLine: r.last, Removed: true})
		}
	}
	return found, nil
}

// Lines is how many lines a file has; 0 for one that has none, as a binary.
func Lines(src []byte) int {
	if isBinary(src) || isPointer(src) {
		return 0
	}
	return newText(src).count()
}

// altered lists the definitions that hold a touched line of code, and the touched lines outside of any. A line that
// stays, and stands next to what is gone, counts in a function that has the lines on both sides.
func (m *model) altered(c *comparison) []Alteration {
	var found []Alteration
	last := -1 // the definition found last
	for line := 1; line <= m.text.count(); line++ {
		if !c.touched[line-1] || !m.hasCode(line) {
			continue
		}
		i := m.citable(line)
		if c.from[line-1] > 0 {
			if i < 0 || m.definitions[i].kind != function {
				continue
			}
			from, to := m.linesOf(&m.definitions[i])
			if !(line > from && c.touched[line-2]) && !(line < to && c.touched[line]) {
				continue
			}
		}
		switch n := len(found); {
		case i >= 0 && i == last:
		case i >= 0:
			found = append(found, m.alteration(i))
		case n > 0 && last < 0 && found[n-1].EndLine == line-1:
			found[n-1].EndLine = line
		default:
			found = append(found, Alteration{Line: line, EndLine: line})
		}
		last = i
	}
	return found
}

// added says of each line whether it is new and not blank.
func (c *comparison) added() []bool {
	added := make([]bool, len(c.from))
	for i, from := range c.from {
		added[i] = from == 0 && c.touched[i]
	}
	return added
}

// hasCode reports whether a line holds more than comments, brackets and what only brings names in.
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

// citable is the definition that a line is best cited by: the outermost function around it, or else the innermost
// class, unless that holds functions, which stand for themselves; -1 without any.
func (m *model) citable(line int) int {
	best := -1
	for i := range m.definitions {
		d := &m.definitions[i]
		from, to := m.linesOf(d)
		switch inside := from <= line && line <= to; {
		case inside && d.kind == function:
			return i
		case inside:
			best = i
		case best >= 0 && d.kind == function && d.outer < m.definitions[best].end:
			best = -1
		}
	}
	return best
}

func (m *model) alteration(i int) Alteration {
	d := &m.definitions[i]
	from, to := m.linesOf(d)
	a := Alteration{Line: from, EndLine: to, IsFunction: d.kind == function}
	if d.title {
		a.Title = strings.Trim(d.name, "\"'`")
	} else if m.anchor(from, to) == d.symbol {
		a.Symbol = d.symbol
	}
	if d.status == stub {
		a.Stub = d.reason
	}
	return a
}

// dropped lists the definitions of the old version of which every line is gone, and whose symbol is.
func (m *model) dropped(c *comparison, now *model) []Alteration {
	var found []Alteration
	end := 0
	for i := range m.definitions {
		d := &m.definitions[i]
		from, to := m.linesOf(d)
		if to <= end || d.title || len(now.find(d.symbol)) > 0 || slices.Contains(c.gone[from-1:to], false) {
			continue
		}
		end = to
		found = append(found, Alteration{Title: d.symbol, Line: from, EndLine: to, Removed: true})
	}
	return found
}
