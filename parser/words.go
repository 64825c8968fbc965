package parser

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// WordLists reads lists of words, each a file of a txtar archive.
func WordLists(archive []byte) map[string][]string {
	all := map[string][]string{}
	for _, list := range txtar.Parse(archive).Files {
		all[list.Name] = strings.Fields(string(list.Data))
	}
	return all
}

//go:embed words.txt
var wordsText []byte

var wordLists = sync.OnceValue(func() map[string][]string { return WordLists(wordsText) })

func isListed(list, word string) bool { return slices.Contains(wordLists()[list], word) }

// IsBrand reports whether a word is spelled like a name of code and is none: GitHub.
func IsBrand(word string) bool { return isListed("brands", strings.ToLower(word)) }
