package parser

import (
	"path"
	"slices"
	"strings"
)

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
