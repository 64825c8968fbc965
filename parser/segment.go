package parser

import (
	"strings"

	"github.com/acta-git/acta/report"
)

// segment is a run of whole lines of one sort; together the segments cover the message.
type segment struct {
	Sort lineSort
	Text string
	Span report.Span
}

// lineSort is the sort of a line of a message. The zero value is a line not read yet.
type lineSort uint8

const (
	blankLine lineSort = iota + 1
	titleLine
	proseLine
	reportLine
	taskLine
	trailerLine
	commentLine
	conflictLine // of an old-style Conflicts block at the end
	scissorsPart // from the scissors line on
	nulPart      // from the first NUL byte on
)

// String is the message, as far as it was read, byte for byte.
func (m *Message) String() string {
	var b strings.Builder
	for _, s := range m.segments {
		b.WriteString(s.Text)
	}
	return b.String()
}

func (r *reader) segments() []segment {
	var out []segment
	add := func(sort lineSort, start, end int) {
		if start == end {
			return
		}
		if n := len(out); n > 0 && out[n-1].Sort == sort {
			start = out[n-1].Span.Start.Offset
			out = out[:n-1]
		}
		out = append(out, segment{Sort: sort, Text: r.text[start:end], Span: r.span(start, end)})
	}
	at := 0
	for i := range r.lines {
		add(r.lines[i].sort, at, r.lines[i].next)
		at = r.lines[i].next
	}
	add(nulPart, r.end, len(r.text))
	return out
}
