package report

import (
	"bytes"
	"slices"
)

// Pos is a place in a text. Offset counts bytes from 0; Line and Column count
// from 1, columns in bytes as Go's own tools do. The zero Pos is no place.
type Pos struct {
	Offset, Line, Column int
}

// Span is the half-open stretch [Start, End) of a text. Where offset and
// line/column disagree, the offset decides. The zero Span is no place.
type Span struct {
	Start, End Pos
}

// Of returns the bytes of src that s covers, or nil when s does not fit src.
func (s Span) Of(src []byte) []byte {
	if s.Start.Offset < 0 || s.End.Offset > len(src) || s.Start.Offset > s.End.Offset {
		return nil
	}
	return src[s.Start.Offset:s.End.Offset]
}

// IsZero reports whether s is no place at all.
func (s Span) IsZero() bool { return s == Span{} }

// Lines finds positions in one text without scanning it again each time.
type Lines struct {
	starts []int
	size   int
}

// NewLines indexes the line starts of src. Only '\n' ends a line.
func NewLines(src []byte) *Lines {
	l := &Lines{starts: make([]int, 1, bytes.Count(src, []byte{'\n'})+1), size: len(src)}
	for i, b := range src {
		if b == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// Pos returns the position of a byte offset; an offset past the end is clamped
// to the end, a negative one to the start.
func (l *Lines) Pos(offset int) Pos {
	offset = min(max(offset, 0), l.size)
	next, _ := slices.BinarySearch(l.starts, offset+1)
	return Pos{Offset: offset, Line: next, Column: offset - l.starts[next-1] + 1}
}
