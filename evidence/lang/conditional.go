package lang

import "slices"

// branch is how far around a definition IsVariant looks for directives, in bytes: a branch is rarely longer.
const branch = 8000

var (
	directives = Lazy(`(?m)^[ \t]*#[ \t]*(if|el|end)[^\n]*`)
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
	var open []bool // of each condition that is open: whether it has another branch; of those behind the place: false
	around := 0     // how many of them are around the place
	for _, m := range directives.InBytes(src).FindAllSubmatchIndex(src, -1) {
		last := len(open) - 1
		switch word := src[m[2]]; {
		case word == 'i':
			if open = append(open, m[0] < at && negated.Match(src[m[0]:m[1]]) && !guard.Match(src[m[0]:])); m[0] < at {
				around = len(open)
			}
		case last >= 0 && src[m[2]+1] == 'n': // endif
			if last < around && m[0] > at {
				return slices.Contains(open[:around], true)
			}
			open, around = open[:last], min(around, last)
		case last < 0 && from > 0 && src[m[2]+1] == 'l':
			open, around = []bool{true}, 1 // it begins too far away
		case last >= 0 && last < around:
			open[last] = true
		}
	}
	return slices.Contains(open[:around], true)
}
