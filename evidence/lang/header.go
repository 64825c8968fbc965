package lang

import "strings"

var doesNothing = Lazy("(?i)\\b(?:(?:does|do) nothing|no-op)\\b[\\s*/]*(?:[.,;:()<`]|by default|in " +
	"(?:the|this)|here\\b|$)|\\bintentionally (?:left )?empty|\\boverridden for performance")

// WithoutArguments returns a header or the name of a type without what stands in
// angle brackets: «class A<T extends B>» is «class A».
func WithoutArguments(header string) string { return Without(header, '<', '>') }

// Without returns a header without what stands in brackets of a kind; those of an arrow, -> or =>, are none.
func Without(header string, opens, closes byte) string {
	var kept strings.Builder
	depth := 0
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case c == opens:
			depth++
		case c == closes && depth > 0 && header[i-1] != '-' && header[i-1] != '=':
			depth--
		case depth == 0:
			kept.WriteByte(c)
		}
	}
	return kept.String()
}

var lastName = Lazy(`([\pL_$][\pL\pN_$]*)\s*\??$`)

// TypeName returns the name of a type without its arguments and what qualifies it: A of «x.y.A<B>».
func TypeName(written string) string {
	m := lastName.FindStringSubmatch(strings.TrimSpace(WithoutArguments(written)))
	if m == nil {
		return ""
	}
	return m[1]
}

// DocumentsNothing reports whether a comment above a definition says that it does nothing.
func DocumentsNothing(comment string) bool { return doesNothing.MatchString(comment) }
