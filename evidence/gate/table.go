package gate

import (
	"slices"
	"strings"
	"sync"
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
