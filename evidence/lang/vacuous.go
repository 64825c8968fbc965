package lang

import (
	"slices"
	"strconv"
	"strings"
)

// asserted is what a statement of nothing but constants and the words of assertions says.
type asserted struct {
	words     map[string]bool
	constants []string
}

// cannotFail reports whether a statement is an assertion that holds whatever the code under test does: beside the words
// of assertions, which are the same in all languages, nothing but constants stands in it. One of constants that differ
// always fails, and is none.
func cannotFail(statement string) bool {
	a, ok := readAsserted(statement)
	if !ok || len(a.constants) == 0 || !a.has("asserting") && statement[0] != '[' {
		return false
	}
	isText := func(c string) bool { return strings.IndexByte("\"'`", c[0]) >= 0 }
	held := slices.DeleteFunc(slices.Clone(a.constants), isText)
	if len(held) == 0 && len(a.constants) == 1 && (a.has("matching") || len(a.words) == 1 && a.words["assert"]) {
		held = a.constants
	}
	not, one := a.has("negating"), len(held) == 1
	switch {
	case a.words["=="]:
		return !not && !a.has("falsy") && a.equal()
	case a.has("falsy"):
		return one && (isFalsy(held[0]) != not)
	case a.has("null"):
		return one && (null.MatchString(held[0]) != not)
	case a.has("something"):
		return one && !not && !null.MatchString(held[0])
	case a.has("truthy"):
		return one && isFalsy(held[0]) == not
	case a.has("comparing"), a.has("equating") && len(a.constants) > 1:
		return !not && a.equal()
	}
	return one && isFalsy(held[0]) == not
}

// has reports whether one of the words is in a list of callees.txt.
func (a *asserted) has(list string) bool {
	for word := range a.words {
		if callees.Has(list, word) {
			return true
		}
	}
	return false
}

// equal reports whether the two that are compared are the same; a message may stand before or behind them.
func (a *asserted) equal() bool {
	c := a.constants
	return len(c) > 1 && c[0] == c[1] || len(c) == 3 && c[1] == c[2]
}

// readAsserted reads a statement; ok is false where it holds more than constants and words of assertions.
func readAsserted(statement string) (a asserted, ok bool) {
	a.words = map[string]bool{}
	sum, negated, depth := false, false, 0
	for rest := strings.TrimSpace(statement); rest != ""; rest = strings.TrimLeft(rest, " \t\r\n") {
		token, isConstant := assertedToken(rest, statement[:len(statement)-len(rest)])
		if token == "" {
			return a, false
		}
		rest = rest[len(token):]
		switch {
		case isConstant && sum:
			last := len(a.constants) - 1
			x, err1 := strconv.Atoi(a.constants[last])
			y, err2 := strconv.Atoi(token)
			if a.constants[last] = strconv.Itoa(x + y); err1 != nil || err2 != nil || x < 0 || y < 0 {
				return a, false
			}
		case isConstant && negated:
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
			if !a.takes(token, strings.TrimLeft(rest, " "), depth) {
				return a, false
			}
		}
		sum, negated = token == "+" && len(a.constants) > 0, token == "!" && strings.TrimLeft(rest, " ") == rest
	}
	return a, true
}

// takes notes the words of a name, and reports whether all are those of assertions. What qualifies one is neither
// called nor given; what is called in brackets only says that two are the same.
func (a *asserted) takes(name, rest string, depth int) bool {
	qualifies, called := true, depth > 0 && strings.HasPrefix(rest, "(")
	for _, word := range Words(name) {
		qualifier := callees.Has("qualifiers", word)
		if !qualifier && !callees.Has("assertions", word) || called && !callees.Has("relating", word) {
			return false
		}
		a.words[word], qualifies = true, qualifies && qualifier
	}
	return !qualifies || strings.ContainsAny(rest[:min(1, len(rest))], ".:-,!")
}

var (
	assertedConstant = Lazy(`^(?:(?:true|false|null|nil|None|True|False|TRUE|FALSE|NULL|nullptr|undefined)\b` +
		`|-?\d[\d_]*(?:\.\d+)?[a-zA-Z]{0,2}\b|:[a-z]\w*|\[\s*\]|%?\{\s*\}|'[^'\\]')`)
	assertedSign = Lazy(`^(?:===?|=|->|::|<<|-eq\b|[-.,;:()\[\]#!+]|\\|[\pL_$][\pL\pN_$]*)`)
)

// assertedToken is what a statement goes on with after what stands before: a constant, a word or a sign; "" for what no
// assertion of constants holds. A word behind a dot is no constant.
func assertedToken(rest, before string) (token string, isConstant bool) {
	if _, after, ok := Literal(rest); ok {
		token = rest[:len(rest)-len(after)]
		if strings.Contains(token, "${") || strings.Contains(token, "#{") || strings.Contains(token, `\(`) {
			return "", false
		}
		return token, true
	}
	if constant := assertedConstant.FindString(rest); constant != "" && !strings.HasSuffix(before, ".") &&
		!(constant[0] == ':' && strings.HasSuffix(before, ":")) {
		return constant, true
	}
	return assertedSign.FindString(rest), false
}

var (
	null = Lazy(`^(nil|null|NULL|None|undefined|nullptr)$`)
	zero = Lazy(`^-?0+(\.0*)?$`)
)

func isFalsy(constant string) bool {
	return strings.EqualFold(constant, "false") || constant == `""` || constant == "''" || null.MatchString(constant) ||
		zero.MatchString(constant)
}
