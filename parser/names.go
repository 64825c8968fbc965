package parser

import (
	_ "embed"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/report"
)

// Name is a file, a symbol of code or a route that the text of an item names.
type Name struct {
	Text string
	// IsFile is set for a file's name, IsRoute for an address. IsCall: it is written with parentheses, login().
	IsFile, IsRoute, IsCall bool
	// IsSure: it certainly means code: login(), user_id, a name in backticks, src/auth.py. GitHub may be prose; such a
	// name counts only if something has it.
	IsSure bool
	// IsObject: it is before the first preposition. IsNew: and the item says that it is new, «Add NAME …».
	IsObject, IsNew bool
	// IsInside: it directly follows «in», «to» or the like.
	IsInside bool
}

// Names returns the names in an item's text that differ from prose: paths, name(), words in backticks, Owner.member,
// CamelCase, snake_case and routes.
func Names(item string) []Name {
	var names []Name
	isCreation, object, inside := IsCreation(item), true, false
	for word, quoted := range itemWords(item) {
		lower := strings.ToLower(word)
		if n, ok := nameOf(word, quoted); ok {
			n.IsObject, n.IsNew, n.IsInside = object, object && isCreation, inside
			names = append(names, n)
		}
		object = object && (quoted || !isListed("prepositions", lower))
		inside = slices.Contains([]string{"in", "inside", "into", "to", "within"}, lower) ||
			inside && (lower == "the" || lower == "a")
	}
	return names
}

// itemWords are the words of an item without its type; a text in backticks is one word.
func itemWords(item string) iter.Seq2[string, bool] {
	return func(yield func(word string, quoted bool) bool) {
		parts := strings.Split(WithoutType(item), "`")
		for i, part := range parts {
			if quoted := i%2 == 1 && i < len(parts)-1; quoted {
				if !yield(part, true) {
					return
				}
				continue
			}
			for word := range strings.FieldsFuncSeq(part, func(r rune) bool {
				return unicode.IsSpace(r) || strings.ContainsRune(",;|«»“”\"", r)
			}) {
				if !yield(word, false) {
					return
				}
			}
		}
	}
}

func nameOf(word string, isQuoted bool) (Name, bool) {
	head, arguments, isCall := strings.Cut(strings.TrimLeft(word, "([{<*&@'"), "(")
	_, rest, _ := strings.Cut(arguments, ")")
	if isCall && (strings.TrimFunc(rest, unicode.IsPunct) != "" ||
		slices.Contains([]string{"s", "es"}, strings.TrimRight(arguments, ").:!?"))) {
		return Name{}, false // H(P)EXPIRE, file(s)
	}
	if head = strings.TrimRight(head, ".:!?')]>*"); isCall {
		head = strings.TrimLeft(head, ".")
	}
	n := Name{Text: head, IsCall: isCall, IsSure: isCall || isQuoted}
	switch {
	case !isCall && !isQuoted && IsBrand(head):
		return n, false
	case !isCall && len(head) > 2 && head[0] == '/' && unicode.IsLetter(rune(head[1])):
		n.IsRoute, n.IsSure = true, false
	case !isCall && isFileName(head):
		stem, isScript := strings.CutSuffix(head, ".js") // Ember.js
		n.IsFile, n.IsSure = true, isListed("extensions", extension(head)) &&
			!(isScript && unicode.IsUpper(rune(stem[0])) && isPlain(stem))
	case !isSymbol(head):
		return n, false
	case n.IsSure, strings.ContainsAny(head, ":#>"), strings.Contains(strings.Trim(head, "_"), "_"):
		n.IsSure = true
	case strings.Contains(head, "."):
		short := func(part string) bool { return len(part) < 2 } // e.g
		return n, !slices.ContainsFunc(strings.Split(head, "."), short)
	default:
		return n, IsMixed(head)
	}
	return n, true
}

func extension(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }

// isFileName reports whether a word is the name of a file: it has a folder, or an extension that files have.
func isFileName(name string) bool {
	base, ext := path.Base(name), extension(name)
	if strings.HasSuffix(name, "/") || strings.ContainsFunc(name, func(r rune) bool {
		return !isNamePart(r) && !strings.ContainsRune("./-+@", r)
	}) {
		return false
	}
	return strings.Contains(name, "/") || isListed("extensions", ext) && len(base) > len(ext)+1 ||
		strings.EqualFold(base, "."+ext) && len(ext) > 2 && !IsMixed(base) && !strings.Contains(base, "_") || // .gitignore
		isListed("files", base)
}

