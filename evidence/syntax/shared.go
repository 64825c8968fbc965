package syntax

import "bytes"

// SharedLines returns how many bytes two sources share at their beginning, and how many at their end, in whole lines.
func SharedLines(a, b []byte) (start, end int) {
	short := min(len(a), len(b))
	for start+64 <= short && bytes.Equal(a[start:start+64], b[start:start+64]) {
		start += 64
	}
	for start < short && a[start] == b[start] {
		start++
	}
	if start == len(a) && start == len(b) {
		return start, 0
	}
	start = bytes.LastIndexByte(a[:start], '\n') + 1
	for end < short-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	line := bytes.IndexByte(a[len(a)-end:], '\n')
	if line < 0 {
		return start, 0
	}
	return start, end - (line + 1)
}
