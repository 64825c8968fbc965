package lang

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
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
		for i, sub := range re.Sub {
			of := needsOf(sub)
			if i > 0 && re.Sub[i-1].Op == syntax.OpBeginLine {
				if at := beginsOf(sub); len(at) <= maxNeeds && leastLength(at) > 0 {
					of = atLines(at)
				}
			}
			if rarer(of, found) {
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

// beginsOf returns texts of which each match of an expression begins with one; nil where none are known.
func beginsOf(re *syntax.Regexp) (found []string) {
	switch re.Op {
	case syntax.OpLiteral:
		return needsOf(re)
	case syntax.OpCapture, syntax.OpConcat:
		return beginsOf(re.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			of := beginsOf(sub)
			if of == nil {
				return nil
			}
			found = append(found, of...)
		}
	}
	return found
}

// atLines are texts that begin a line, after the end of the one before.
func atLines(texts []string) (found []string) {
	for _, text := range texts {
		found = append(found, "\n"+text)
	}
	return found
}

// rarer reports texts that fewer sources are likely to hold than others: those at the beginning of a line, longer ones,
// and of words as long as those, which are everywhere, what is no word.
func rarer(texts, others []string) bool {
	a, b := leastLength(texts), leastLength(others)
	if begin, later := atLine(texts), atLine(others); begin != later && min(a, b) > leastBegin {
		return begin
	}
	return a > b || a == b && a > 0 && !holdsLetter(texts) && holdsLetter(others)
}

// leastBegin is the length beyond which the beginning of a line is worth more than any length.
const leastBegin = 8

// atLine reports whether all of the texts stand at the beginning of a line.
func atLine(texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return s[0] != '\n' })
}

func holdsLetter(texts []string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 })
}

// leastLength is the length of the shortest of them, 0 without any.
func leastLength(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	least := len(texts[0])
	for _, s := range texts {
		least = min(least, len(s))
	}
	return least
}

// mayMatch reports whether a text may hold a match.
func (c *compiled) mayMatch(text string) bool {
	for _, need := range c.needs {
		if strings.Contains(text, need) || need[0] == '\n' && strings.HasPrefix(text, need[1:]) {
			return true
		}
	}
	return c.needs == nil
}

// mayMatchBytes is mayMatch for bytes.
func (c *compiled) mayMatchBytes(text []byte) bool {
	for _, need := range c.needs {
		if bytes.Contains(text, []byte(need)) || need[0] == '\n' && bytes.HasPrefix(text, []byte(need[1:])) {
			return true
		}
	}
	return c.needs == nil
}
