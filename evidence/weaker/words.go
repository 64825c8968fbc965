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

	wordLists = lang.WordLists{Text: &wordsText}
	patterns  = lang.Patterns{Text: &patternsText}
)

// wordList returns a list of words.txt, in its order.
func wordList(name string) []string { return wordLists.List(name) }

// isListed reports whether a list of words.txt has a word.
func isListed(name, word string) bool { return wordLists.Has(name, word) }

// regexpOf returns an entry of patterns.txt, which must exist.
func regexpOf(name string) lang.Pattern { return patterns.Named(name) }

// fits reports whether an entry of patterns.txt matches a text.
func fits(name, text string) bool { return patterns.Named(name).MatchString(text) }

// wordsIn returns the names in a text with more than one letter, numbersIn its numbers, quotedIn its quoted texts.
func wordsIn(text string) []string   { return regexpOf("identifiers").FindAllString(text) }
func numbersIn(text string) []string { return regexpOf("numerals").FindAllString(text) }
func quotedIn(text string) []string  { return regexpOf("quotations").FindAllString(text) }
