package lang

import "strings"

// WithoutArguments removes angle brackets and their content: «class A<T extends B>» becomes «class A».
func WithoutArguments(header string) string { return WithoutBrackets(header, '<', '>') }

// WithoutBrackets removes brackets of one kind and their content. The > of an arrow, -> or =>, does not count.
func WithoutBrackets(header string, opens, closes byte) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case c == opens:
			depth++
		case c == closes && depth > 0 && header[i-1] != '-' && header[i-1] != '=':
			depth--
		case depth == 0:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// TypeName returns the name of a type without arguments and qualifiers: A for «x.y.A<B>».
func TypeName(written string) string {
	m := patternOf("last name").FindStringSubmatch(strings.TrimSpace(WithoutArguments(written)))
	if m == nil {
		return ""
	}
	return m[1]
}

// DocumentsNothing reports whether a comment above a definition says that it does nothing.
func DocumentsNothing(comment string) bool { return fits("nothing documented", comment) }
