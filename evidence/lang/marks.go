package lang

import (
	"bytes"
	"strings"
)

// Marks finds what tags.scm would, in a language without a Grammar. Each group of Tokens is a mark; its name without
// trailing digits is the capture. Text outside tokens is code. ok is false if a file has too many tokens.
func (l *Language) Marks(src []byte) (found []Mark, ok bool) {
	src, found = l.blankTexts(src)
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

// blankTexts finds the texts below a TextStart, and returns the source with letters in their place. A text ends at the
// first line that is not indented deeper than the group of TextStart, or than its line if the group is unset.
func (l *Language) blankTexts(src []byte) (out []byte, found []Mark) {
	if !l.TextStart.IsSet() {
		return src, nil
	}
	out = bytes.Clone(src)
	end := 0
	for _, m := range l.TextStart.InBytes(src).FindAllSubmatchIndex(src, -1) {
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
