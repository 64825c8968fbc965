package evidence

import "bytes"

// LinesBetween leaves of two versions of a file the lines between those that both begin and end with.
func LinesBetween(before, after []byte) (was, now []byte) {
	short := min(len(before), len(after))
	n := 0
	for n+64 <= short && bytes.Equal(before[n:n+64], after[n:n+64]) {
		n += 64
	}
	for n < short && before[n] == after[n] {
		n++
	}
	if n == len(before) && n == len(after) {
		return nil, nil
	}
	n = bytes.LastIndexByte(after[:n], '\n') + 1
	before, after = before[n:], after[n:]
	short = min(len(before), len(after))
	n = 0
	for n < short && before[len(before)-1-n] == after[len(after)-1-n] {
		n++
	}
	tail := after[len(after)-n:]
	if i := bytes.IndexByte(tail, '\n'); i >= 0 {
		n -= i + 1
	} else {
		n = 0
	}
	return before[:len(before)-n], after[:len(after)-n]
}
