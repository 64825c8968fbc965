package lang

import (
	"slices"
	"strings"
	"sync"
)

// Check says what an assertion holds its arguments against. The zero value is an
// assertion that is not known.
type Check uint8

const (
	_ Check = iota
	// IsTrue: its first argument is true.
	IsTrue
	// IsFalse: its first argument is false.
	IsFalse
	// IsNull: its first argument is nothing.
	IsNull
	// IsSomething: its first argument is not nothing.
	IsSomething
	// AreSame: its first two arguments are equal.
	AreSame
)

// Checks reads what assertions hold their arguments against, by their names, from lines of Lists: true, false, null,
// something and same. A name that is not there is not known.
func Checks(text string) func(name string) Check {
	read := sync.OnceValue(func() map[string]Check {
		all := map[string]Check{}
		lists := Lists(strings.TrimSpace(text))
		for i, kind := range []string{"true", "false", "null", "something", "same"} {
			for _, name := range lists[kind] {
				all[name] = IsTrue + Check(i)
			}
		}
		return all
	})
	return func(name string) Check { return read()[name] }
}

// CannotFail reports whether an assertion holds whatever the code under test
// does, because constants are all that it is given. What only may be so is not:
// a comparison of names can fail, and one of constants that differ always does.
func (c Check) CannotFail(arguments []string) bool {
	if len(arguments) == 0 || c == AreSame && len(arguments) < 2 {
		return false
	}
	first := strings.TrimSpace(arguments[0])
	switch c {
	case IsTrue:
		return isTruthy(first) || comparesSame(first)
	case IsFalse:
		return isFalsy(first)
	case IsNull:
		return null.MatchString(first)
	case IsSomething:
		return isTruthy(first)
	case AreSame:
		return areEqual(first, strings.TrimSpace(arguments[1]))
	}
	return false
}

// CannotFailBeside is CannotFail where a message may stand before or behind what is held.
func (c Check) CannotFailBeside(arguments []string) bool {
	if c == AreSame {
		return c.CannotFail(arguments) || len(arguments) == 3 && c.CannotFail(arguments[1:])
	}
	isMessage := func(a string) bool {
		_, rest, ok := Literal(a)
		return ok && rest == ""
	}
	held := slices.DeleteFunc(slices.Clone(arguments), isMessage)
	return len(held) == 1 && c.CannotFail(held)
}

var (
	null       = Lazy(`^(nil|null|NULL|None|undefined|nullptr)$`)
	number     = Lazy(`^-?\d[\d_]*(\.\d+)?$`)
	zero       = Lazy(`^-?0+(\.0*)?$`)
	sum        = Lazy(`^\d+\s*[+*]\s*\d+$`)
	comparison = Lazy(`^(.*?\S)\s*(===?|\bis\b)\s*(\S.*)$`)
)

// areEqual reports whether two expressions are the same literal, or one is
// reckoned from numbers alone and the other is a number.
func areEqual(a, b string) bool {
	reckoned := func(a, b string) bool { return sum.MatchString(a) && (sum.MatchString(b) || number.MatchString(b)) }
	return isLiteral(a) && a == b || reckoned(a, b) || reckoned(b, a)
}

// isLiteral is IsConstant, save for a text that is put together.
func isLiteral(expression string) bool {
	return (IsConstant(expression) || null.MatchString(expression)) && !strings.Contains(expression, "${")
}

// comparesSame reports whether a condition compares a literal with itself, 1 == 1.
func comparesSame(condition string) bool {
	m := comparison.FindStringSubmatch(condition)
	return m != nil && areEqual(m[1], m[3])
}

func isFalsy(constant string) bool {
	return strings.EqualFold(constant, "false") || null.MatchString(constant) || zero.MatchString(constant)
}

// isTruthy: a literal that every language takes for true where it takes it at all.
func isTruthy(constant string) bool {
	if constant == "not False" || constant == "!false" {
		return true
	}
	return isLiteral(constant) && !isFalsy(constant) && constant != `""` && constant != "''" && constant != "``"
}
