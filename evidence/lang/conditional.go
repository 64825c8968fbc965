package lang

import (
	"bytes"
	"slices"
)

// directiveReach is how far around a definition IsVariant looks for directives, in bytes: a branch is rarely longer.
const directiveReach = 8000

// IsVariant reports whether a byte stands in a branch of a conditional compilation that has other branches, or under a
// negated condition (#ifndef): code that does nothing here may work in the other variant. Include guards do not count.
func IsVariant(src []byte, at int) bool {
	from := max(0, at-directiveReach)
	src, at = src[from:min(len(src), at+directiveReach)], at-from
	cut := from > 0
	if bytes.IndexByte(src, '#') < 0 {
		return false
	}
	var open []bool // for each enclosing condition: whether it has another branch
	inner := 0      // conditions that begin after at
	end := 0
	for line := range bytes.Lines(src) {
		begin, word := end, bytes.TrimLeft(line, " \t")
		if end += len(line); len(word) == 0 || word[0] != '#' {
			continue
		}
		if begin > at && slices.Contains(open, true) {
			return true
		}
		word = bytes.TrimLeft(word[1:], " \t")
		last := len(open) - 1
		switch isIf, isElse := HasPrefix(word, 0, "if"), HasPrefix(word, 0, "el"); {
		case isIf && begin < at:
			open = append(open, patternOf("negated condition").Match(line) && !patternOf("header guard").Match(src[begin:]))
		case isIf:
			inner++
		case isElse && inner > 0 || !isElse && !HasPrefix(word, 0, "end"):
		case inner > 0:
			inner--
		case isElse && last >= 0:
			open[last] = true
		case isElse && cut:
			open = append(open, true) // its #if is out of reach
		case last >= 0 && !isElse:
			open = open[:last]
		}
	}
	return slices.Contains(open, true)
}
