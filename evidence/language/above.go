package language

import "strings"

// LinesAbove returns the comment lines directly above a definition, in a language whose comments begin with a mark: #, say, or --.
func LinesAbove(d Definition, mark string) string {
	before := string(d.Source[max(0, d.At-maxComment):d.At])
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

// IsExtended reports whether a source has a class that extends one of this name, written «< Name» or «extends Name».
func IsExtended(src []byte, name string) bool {
	rest := string(src)
	for {
		at := strings.Index(rest, name)
		if at < 0 {
			return false
		}
		before := strings.TrimRight(rest[:at], " \t\\:")
		after := rest[at+len(name):]
		if (strings.HasSuffix(before, "<") || strings.HasSuffix(before, "extends")) && (after == "" || !isWordByte(after[0])) {
			return true
		}
		rest = after
	}
}

func isWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || b-'0' < 10 || (b|0x20)-'a' < 26
}
