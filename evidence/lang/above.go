package lang

import "strings"

// LinesAbove returns the comment lines that a text ends with, in a language whose comments begin with a mark: #, say,
// or --.
func LinesAbove(text []byte, mark string) string {
	before := string(text[max(0, len(text)-maxComment):])
	begin := strings.LastIndexByte(before, '\n') + 1
	end := begin
	for begin > 0 {
		line := strings.LastIndexByte(before[:begin-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(before[line:begin]), mark) {
			break
		}
		begin = line
	}
	return before[begin:end]
}

// IsWordByte reports whether a byte can be part of a name; what is no ASCII counts.
func IsWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || b-'0' < 10 || (b|0x20)-'a' < 26
}
