package weaker

import (
	_ "embed"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed words.txt
var wordsText string

var wordLists = lang.WordLists{Text: &wordsText}

// listed is a list of words.txt, in its order.
func listed(name string) []string { return wordLists.Of(name) }

// isListed reports whether a list of words.txt has a word.
func isListed(name, word string) bool { return wordLists.Has(name, word) }
