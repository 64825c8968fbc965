package lang

import "strings"

var (
	called   = Lazy(`^((?:[\pL_$][\pL\pN_$]*\s*(?:\.|::|->)\s*)*)([\pL_$][\pL\pN_$]*)\s*(?:<[^()]*>)?\s*\(`)
	constant = Lazy(`^(true|false|null|nil|None|-?\d[\d_]*(\.\d+)?[a-zA-Z]{0,2}|'[^'\\]'|True|False)$`)
)

// Call splits «a.b(c, d) rest» into the name of what is called, without what
// qualifies it, its arguments, trimmed, and what follows the closing bracket. ok
// is false for what is no call.
func Call(expression string) (name string, arguments []string, rest string, ok bool) {
	m := called.FindStringSubmatch(expression)
	if m == nil {
		return "", nil, expression, false
	}
	arguments, rest, ok = Arguments(expression[len(m[0]):])
	return m[2], arguments, rest, ok
}

// Arguments splits what stands behind an opening bracket, up to the one that
// closes it, at its commas, and returns what follows; commas in brackets and string literals divide nothing.
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

// IsConstant reports whether an expression is a literal: a number, a truth value, nothing, a character or a whole
// string.
func IsConstant(expression string) bool {
	if constant.MatchString(expression) {
		return true
	}
	_, rest, ok := Literal(expression)
	return ok && rest == ""
}
