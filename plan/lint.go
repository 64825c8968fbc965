package plan

import (
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

// namePattern are the forms in which an item names code: quoted, a path or file, a call,
// a qualified, snake_case or camelCase name, an option, a variable.
const namePattern = "`[^`]+`|\"[^\"]+\"|«[^»]+»|“[^”]+”" +
	`|\w/[\w*]|\w/($|[\s,;:.)])|(^|\s)/\w|(^|[\s(])\.\w|\w\.\w|\w\(|_\w|\w_|::|->|#\w|(^|\s)--?\w|\$\w|\w\*|\*\w` +
	`|\b(Makefile|Dockerfile|README|CHANGELOG|LICENSE|CONTRIBUTING)\b`

// codeNouns follow a name: «the login function».
const codeNouns = `(class|module|file|package|function|method|struct|interface|component|script|command|subcommand|` +
	`table|column|index|endpoint|route|handler|middleware|decorator|hook|migration|trait|enum|crate|namespace|` +
	`flag|option|macro|fixture|parser)s?`

// thingNouns are less sure to be code, and count after a preposition: «to the settings page».
const thingNouns = `(page|form|view|model|service|controller|schema|template|workflow|job|section|screen|dialog|` +
	`menu|header|footer|config|configuration|manifest|pipeline|store|client|server|worker|queue|` +
	`cache|library|guide|chapter|suite)s?`

// fillerWords are words before «function» or «page» that do not say which.
var fillerWords = strings.Fields(`
	a an the this that these those some any all every each both other another new old existing current
	main more several many few needed necessary required relevant missing remaining broken unused
	various respective appropriate implement add create build make write fix refactor improve update
	remove delete test support handle use clean and or of for to in with own our their its helper
	utility`)

// lexicon is made when the first item is read, for no other command waits for it: the forms of names, and a kind of
// code or thing, its first group the word before that.
var lexicon = sync.OnceValues(func() (names *regexp.Regexp, before []*regexp.Regexp) {
	return regexp.MustCompile(namePattern), []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b([\pL\pN-]+)\s+` + codeNouns + `\b`),
		regexp.MustCompile(
			`(?i)\b(?:in|into|to|from|of|on|inside|within|under)\s+(?:the\s+|our\s+|its\s+)?` +
				`(?:[\pL\pN-]+\s+)*?([\pL\pN-]+)\s+` + thingNouns + `\b`),
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
			if !slices.Contains(fillerWords, strings.ToLower(m[1])) {
				return false
			}
		}
	}
	for i, w := range strings.FieldsFunc(item, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !slices.Contains(parser.Brands, strings.ToLower(w)) && (parser.IsMixed(w) || i > 0 && isCapitalized(w)) {
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
