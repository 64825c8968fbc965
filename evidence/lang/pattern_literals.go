package lang

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
)

// maxLiterals is how many literals are searched for: more would cost as much as the expression.
const maxLiterals = 24

// requiredLiterals returns texts of which every match contains at least one; nil if none are known. Searching them is
// many times faster than matching, and most texts contain none.
func requiredLiterals(expression string) []string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	return literalsOf(parsed)
}

func literalsOf(re *syntax.Regexp) (found []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCharClass:
		if len(re.Rune) == 2 && re.Rune[0] == re.Rune[1] {
			return []string{string(re.Rune[0])}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if literals := literalsOf(sub); shortestLength(literals) > shortestLength(found) {
				found = literals
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			literals := literalsOf(sub)
			if literals == nil || len(found)+len(literals) > maxLiterals {
				return nil
			}
			found = append(found, literals...)
		}
	}
	return found
}

// shortestLength is the length of the shortest text, 0 if there is none: longer texts are rarer.
func shortestLength(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

// mayMatch reports whether a text may contain a match.
func (e *expression) mayMatch(text string) bool {
	return e.literals == nil || slices.ContainsFunc(e.literals, func(s string) bool { return strings.Contains(text, s) })
}

// mayMatchBytes is mayMatch for bytes.
func (e *expression) mayMatchBytes(text []byte) bool {
	return e.literals == nil ||
		slices.ContainsFunc(e.literals, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}
