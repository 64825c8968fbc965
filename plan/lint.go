package plan

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/acta-git/acta/parser"
)

// Guide is the recommended form of an item.
const Guide = "[verb] [specific change] in/to [file/class/module]"

// VagueItem is an item that names nothing that evidence could be compared with.
type VagueItem struct {
	// Unit is the key of the unit, Item the item.
	Unit, Item string
	// Line and Column are the place of the item's unit in the file; 0 without a file.
	Line, Column int
}

// String says what the item lacks, and how to write it.
func (v VagueItem) String() string {
	return fmt.Sprintf("%s: «%s» names no file, class or symbol; write it as %s", v.Unit, v.Item, Guide)
}

// Lint lists the vague items of incomplete units, in the order of the plan.
func Lint(root *Unit) []VagueItem {
	var all []VagueItem
	for _, n := range NewIndex(root).Nodes {
		for _, i := range n.Checklist {
			if n.Status != Complete && IsVague(i.Text) {
				all = append(all, VagueItem{Unit: n.Key, Item: i.Text, Line: n.Pos.Line, Column: n.Pos.Column})
			}
		}
	}
	return all
}

//go:embed lint.txt
var lintText []byte

var lintWords = sync.OnceValue(func() map[string][]string { return parser.WordLists(lintText) })

// lexicon is made when the first item is read, for no other command waits for it: the forms in which an item names code
// (quoted, a path or file, a call, a qualified, snake_case or camelCase name, an option, a variable), and a kind of
// code or thing, its first group the word before that.
var lexicon = sync.OnceValues(func() (names *regexp.Regexp, before []*regexp.Regexp) {
	noun := func(list string) string { return `\s+(?:` + strings.Join(lintWords()[list], "|") + `)s?\b` }
	return regexp.MustCompile("`[^`]+`|\"[^\"]+\"|«[^»]+»|“[^”]+”" +
			`|\w/[\w*]|\w/($|[\s,;:.)])|(^|\s)/\w|(^|[\s(])\.\w|\w\.\w|\w\(|_\w|\w_|::|->` +
			`|#\w|(^|\s)--?\w|\$\w|\w\*|\*\w` +
			`|\b(Makefile|Dockerfile|README|CHANGELOG|LICENSE|CONTRIBUTING)\b`), []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b([\pL\pN-]+)` + noun("code")),
			regexp.MustCompile(`(?i)\b(?:in|into|to|from|of|on|inside|within|under)\s+(?:the\s+|our\s+|its\s+)?` +
				`(?:[\pL\pN-]+\s+)*?([\pL\pN-]+)` + noun("thing")),
		}
})

// IsVague reports whether an item names no file, class or symbol: «Implement
// authentication». In doubt an item is taken to name one.
func IsVague(item string) bool {
	names, before := lexicon()
	if names.MatchString(item) {
		return false
	}
	for _, re := range before {
		for _, m := range re.FindAllStringSubmatch(item, -1) {
			if !slices.Contains(lintWords()["filler"], strings.ToLower(m[1])) {
				return false
			}
		}
	}
	for i, w := range strings.FieldsFunc(item, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !parser.IsBrand(w) && (parser.IsMixed(w) || i > 0 && isCapitalized(w)) {
			return false
		}
	}
	return true
}

// isCapitalized reports a name as classes have it; inside a sentence other words are small, and acronyms all large.
func isCapitalized(w string) bool {
	r := []rune(w)
	return len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1])
}
