package evidence

import (
	"bytes"
	"slices"

	"github.com/acta-git/acta/evidence/lang"
)

func (m *model) paintBytes() {
	var table [256]kind
	for i := range table {
		table[i] = real
	}
	for _, b := range []byte(" \t\r\n\f\v") {
		table[b] = blank
	}
	for _, b := range []byte("()[]{},;") {
		table[b] = bracket
	}
	for i, b := range m.text.bytes {
		m.kinds[i] = table[b]
	}
	if bytes.HasPrefix(m.text.bytes, []byte(byteOrderMark)) {
		copy(m.kinds, []kind{blank, blank, blank})
	}
}

// paint sets the kind of the bytes in a stretch, except blanks and comments.
func (m *model) paint(s stretch, k kind) {
	for i := s.start; i < s.end; i++ {
		if old := m.kinds[i]; old != blank && old != comment {
			m.kinds[i] = k
		}
	}
}

func (m *model) sortCaptures(captures []capture) {
	for _, c := range captures {
		switch c.kind {
		case "comment":
			m.comments = append(m.comments, c.stretch)
			m.paint(c.stretch, comment)
		case "decorator":
			m.decorators = append(m.decorators, c.stretch)
		case "docstring":
			m.docstrings = append(m.docstrings, c.stretch)
		}
	}
	for i, d := range m.decorators { // some grammars include a comment after them
		m.decorators[i].end = m.trimEnd(d.start, d.end)
	}
	for _, list := range [][]stretch{m.comments, m.decorators, m.docstrings} {
		slices.SortFunc(list, byStart)
	}
}

// paintStatements sets the kinds of imports, decorators, headers and idle statements.
func (m *model) paintStatements(captures []capture) {
	for _, d := range m.definitions {
		if d.body >= 0 {
			m.paint(stretch{d.outer, d.body}, weak)
		}
	}
	for _, c := range captures {
		k, ok := captureKinds[c.kind]
		switch c.kind {
		case "todo":
			ok = c.end-c.start <= maxMessage && m.grammar.IsUnfilled(m.path, m.of(c.stretch))
		case "pair":
			ok = c.end-c.start <= maxMessage && lang.IsUnfilledPair(m.of(c.stretch))
		case "vacuous", "skips":
			ok = m.inTest(c.stretch)
		}
		if ok {
			m.paint(c.stretch, k)
		}
	}
}

// captureKinds are the kinds of captures; the last four depend on conditions.
var captureKinds = map[string]kind{
	"import": weak, "decorator": weak, "heading": weak, "bracket": bracket, "content": real, "pass": passes,
	"ellipsis": ellipsis, "docstring": docstring, "dropped": discarded, "undone": notImplemented,
	"todo": passes, "pair": passes, "vacuous": vacuous, "skips": skips,
}

func (m *model) paintFlags() {
	painted := 0
	for _, d := range m.definitions {
		if d.status == sound || d.end <= painted || m.isOption(d) {
			continue // a definition in a stub is part of that stub
		}
		flag := map[status]kind{stub: inStub, exempt: inExempt, doubtful: inDoubt, vague: inVague}[d.status]
		if d.status == stub && m.isSkipped(d) {
			flag |= inSkip
		}
		for at := d.outer; at < d.end; at++ {
			m.kinds[at] |= flag
		}
		painted = d.end
	}
}
