package weaker

import (
	_ "embed"

	"github.com/acta-git/acta/evidence/lang"
)

var (
	//go:embed words.txt
	wordsText string
	//go:embed patterns.txt
	patternsText string

	wordLists          = lang.WordLists{Text: &wordsText}
	wordList, isListed = wordLists.List, wordLists.Has
	patterns           = lang.Patterns{Text: &patternsText}
	fits, regexpOf     = patterns.Fits, patterns.Named
)

// wordsIn returns the names in a text with more than one letter, numbersIn its numbers, quotedIn its quoted texts.
func wordsIn(text string) []string   { return regexpOf("identifiers").FindAllString(text) }
func numbersIn(text string) []string { return regexpOf("numerals").FindAllString(text) }
func quotedIn(text string) []string  { return regexpOf("quotations").FindAllString(text) }
