package check

import (
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// CommandLine is the command line by which a shell runs a program with these arguments.
func CommandLine(words []string) string {
	line := slices.Clone(words)
	for i, w := range words {
		special := strings.IndexFunc(w, isSpecial) >= 0 || w == "" || i == 0 && isAssignment(w)
		// An error is a NUL, which no argument can hold.
		if quoted, err := syntax.Quote(w, syntax.LangBash); special && err == nil {
			line[i] = quoted
		}
	}
	return strings.Join(line, " ")
}

// isSpecial reports what may mean something to a shell within a word.
func isSpecial(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_@%+=:,./-", r)
}
