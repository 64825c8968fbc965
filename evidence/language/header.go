package language

import "strings"

var doesNothing = Lazy("(?i)\\b(?:(?:does|do) nothing|no-op)\\b[\\s*/]*(?:[.,;:()<`]|by default|in (?:the|this)|here\\b|$)|\\bintentionally (?:left )?empty|\\boverridden for performance")

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

// BeforeName returns what stands in a definition's header before its name: modifiers, the word that defines it, its type.
func BeforeName(d Definition) string {
	before, _, _ := strings.Cut(d.Header, d.Name+"(")
	if len(before) < len(d.Header) {
		return before
	}
	before, _, _ = strings.Cut(d.Header, d.Name)
	return before
}

// DocumentsNothing reports whether the comment above a definition says that it does nothing.
func DocumentsNothing(d Definition) bool { return doesNothing.MatchString(CommentAbove(d)) }

// CommentAbove returns the comment that ends directly above a definition, as a
// language with // and /* */ writes it; "" when there is none.
func CommentAbove(d Definition) string {
	before := strings.TrimRight(string(d.Source[max(0, d.At-maxComment):d.At]), " \t\r\n")
	if strings.HasSuffix(before, "*/") {
		return before[max(0, strings.LastIndex(before, "/*")):]
	}
	lines := strings.Split(before, "\n")
	first := len(lines)
	for first > 0 && strings.HasPrefix(strings.TrimSpace(lines[first-1]), "//") {
		first--
	}
	return strings.Join(lines[first:], "\n")
}

// maxComment is how far before a definition CommentAbove looks, in bytes.
const maxComment = 4000
