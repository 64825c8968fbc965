package gate

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

// The tables of this package; their heads explain their lines.
var (
	//go:embed demands.txt options.txt settings.txt tools.txt
	tables                 embed.FS
	demandRows, optionRows = rowsOf("demands.txt"), rowsOf("options.txt")
	settingRows, toolRows  = rowsOf("settings.txt"), rowsOf("tools.txt")

	//go:embed purposes.txt
	purposesText string
	//go:embed suppressions.txt
	suppressionsText string
	//go:embed patterns.txt
	patternsText string

	purposes     = lang.Patterns{Text: &purposesText}
	suppressions = lang.Patterns{Text: &suppressionsText}
	patterns     = lang.Patterns{Text: &patternsText}

	fits, patternOf = patterns.Fits, patterns.Named
)

// rows are the lines of a table as words, without comments.
type rows func() [][]string

func rowsOf(name string) rows {
	return sync.OnceValue(func() (all [][]string) {
		text, _ := tables.ReadFile(name) // embedded
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
				all = append(all, words)
			}
		}
		return all
	})
}

// has reports whether a row of a kind has a word after its first two.
func (r rows) has(kind, word string) bool {
	return slices.ContainsFunc(r(), func(row []string) bool { return row[0] == kind && slices.Contains(row[2:], word) })
}

// matchesName reports whether a pattern matches a file's name. It is called for every file: first and last letters are
// compared first.
func matchesName(file string, names []string) bool {
	differs := func(pattern, letter byte) bool { return pattern != letter && strings.IndexByte("*?[]", pattern) < 0 }
	return slices.ContainsFunc(names, func(pattern string) bool {
		if file == "" || differs(pattern[0], file[0]) || differs(pattern[len(pattern)-1], file[len(file)-1]) {
			return false
		}
		ok, err := path.Match(pattern, file)
		return ok && err == nil
	})
}

func settingRowsOf(name string) (all [][]string) {
	for _, row := range settingRows() {
		if row[0] != "-" && matchesName(path.Base(name), row[2:]) {
			all = append(all, row)
		}
	}
	return all
}

// IsManifest reports whether a path is that of a manifest.
func IsManifest(name string) bool {
	file := strings.ToLower(path.Base(name))
	return slices.ContainsFunc(settingRows(), func(row []string) bool {
		return row[0] == "-" && matchesName(file, row[2:])
	})
}

func suppressionPattern(name string) lang.Pattern {
	for _, s := range suppressions.All() {
		if matchesName(path.Base(name), strings.Fields(s.Name)) {
			return s.Pattern
		}
	}
	return lang.Pattern{}
}
