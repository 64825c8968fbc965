package lang

import "strings"

// Arguments splits text after an opening bracket at its commas, up to the closing bracket, and returns the text after
// that. Commas inside brackets and string literals do not split.
func Arguments(text string) (arguments []string, rest string, ok bool) {
	depth, begin := 0, 0
	add := func(end int) {
		if argument := strings.TrimSpace(text[begin:end]); argument != "" {
			arguments = append(arguments, argument)
		}
		begin = end + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			_, after, ok := Literal(text[i:])
			if !ok {
				return nil, "", false
			}
			i = len(text) - len(after) - 1
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ',' && depth == 0:
			add(i)
		case (c == ')' || c == ']' || c == '}') && depth > 0:
			depth--
		case c == ')':
			add(i)
			return arguments, text[i+1:], true
		}
	}
	return nil, "", false
}

// IsConstant reports whether an expression is a literal: a number, a boolean, null, a character or a whole string.
func IsConstant(expression string) bool {
	if fits("constant", expression) {
		return true
	}
	_, rest, ok := Literal(expression)
	return ok && rest == ""
}
