package lang

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
)

// maxNeeds is how many texts are looked for in the place of an expression: beyond it that costs as much.
const maxNeeds = 24

// needs returns texts of which each match of an expression holds at least one; nil where none are known. Looking for
// them is many times faster than the expression, and most texts hold none.
func needs(expression string) []string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	return needsOf(parsed)
}

func needsOf(re *syntax.Regexp) (found []string) {
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
		return needsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if of := needsOf(sub); shortest(of) > shortest(found) {
				found = of
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			of := needsOf(sub)
			if of == nil || len(found)+len(of) > maxNeeds {
				return nil
			}
			found = append(found, of...)
		}
	}
	return found
}

// shortest is the length of the shortest of some texts, 0 without any: longer ones are rarer.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

// mayMatch reports whether a text may hold a match.
func (e *expression) mayMatch(text string) bool {
	return e.needs == nil || slices.ContainsFunc(e.needs, func(s string) bool { return strings.Contains(text, s) })
}

// mayMatchBytes is mayMatch for bytes.
func (e *expression) mayMatchBytes(text []byte) bool {
	return e.needs == nil || slices.ContainsFunc(e.needs, func(s string) bool { return bytes.Contains(text, []byte(s)) })
}
