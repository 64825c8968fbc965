package language

import (
	"bytes"
	"strings"
)

// IsVariant reports whether a place of a source stands in one branch of a
// conditional compilation that has another, #if … #else … #endif, or under a
// condition that something is not there, #ifndef: what does nothing here may do its work in the
// other variant. The guard of a header is no such condition. It is for languages
// whose directives stand on lines of their own and begin with #.
func IsVariant(src []byte, at int) bool {
	depth := 0
	for end := bytes.LastIndexByte(src[:at], '\n'); end >= 0; {
		begin := bytes.LastIndexByte(src[:end], '\n') + 1
		switch word, rest := directiveOf(src[begin:end]); {
		case word == "endif":
			depth++
		case strings.HasPrefix(word, "if") && depth > 0:
			depth--
		case depth > 0:
		case strings.HasPrefix(word, "el"):
			return true
		case strings.HasPrefix(word, "if"):
			if hasElse(src[at:]) || isNegated(word, rest) && !isGuard(rest, src[end:]) {
				return true
			}
			return IsVariant(src, begin)
		}
		end = begin - 1
	}
	return false
}

// directiveOf returns the word of a directive and what follows it, "" for any other line.
func directiveOf(line []byte) (word, rest string) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '#' {
		return "", ""
	}
	text := strings.TrimLeft(string(line[1:]), " \t")
	end := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// hasElse reports whether the branch that a place stands in, rest being what follows it, is followed by another.
func hasElse(rest []byte) bool {
	depth := 0
	for line := range bytes.Lines(rest) {
		switch word, _ := directiveOf(line); {
		case strings.HasPrefix(word, "if"):
			depth++
		case word == "endif" && depth == 0:
			return false
		case word == "endif":
			depth--
		case strings.HasPrefix(word, "el") && depth == 0:
			return true
		}
	}
	return false
}

func isNegated(word, condition string) bool {
	return word == "ifndef" || word == "if" && strings.HasPrefix(condition, "!")
}

// isGuard reports whether what follows #ifndef NAME defines that name.
func isGuard(name string, rest []byte) bool {
	for line := range bytes.Lines(rest) {
		if len(bytes.TrimSpace(line)) > 0 {
			word, defined := directiveOf(line)
			return word == "define" && (defined == name || strings.HasPrefix(defined, name+" "))
		}
	}
	return false
}
