package parser

import (
	"path"
	"slices"
	"strings"
)

// The words of items about prose.
var (
	proseNouns = strings.Fields("authors changelog comment comments contributing copyright doc docblock docblocks docs " +
		"docstring docstrings documentation faq godoc grammar javadoc javadocs jsdoc kdoc licence license " +
		"misspelling misspellings phpdoc readme rustdoc spelling tsdoc typo typos wording")
	// proseParts follow a noun of prose: «the license header».
	proseParts = strings.Fields("comment comments correction corrections entries entry error errors example " +
		"examples fix fixes header headers improvement improvements issue issues link links mistake mistakes note " +
		"notes notice page pages section sections string strings text typo typos update updates year years")
	writingVerbs = strings.Fields("add adjust amend change clarify clean complete correct create delete drop edit " +
		"enhance expand extend fix format improve include minor more polish refine reformat remove revise " +
		"rewrite simplify sync tidy touch tweak update write")
	// proseVerbs are verbs whose object is always prose.
	proseVerbs = strings.Fields("clarify describe document documenting explain proofread rephrase reword")
	joinWords  = append([]string{"and", "&", "or"}, prepositions...)
)

// KindOf is the kind of an item without one in the plan: text if a verb of writing has prose as its object, or if it
// names only files of prose; else code. The noun «comment» alone does not make an item prose.
func KindOf(item string) string {
	text := WithoutType(item)
	phrase := strings.NewReplacer(":", ",", ";", ",", " - ", ",", " (", ",").Replace(strings.ToLower(text))
	phrase, _, _ = strings.Cut(phrase, ",")
	words := append(strings.Fields(strings.TrimRight(phrase, ".! ")), "and")
	isProse := func(i int) bool { return i >= 0 && slices.Contains(proseNouns, words[i]) }
	end := slices.IndexFunc(words, func(w string) bool { return slices.Contains(joinWords, w) }) - 1
	switch first := words[0]; {
	case text != item && strings.HasPrefix(strings.ToLower(item), "doc"), slices.Contains(proseVerbs, first),
		first == "comment" && slices.Contains([]string{"a", "each", "how", "on", "out", "the", "what", "why"}, words[1]),
		(slices.Contains(writingVerbs, first) || isProse(0)) && (isProse(end) || end > 0 && isProse(end-1) &&
			slices.Contains(proseParts, words[end])), namesOnlyProse(text):
		return "text"
	}
	return "code"
}

// namesOnlyProse reports whether an item names files of prose, no other, and makes no function.
func namesOnlyProse(item string) bool {
	prose := false
	for _, n := range Names(item) {
		if n.IsFile && !IsProse(n.Text) || n.IsCall && n.IsNew {
			return false
		}
		prose = prose || n.IsFile
	}
	words := append(strings.Fields(item), "and")
	for i, w := range words[:len(words)-1] { // README, and not «the README parser»
		prose = prose || w == strings.ToUpper(w) && IsProse(strings.Trim(w, ".,`")) &&
			slices.Contains(joinWords, strings.ToLower(words[i+1]))
	}
	return prose
}

// IsProse reports whether a file is written for people to read, by its name.
func IsProse(name string) bool {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	return slices.Contains([]string{".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".asciidoc", ".org", ".textile",
		".tex", ".man"}, ext) || ext == "" && slices.Contains([]string{"README", "LICENSE", "LICENCE", "COPYING", "NOTICE",
		"AUTHORS", "CONTRIBUTORS", "CONTRIBUTING", "CHANGELOG", "CHANGES", "HISTORY", "NEWS", "INSTALL"},
		strings.ToUpper(base))
}