func isNamePart(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func isPlain(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !isNamePart(r) })
}

// isSymbol reports whether a word is a name of code, its parts parted by ., ::, # or ->.
func isSymbol(word string) bool {
	parts := strings.Split(strings.NewReplacer("::", ".", "->", ".", "#", ".").Replace(word), ".")
	return !slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || unicode.IsDigit(rune(part[0])) || !isPlain(part)
	})
}

// IsMixed reports a capital behind a small letter: userId, AuthService.
func IsMixed(word string) bool {
	small := strings.IndexFunc(word, unicode.IsLower)
	return small >= 0 && strings.ContainsFunc(word[small:], unicode.IsUpper)
}

// itemNumber is what an item may begin with, so that others can refer to it: T3, PAY-12:, #7 or 2.
var itemNumber = report.LazyRegexp(`^(?:[A-Za-z]{1,6}-?\d+(?:[.-]\d+)*[a-z]?[:)]?|#\d+|\d+[.:)])\s+`)

func withoutNumber(item string) string { return itemNumber().ReplaceAllString(item, "") }

// WithoutType is an item without its number, its type and its scope: «T3 feat(cli): add f» becomes «add f».
func WithoutType(item string) string {
	item = withoutNumber(item)
	before, rest, found := strings.Cut(item, ":")
	kind, _, _ := strings.Cut(strings.TrimSuffix(before, "!"), "(")
	if found && isListed("types", strings.ToLower(strings.TrimSpace(kind))) {
		return strings.TrimSpace(rest)
	}
	return item
}

// IsCreation reports whether an item begins by saying that something new is made.
func IsCreation(item string) bool {
	for word := range itemWords(item) {
		return isListed("creation verbs", strings.ToLower(word))
	}
	return false
}

// KindOf is the kind of an item without one in the plan: text if a verb of writing has prose as its object, or if it
// names only files of prose; else code. The noun «comment» alone does not make an item prose.
func KindOf(item string) string {
	item = withoutNumber(item) // DOC-12 says nothing of documents
	text := WithoutType(item)
	phrase := strings.NewReplacer(":", ",", ";", ",", " - ", ",", " (", ",").Replace(strings.ToLower(text))
	phrase, _, _ = strings.Cut(phrase, ",")
	words := append(strings.Fields(strings.TrimRight(phrase, ".! ")), "and")
	isProse := func(i int) bool { return i >= 0 && isListed("prose nouns", words[i]) }
	end := slices.IndexFunc(words, isJoin) - 1
	switch first := words[0]; {
	case text != item && strings.HasPrefix(strings.ToLower(item), "doc"), isListed("prose verbs", first),
		first == "comment" && isListed("words after comment", words[1]),
		(isListed("writing verbs", first) || isProse(0)) && (isProse(end) || end > 0 && isProse(end-1) &&
			isListed("prose parts", words[end])), namesOnlyProse(text):
		return "text"
	}
	return "code"
}

// MentionsProse reports whether an item names prose, or the writing of it: «Fixed typos», «More docs for f».
func MentionsProse(item string) bool {
	for word := range itemWords(item) {
		w := strings.ToLower(strings.Trim(word, ".:!?()[]"))
		if isListed("prose nouns", w) || isListed("prose verbs", w) {
			return true
		}
	}
	return KindOf(item) == "text"
}

func isJoin(word string) bool { return isListed("join words", word) || isListed("prepositions", word) }

// namesOnlyProse reports whether an item is about files of prose, names no other, and makes no function. Of 76,697
// subjects in 27 public repositories 6,414 are of prose; 54 name a file of it in passing, as in «… as README.md says».
func namesOnlyProse(item string) bool {
	prose := false
	for _, n := range Names(item) {
		if n.IsFile && !IsProse(n.Text) || n.IsCall && n.IsNew {
			return false
		}
		prose = prose || n.IsFile && (n.IsObject || n.IsInside)
	}
	words := append(strings.Fields(item), "and")
	for i, w := range words[:len(words)-1] { // README, and not «the README parser»
		prose = prose || w == strings.ToUpper(w) && IsProse(strings.Trim(w, ".,`")) &&
			isJoin(strings.ToLower(words[i+1]))
	}
	return prose
}

// IsProse reports whether a file is written for people to read, by its name.
func IsProse(name string) bool {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	return isListed("prose extensions", ext) || ext == "" && isListed("prose files", strings.ToUpper(base))
}

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
