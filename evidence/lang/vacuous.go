package lang

import (
	"slices"
	"strconv"
	"strings"
)

// assertion is a statement of only constants and words of assertions.
type assertion struct {
	words     map[string]bool
	constants []string
}

// cannotFail reports whether a statement is an assertion of constants that always holds. An assertion that always fails
// does not count.
func (l *Language) cannotFail(statement string) bool {
	a, ok := readAssertion(statement)
	if !ok || len(a.constants) == 0 || !a.has("asserting") && (l.Name != "bash" || statement[0] != '[') {
		return false
	}
	isText := func(c string) bool { return strings.IndexByte("\"'`", c[0]) >= 0 }
	values := slices.DeleteFunc(slices.Clone(a.constants), isText)
	if len(values) == 0 && len(a.constants) == 1 && (a.has("matching") || len(a.words) == 1 && a.words["assert"]) {
		values = a.constants
	}
	isNegated, isSingle := a.has("negating"), len(values) == 1
	switch {
	case a.words["=="]:
		return !isNegated && !a.has("falsy") && a.areEqual()
	case a.has("falsy"):
		return isSingle && (isFalsy(values[0]) != isNegated)
	case a.has("null"):
		return isSingle && (fits("null", values[0]) != isNegated)
	case a.has("something"):
		return isSingle && !isNegated && !fits("null", values[0])
	case a.has("truthy"):
		return isSingle && isFalsy(values[0]) == isNegated
	case a.has("comparing"), a.has("equating") && len(a.constants) > 1:
		return !isNegated && a.areEqual()
	}
	return isSingle && isFalsy(values[0]) == isNegated
}

// has reports whether one of the words is in a list of callees.txt.
func (a *assertion) has(list string) bool {
	for word := range a.words {
		if callees.Has(list, word) {
			return true
		}
	}
	return false
}

// areEqual reports whether the two compared constants are equal; a message may precede or follow them.
func (a *assertion) areEqual() bool {
	c := a.constants
	return len(c) > 1 && c[0] == c[1] || len(c) == 3 && c[1] == c[2]
}

// readAssertion reads a statement; ok is false if it holds more than constants and words of assertions.
func readAssertion(statement string) (a assertion, ok bool) {
	a.words = map[string]bool{}
	isSum, isNegated, depth := false, false, 0
	for rest := strings.TrimSpace(statement); rest != ""; rest = strings.TrimLeft(rest, " \t\r\n") {
		token, isConstant := assertionToken(rest, statement[:len(statement)-len(rest)])
		if token == "" {
			return a, false
		}
		rest = rest[len(token):]
		switch {
		case isConstant && isSum:
			last := len(a.constants) - 1
			x, err1 := strconv.Atoi(a.constants[last])
			y, err2 := strconv.Atoi(token)
			if a.constants[last] = strconv.Itoa(x + y); err1 != nil || err2 != nil || x < 0 || y < 0 {
				return a, false
			}
		case isConstant && isNegated:
			a.constants = append(a.constants, map[bool]string{true: "true", false: "false"}[isFalsy(token)])
		case isConstant:
			a.constants = append(a.constants, token)
		case token == "==", token == "===", token == "=", token == "-eq":
			a.words["=="] = true
		case token == "(":
			depth++
		case token == ")":
			depth--
		case IsWordByte(token[0]):
			if !a.addName(token, strings.TrimLeft(rest, " "), depth) {
				return a, false
			}
		}
		isSum, isNegated = token == "+" && len(a.constants) > 0, token == "!" && strings.TrimLeft(rest, " ") == rest
	}
	return a, true
}

// addName adds the words of a name, and reports whether all are words of assertions. A qualifier is neither called nor
// an argument; a call in brackets may only say that two values are equal.
func (a *assertion) addName(name, rest string, depth int) bool {
	isQualifier, isCalled := true, depth > 0 && strings.HasPrefix(rest, "(")
	for _, word := range Words(name) {
		qualifier := callees.Has("qualifiers", word)
		if !qualifier && !callees.Has("assertions", word) || isCalled && !callees.Has("relating", word) {
			return false
		}
		a.words[word], isQualifier = true, isQualifier && qualifier
	}
	return !isQualifier || strings.ContainsAny(rest[:min(1, len(rest))], ".:-,!")
}

// assertionToken returns the next token of a statement, a constant, word or sign; "" for any other. A word after a dot
// is no constant.
func assertionToken(rest, before string) (token string, isConstant bool) {
	if _, after, ok := Literal(rest); ok {
		token = rest[:len(rest)-len(after)]
		if strings.Contains(token, "${") || strings.Contains(token, "#{") || strings.Contains(token, `\(`) {
			return "", false
		}
		return token, true
	}
	if constant := patternOf("assertion constant").FindString(rest); constant != "" && !strings.HasSuffix(before, ".") &&
		!(constant[0] == ':' && strings.HasSuffix(before, ":")) {
		return constant, true
	}
	return patternOf("assertion sign").FindString(rest), false
}

func isFalsy(constant string) bool {
	return strings.EqualFold(constant, "false") || constant == `""` || constant == "''" || fits("null", constant) ||
		fits("zero", constant)
}

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
