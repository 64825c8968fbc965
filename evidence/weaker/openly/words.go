package openly

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed words.txt
var wordsText string

var wordLists = lang.WordLists{Text: &wordsText}

// isListed reports whether a list of words.txt has a word.
func isListed(list, word string) bool { return wordLists.Has(list, word) }

// anyListed reports whether it has one of several.
func anyListed(list string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isListed(list, w) })
}

// askingWord is the asking word that one of some words is a form of.
func askingWord(words []string) string { return formOf("asking", words) }

// formOf is the beginning in a list of which one of the words is a form, "" for none.
func formOf(list string, words []string) string {
	for _, w := range words {
		for _, beginning := range wordLists.Of(list) {
			if rest, ok := strings.CutPrefix(w, beginning); ok && (rest == "" || isListed("endings", rest)) {
				return beginning
			}
		}
	}
	return ""
}

// askingPair is the asking word of two that some words begin with.
func askingPair(words []string) string {
	if len(words) > 1 && isListed("pairs", words[0]+"_"+words[1]) {
		return words[0] + " " + words[1]
	}
	return ""
}

// related reports whether two words are forms of one: total and totals, deprecated and deprecation.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	lost := 0 // how many letters of the shorter one an ending may change
	switch {
	case len(a) >= 8:
		lost = 2
	case len(a) >= 6:
		lost = 1
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	return same >= 3 && same >= len(a)-lost && len(b)-same <= 3+lost || a == b
}
