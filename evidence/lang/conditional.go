package lang

import (
	"bytes"
	"slices"
)

// branch is how far around a definition IsVariant looks for directives, in bytes: a branch is rarely longer.
const branch = 8000

var (
	// negated is the beginning of a condition that something is not there, and guard that of a header's guard.
	negated = Lazy(`^[ \t]*#[ \t]*if(?:ndef\b|[ \t]*!)`)
	guard   = Lazy(`^[ \t]*#[ \t]*ifndef[^\r\n]*\s+#[ \t]*define\b`)
)

// IsVariant reports whether a byte of a source stands in one branch of a conditional compilation that has another,
// #if … #else … #endif, or under a condition that something is not there, #ifndef: what does nothing here may do its
// work in the other variant. The guard of a header is no such condition.
func IsVariant(src []byte, at int) bool {
	from := max(0, at-branch)
	src, at = src[from:min(len(src), at+branch)], at-from
	cut := from > 0
	if bytes.IndexByte(src, '#') < 0 {
		return false
	}
	var open []bool // of each condition around: whether it has another branch
	inner := 0      // conditions that began behind the place
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
			open = append(open, negated.Match(line) && !guard.Match(src[begin:]))
		case isIf:
			inner++
		case isElse && inner > 0 || !isElse && !HasPrefix(word, 0, "end"):
		case inner > 0:
			inner--
		case isElse && last >= 0:
			open[last] = true
		case isElse && cut:
			open = append(open, true) // it begins too far away
		case last >= 0 && !isElse:
			open = open[:last]
		}
	}
	return slices.Contains(open, true)
}
