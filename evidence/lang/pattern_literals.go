package lang

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// literals are texts that each match of an expression contains: text, all of all, and one of any. The zero value
// requires none. Searching for them is many times faster than matching, and most texts lack some.
type literals struct {
	text     string
	all, any []literals
}

// maxAlternatives is how many alternatives are searched for: more would cost as much as the expression.
const maxAlternatives = 40

// foldsBeyondASCII are the letters outside ASCII that (?i) takes for an s or a k.
const foldsBeyondASCII = "ſ\u212a"

// requiredLiterals returns what each match of an expression contains. If the expression ignores case anywhere, folds is
// true, and the literals are of the text in lower case.
func requiredLiterals(expression string) (l literals, folds bool) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return literals{}, false
	}
	folds = ignoresCase(parsed)
	return needed(parsed, folds), folds
}

func ignoresCase(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, ignoresCase)
}

// literalsOf returns all texts that an expression matches, if they are few, or else what each match contains.
func literalsOf(re *syntax.Regexp, folds bool) (exact []string, l literals) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, l
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 || strings.IndexFunc(string(re.Rune), isBeyondASCII) < 0 {
			return []string{lowered(string(re.Rune), folds)}, l
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if exact = append(exact, lowered(string(r), folds)); len(exact) > 4 {
					return nil, l
				}
			}
		}
		return exact, l
	case syntax.OpCapture:
		return literalsOf(re.Sub[0], folds)
	case syntax.OpQuest:
		if exact, _ = literalsOf(re.Sub[0], folds); exact != nil {
			return append(exact, ""), l
		}
	case syntax.OpPlus, syntax.OpRepeat:
		if re.Op == syntax.OpPlus || re.Min > 0 {
			return nil, needed(re.Sub[0], folds)
		}
	case syntax.OpConcat:
		return literalsOfSequence(re.Sub, folds)
	case syntax.OpAlternate:
		return literalsOfChoice(re.Sub, folds)
	}
	return nil, l
}

func isBeyondASCII(r rune) bool { return r >= 0x80 }

// needed returns what each match of an expression contains.
func needed(re *syntax.Regexp, folds bool) literals {
	exact, l := literalsOf(re, folds)
	if exact != nil {
		return oneOf(exact)
	}
	return l
}

func literalsOfSequence(parts []*syntax.Regexp, folds bool) (exact []string, l literals) {
	add := func(part literals) {
		if !part.isNone() {
			l.all = append(l.all, part)
		}
	}
	exact, isExact := []string{""}, true
	for _, part := range parts {
		next, need := literalsOf(part, folds)
		if next != nil && len(exact)*len(next) <= maxAlternatives {
			var joined []string
			for _, a := range exact {
				for _, b := range next {
					joined = append(joined, a+b)
				}
			}
			exact = joined
			continue
		}
		add(oneOf(exact))
		add(need)
		isExact = false
		if exact = next; next == nil {
			exact = []string{""}
		}
	}
	if isExact {
		return exact, l
	}
	add(oneOf(exact))
	return nil, l
}

func literalsOfChoice(choices []*syntax.Regexp, folds bool) (exact []string, l literals) {
	isExact := true
	for _, choice := range choices {
		texts, inner := literalsOf(choice, folds)
		if isExact = isExact && texts != nil; texts != nil {
			inner = oneOf(texts)
		}
		exact, l.any = append(exact, texts...), append(l.any, inner)
	}
	if isExact && len(exact) <= maxAlternatives {
		return exact, literals{}
	}
	if len(l.any) > maxAlternatives || slices.ContainsFunc(l.any, literals.isNone) {
		return nil, literals{}
	}
	return nil, l
}

// oneOf requires one of some texts.
func oneOf(texts []string) (l literals) {
	for _, text := range texts {
		if l.any = append(l.any, literals{text: text}); text == "" {
			return literals{}
		}
	}
	if len(l.any) == 1 {
		return l.any[0]
	}
	return l
}

func (l literals) isNone() bool { return l.text == "" && l.all == nil && l.any == nil }

// in reports whether a text has them, by a search in it.
func (l literals) in(text string) bool {
	isIn := func(part literals) bool { return part.in(text) }
	lacks := func(part literals) bool { return !part.in(text) }
	return strings.Contains(text, l.text) && !slices.ContainsFunc(l.all, lacks) &&
		(l.any == nil || slices.ContainsFunc(l.any, isIn))
}

// lowered is a text, with ASCII letters in lower case if the expression ignores case.
func lowered(text string, folds bool) string {
	if !folds {
		return text
	}
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + ('a' - 'A')
		}
	}
	return string(lower)
}
