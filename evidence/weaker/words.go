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

// listed is a list of words.txt, in its order.
func listed(name string) []string { return wordLists.List(name) }

// isListed reports whether a list of words.txt has a word.
func isListed(name, word string) bool { return wordLists.Has(name, word) }

// regexpOf is an entry of patterns.txt, which must be there.
func regexpOf(name string) lang.Pattern { return patterns.Named(name) }

// fits reports whether a text is as an entry of patterns.txt says.
func fits(name, text string) bool { return patterns.Named(name).MatchString(text) }

// wordsIn are the names in a text that have more than one letter, numbersIn its numbers, quotedIn what stands between
// quotes on a line, with them.
func wordsIn(text string) []string   { return regexpOf("identifiers").FindAllString(text) }
func numbersIn(text string) []string { return regexpOf("numerals").FindAllString(text) }
func quotedIn(text string) []string  { return regexpOf("quotations").FindAllString(text) }
