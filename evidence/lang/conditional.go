package lang

import (
	"bytes"
	"strings"
)

// branch is how far around a definition IsVariant looks for directives, in bytes: a branch is rarely longer.
const branch = 8000

// IsVariant reports whether a byte of a source stands in one branch of a
// conditional compilation that has another, #if … #else … #endif, or under a
// condition that something is not there, #ifndef: what does nothing here may do its work in the
// other variant. The guard of a header is no such condition. It is for languages
// whose directives stand on lines of their own and begin with #. It looks at 8,000 bytes before and after.
func IsVariant(src []byte, at int) bool {
	begin, end := max(0, at-branch), min(len(src), at+branch)
	return inVariant(src[begin:end], at-begin)
}

func inVariant(src []byte, at int) bool {
	if bytes.IndexByte(src, '#') < 0 {
		return false
	}
	others := elses(src[at:])
	level, depth := 0, 0
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
			if others[level] || isNegated(word, rest) && !isGuard(rest, src[end:]) {
				return true
			}
			level++
		}
		end = begin - 1
	}
	return false
}

// elses tells which of the conditions around a place have another branch after it,
// rest being what follows the place; the innermost condition is 0.
func elses(rest []byte) map[int]bool {
	found := map[int]bool{}
	level, depth := 0, 0
	for line := range bytes.Lines(rest) {
		switch word, _ := directiveOf(line); {
		case strings.HasPrefix(word, "if"):
			depth++
		case word == "endif" && depth > 0:
			depth--
		case word == "endif":
			level++
		case strings.HasPrefix(word, "el") && depth == 0:
			found[level] = true
		}
	}
	return found
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
