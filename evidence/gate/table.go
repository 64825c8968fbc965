package gate

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

// The tables of this package: each says at its head what its lines are.
var (
	//go:embed demands.txt
	demandsText string
	//go:embed options.txt
	optionsText string
	//go:embed patterns.txt
	patternsText string
	//go:embed purposes.txt
	purposesText string
	//go:embed settings.txt
	settingsText string
	//go:embed suppressions.txt
	suppressionsText string
	//go:embed tools.txt
	toolsText string

	demandRows, optionRows, settingRows = rowsOf(&demandsText), rowsOf(&optionsText), rowsOf(&settingsText)
	toolRows                            = rowsOf(&toolsText)
	purposes, suppressions              = patternsOf(&purposesText), patternsOf(&suppressionsText)
	patterns                            = patternsOf(&patternsText)
)

// rows are the lines of a table by their words; a line that begins with # is a comment. They are made when they are
// first asked for.
type rows func() [][]string

// rowsOf are those of an embedded text.
func rowsOf(text *string) rows {
	return sync.OnceValue(func() (all [][]string) {
		for line := range strings.Lines(*text) {
			if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
				all = append(all, words)
			}
		}
		return all
	})
}

// has reports whether a row of a kind has a word behind its first two.
func (r rows) has(kind, word string) bool {
	return slices.ContainsFunc(r(), func(row []string) bool { return row[0] == kind && slices.Contains(row[2:], word) })
}

// pattern is an entry of a table of expressions: what it is called, or for, and what it matches.
type pattern struct {
	name string
	lang.Pattern
}

// patternsOf are those of an embedded text, in its order.
func patternsOf(text *string) func() []pattern {
	return sync.OnceValue(func() (all []pattern) {
		for _, w := range lang.Table(*text) {
			all = append(all, pattern{strings.TrimSuffix(w.Word, ":"), lang.Lazy(strings.Join(w.When, ""))})
		}
		return all
	})
}

// patternOf is an entry of patterns.txt, which must be there.
func patternOf(name string) lang.Pattern {
	return patterns()[slices.IndexFunc(patterns(), func(p pattern) bool { return p.name == name })].Pattern
}

// fits reports whether a text is as an entry of patterns.txt says.
func fits(name, text string) bool { return patternOf(name).MatchString(text) }

// isCalled reports whether a file is called as one of some patterns says, in which * stands for any text. It is asked
// of every file of a tree, so that it looks at the first letter before it looks at the rest.
func isCalled(file string, names []string) bool {
	return slices.ContainsFunc(names, func(pattern string) bool {
		if file == "" || pattern[0] != '*' && pattern[0] != file[0] {
			return false
		}
		ok, err := path.Match(pattern, file)
		return ok && err == nil
	})
}

// holdsSettings reports whether a file of a name holds settings.
func holdsSettings(file string) bool {
	return slices.ContainsFunc(settingRows(), func(row []string) bool { return row[0] != "-" && isCalled(file, row[2:]) })
}

// isManifest reports whether a path is that of a manifest.
func isManifest(name string) bool {
	file := strings.ToLower(path.Base(name))
	return slices.ContainsFunc(settingRows(), func(row []string) bool { return row[0] == "-" && isCalled(file, row[2:]) })
}

// suppressed is what a source of a path is suppressed by.
func suppressed(name string) lang.Pattern {
	for _, s := range suppressions() {
		if isCalled(path.Base(name), strings.Fields(s.name)) {
			return s.Pattern
		}
	}
	return lang.Pattern{}
}
