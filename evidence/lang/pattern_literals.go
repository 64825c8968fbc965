package lang

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"
)

// literals are texts that each match of an expression contains: text, all of all, and one of any. Where begins or ends
// is set, \b holds before or behind text. The zero value requires none. Searching for them is many times faster than
// matching, and most texts lack some.
type literals struct {
	text         string
	begins, ends bool
	all, any     []literals
}

// maxAlternatives is how many alternatives are searched for: more would cost as much as the expression.
const maxAlternatives = 40

// edge stands for \b in what an expression matches: either the byte before it is of a word, or the one behind it. It is
// a code point that is no character.
const edge = "\uffff"

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
	case syntax.OpWordBoundary:
		return []string{edge}, l
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpNoWordBoundary:
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
		if part.shortest() > 0 {
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
	// Longer texts are rarer.
	slices.SortStableFunc(l.all, func(a, b literals) int { return cmp.Compare(b.shortest(), a.shortest()) })
	return nil, l
}

func literalsOfChoice(choices []*syntax.Regexp, folds bool) (exact []string, l literals) {
	isExact := true
	ones := make([][]string, len(choices))
	l.any = make([]literals, len(choices))
	for i, choice := range choices {
		ones[i], l.any[i] = literalsOf(choice, folds)
		exact, isExact = append(exact, ones[i]...), isExact && ones[i] != nil
	}
	if isExact && len(exact) <= maxAlternatives {
		return exact, literals{}
	}
	for i, one := range ones {
		if one != nil {
			l.any[i] = oneOf(one)
		}
	}
	if len(l.any) > maxAlternatives || l.shortest() == 0 {
		return nil, literals{}
	}
	return nil, l
}

// oneOf requires one of some texts. One that contains another adds nothing.
func oneOf(texts []string) (l literals) {
	var kept []string
	for _, text := range slices.SortedFunc(slices.Values(texts), func(a, b string) int { return len(a) - len(b) }) {
		inner := strings.Trim(text, edge)
		if inner == "" {
			return literals{}
		}
		plain := strings.ReplaceAll(inner, edge, "")
		text = strings.Replace(text, inner, plain, 1)
		if !slices.ContainsFunc(kept, func(shorter string) bool { return strings.Contains(text, shorter) }) {
			kept = append(kept, text)
			l.any = append(l.any,
				literals{text: plain, begins: strings.HasPrefix(text, edge), ends: strings.HasSuffix(text, edge)})
		}
	}
	if len(l.any) == 1 {
		return l.any[0]
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
func (l *literals) in(text string) bool {
	if len(text) < len(l.text) || !l.hasText(text) {
		return false
	}
	for i := range l.all {
		if !l.all[i].in(text) {
			return false
		}
	}
	for i := range l.any {
		if l.any[i].in(text) {
			return true
		}
	}
	return l.any == nil
}

// hasText reports whether a text has that of the literals, with its edges.
func (l *literals) hasText(text string) bool {
	if !l.begins && !l.ends {
		return strings.Contains(text, l.text)
	}
	for at := 0; ; at++ {
		next := strings.Index(text[at:], l.text)
		if next < 0 {
			return false
		}
		at += next
		if (!l.begins || isEdge(text, at)) && (!l.ends || isEdge(text, at+len(l.text))) {
			return true
		}
	}
}

// isEdge reports whether \b holds before a byte of a text.
func isEdge(text string, at int) bool {
	isWord := func(at int) bool { return at >= 0 && at < len(text) && text[at] < 0x80 && IsWordByte(text[at]) }
	return isWord(at-1) != isWord(at)
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
