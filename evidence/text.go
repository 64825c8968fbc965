package evidence

import (
	"bytes"
	"slices"
	"strings"
)

const byteOrderMark = "\ufeff"

// text is a file's bytes with its lines. Only '
// ' ends a line; an unterminated last line counts, and an empty file has none.
type text struct {
	bytes  []byte
	starts []int
}

func newText(src []byte) text {
	t := text{bytes: src, starts: make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
	for at := 0; at < len(src); {
		t.starts = append(t.starts, at)
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return t
}

func (t text) count() int { return len(t.starts) }

// span returns the bytes of existing lines from first to last, counted from 1, inclusive.
func (t text) span(first, last int) stretch {
	end := len(t.bytes)
	if last < len(t.starts) {
		end = t.starts[last]
	}
	return stretch{t.starts[first-1], end}
}

func (t text) line(offset int) int {
	i, found := slices.BinarySearch(t.starts, offset)
	if found {
		return i + 1
	}
	return max(i, 1)
}

func (t text) at(line int) string {
	s := t.span(line, line)
	return strings.TrimRight(string(t.bytes[s.start:s.end]), "\r\n")
}

// trim narrows lines to those that are not blank; first > last if all are.
func (t text) trim(first, last int) (int, int) {
	for first <= last && strings.TrimSpace(t.at(first)) == "" {
		first++
	}
	for last >= first && strings.TrimSpace(t.at(last)) == "" {
		last--
	}
	return first, last
}
