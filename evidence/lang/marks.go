package lang

import (
	"bytes"
	"strings"
)

// Marks finds what a query would, in a language without a Grammar: each group of Tokens is a mark, under the capture
// that the group's name begins with; numbers tell groups of one capture apart. What stands in no token is code. ok is
// false for a file of too many tokens.
func (l *Language) Marks(src []byte) (found []Mark, ok bool) {
	src, found = l.withoutTexts(src)
	tokens := l.Tokens.InBytes(src)
	names := tokens.SubexpNames()
	limit := maxGroups / len(names)
	matches := tokens.FindAllSubmatchIndex(src, limit)
	for _, m := range matches {
		for g := 1; g < len(names); g++ {
			if s := (Span{m[2*g], m[2*g+1]}); s.Start < s.End {
				found = append(found, Mark{Capture: strings.TrimRight(names[g], "0123456789"), Span: s})
			}
		}
	}
	return found, len(matches) < limit
}

// maxGroups bounds the groups of all tokens of a file, each of 16 bytes.
const maxGroups = 6 << 20

// withoutTexts finds the texts below lines that Deeper ends, and returns the source with letters in their place. A text
// goes on while lines are indented deeper than what the group of Deeper holds, than the line where it is not set.
func (l *Language) withoutTexts(src []byte) (out []byte, found []Mark) {
	if !l.Deeper.IsSet() {
		return src, nil
	}
	out = bytes.Clone(src)
	end := 0
	for _, m := range l.Deeper.InBytes(src).FindAllSubmatchIndex(src, -1) {
		if m[0] < end {
			continue
		}
		indent := m[2] - m[0]
		if m[2] < 0 {
			indent = leadingBlanks(src[m[0]:])
		}
		end = m[1]
		for line := range bytes.Lines(src[m[1]:]) {
			if blanks := leadingBlanks(line); blanks <= indent && len(bytes.TrimSpace(line)) > 0 {
				break
			}
			end += len(line)
		}
		found = append(found, Mark{Capture: "content", Span: Span{m[1], end}})
		for i := m[1]; i < end; i++ {
			if out[i] != '\n' {
				out[i] = 'x'
			}
		}
	}
	return out, found
}

func leadingBlanks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
