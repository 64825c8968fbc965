package lang

import (
	"cmp"
	"strings"
)

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

// AlwaysHolds reports whether an assertion cannot fail, because what it is given
// are constants: assertTrue(true), Assert.Equal(1, 1), assertThat(true).isTrue().
// A message beside them changes nothing. name is that of the assertion, as Call gives it.
func AlwaysHolds(name string, arguments []string) bool {
	return named(name).CannotFailBeside(arguments)
}

// named is what an assertion of xUnit's kind says, whatever the style in which its name is written.
func named(assertion string) Check {
	name := strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(assertion, "_", "")), "assert")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "is"), "are")
	return xUnit(cmp.Or(name, "true"))
}

var xUnit = Checks(`
true: true truthy that check ok
false: false falsy
null: null nil
something: notnull notnil
same: equals equal same`)
