package lang

import (
	"cmp"
	"regexp/syntax"
	"slices"
)

// literals are texts that each match of an expression contains: text, all of all, and one of any. The zero value
// requires none. Searching for them is many times faster than matching, and most texts lack some.
type literals struct {
	text     string
	all, any []literals
}

// maxAlternatives is how many alternatives are searched for: more would cost as much as the expression.
const maxAlternatives = 24

// requiredLiterals returns what each match of an expression contains.
func requiredLiterals(expression string) literals {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return literals{}
	}
	return literalsOf(parsed)
}

func literalsOf(re *syntax.Regexp) (l literals) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			l.text = string(re.Rune)
		}
	case syntax.OpCharClass:
		if len(re.Rune) == 2 && re.Rune[0] == re.Rune[1] {
			l.text = string(re.Rune[0])
		}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if part := literalsOf(sub); part.shortest() > 0 {
				l.all = append(l.all, part)
			}
		}
		// Longer texts are rarer.
		slices.SortStableFunc(l.all, func(a, b literals) int { return cmp.Compare(b.shortest(), a.shortest()) })
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			l.any = append(l.any, literalsOf(sub))
		}
		if len(l.any) > maxAlternatives || l.shortest() == 0 {
			return literals{}
		}
	}
	return l
}

// shortest is the length of the text that is most easily found, 0 where nothing is known.
func (l literals) shortest() int {
	switch {
	case len(l.any) > 0:
		return slices.MinFunc(l.any, func(a, b literals) int { return a.shortest() - b.shortest() }).shortest()
	case len(l.all) > 0:
		return l.all[0].shortest()
	}
	return len(l.text)
}

// in reports whether a text has them, by a search in it.
func (l literals) in(contains func(string) bool) bool {
	for _, part := range l.all {
		if !part.in(contains) {
			return false
		}
	}
	return contains(l.text) &&
		(l.any == nil || slices.ContainsFunc(l.any, func(part literals) bool { return part.in(contains) }))
}
