package main

import (
	"os"

	"golang.org/x/term"

	"github.com/acta-git/acta/diag"
)

// terminal is the writer that a command's text goes through, with colour where a person looks at it (no-color.org).
func terminal(f *os.File, getenv func(string) string) *diag.Terminal {
	return diag.NewTerminal(f, getenv("NO_COLOR") == "" && isTerminal(f, getenv))
}

// isTerminal reports whether a file is a terminal that knows colour, and whose lines can be redrawn.
func isTerminal(f *os.File, getenv func(string) string) bool {
	return getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
