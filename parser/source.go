package parser

import (
	"sort"
	"strings"

	"github.com/acta-git/acta/report"
)

// white is the white space of git: other control characters are text to it.
const white = " \t\r\n"

type source struct {
	text string
	at   *report.Lines
	// base is the position of the text's first byte in the surrounding text; zero without one.
	base report.Pos
}

func newSource(text string) *source {
	return &source{text: text, at: report.NewLines([]byte(text))}
}

// pos is the position of a byte offset in the surrounding text.
func (s *source) pos(offset int) report.Pos {
	p := s.at.Pos(offset)
	if s.base == (report.Pos{}) {
		return p
	}
	p.Offset += s.base.Offset
	if p.Line == 1 {
		p.Column += s.base.Column - 1
	}
	p.Line += s.base.Line - 1
	return p
}

func (s *source) span(start, end int) report.Span {
	return report.Span{Start: s.pos(start), End: s.pos(end)}
}

// word is the trimmed text of [start, end), which must be in one line.
func (s *source) word(start, end int) Text {
	start, end = s.trim(start, end)
	if start == end {
		return Text{}
	}
	return Text{Value: s.text[start:end], Span: s.span(start, end)}
}

// trim narrows [start, end) to the text without white space around it; an empty range keeps its end.
func (s *source) trim(start, end int) (int, int) {
	for end > start && isWhite(s.text[end-1]) {
		end--
	}
	for start < end && isWhite(s.text[start]) {
		start++
	}
	return start, end
}

func isWhite(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// piece is a stretch of one line.
type piece struct{ start, end int }

// fold is a value that may run over several lines: the lines trimmed and joined
// by one space, with the way back to the bytes they came from.
type fold struct {
	value string
	marks []mark
}

// mark says where a line of the value begins, in the value and in the text.
type mark struct{ at, raw int }

// fold joins pieces; empty ones leave no trace.
func (s *source) fold(pieces []piece) fold {
	var f fold
	var joined strings.Builder
	for _, p := range pieces {
		start, end := s.trim(p.start, p.end)
		if start == end {
			continue
		}
		switch len(f.marks) {
		case 0:
			f.value = s.text[start:end]
		case 1:
			joined.WriteString(f.value)
			fallthrough
		default:
			joined.WriteByte(' ')
			joined.WriteString(s.text[start:end])
		}
		f.marks = append(f.marks, mark{at: max(joined.Len()-(end-start), 0), raw: start})
	}
	if len(f.marks) > 1 {
		f.value = joined.String()
	}
	return f
}

// raw is the place in the text of a byte of the value.
func (f fold) raw(at int) int {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].at > at }) - 1
	return f.marks[i].raw + at - f.marks[i].at
}

// cut is the trimmed text of value[from:to], zero when nothing is left.
func (s *source) cut(f fold, from, to int) Text {
	value := strings.TrimRight(f.value[from:to], white)
	to = from + len(value)
	if value = strings.TrimLeft(value, white); value == "" {
		return Text{}
	}
	return Text{Value: value, Span: s.span(f.raw(to-len(value)), f.raw(to-1)+1)}
}

func (s *source) whole(f fold) Text { return s.cut(f, 0, len(f.value)) }

// gap is the empty span at a byte of the value, or at its end.
func (s *source) gap(f fold, at int) report.Span {
	if at < len(f.value) {
		return s.span(f.raw(at), f.raw(at))
	}
	end := f.raw(at-1) + 1
	return s.span(end, end)
}
