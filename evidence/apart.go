package evidence

import "github.com/acta-git/acta/evidence/syntax"

// LinesBetween leaves of two versions of a file the lines between those that both begin and end with.
func LinesBetween(before, after []byte) (was, now []byte) {
	start, end := syntax.SharedLines(before, after)
	return before[start : len(before)-end], after[start : len(after)-end]
}
