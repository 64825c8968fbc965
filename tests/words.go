package tests

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed words.txt
var wordsText string

// wordLists are the lists of words.txt by their names. They are read when one is first asked for: a command that
// compares no tests must not pay for it when it starts.
var wordLists = sync.OnceValue(func() map[string][]string { return language.Lists(wordsText) })

// wordSets are the lists as sets.
var wordSets = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for name, list := range wordLists() {
		all[name] = setOf(strings.Join(list, " "))
	}
	return all
})

// listed is a list of words.txt, in its order.
func listed(name string) []string { return wordLists()[name] }

// isListed reports whether a list of words.txt has a word.
func isListed(name, word string) bool { return wordSets()[name][word] }
