package main

import (
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/report"
)

// Every command says what it is for, and help.txt speaks of no other.
func TestEveryCommandIsInTheHelp(t *testing.T) {
	left := words()
	var walk func(above string, commands []*cli.Command)
	walk = func(above string, commands []*cli.Command) {
		for _, cmd := range commands {
			name := above + cmd.Name
			if cmd.Usage == "" {
				t.Errorf("%s does not say what it is for", name)
			}
			delete(left, name)
			walk(name+" ", cmd.Subcommands)
		}
	}
	walk("", command{Stdout: report.NewTerminal(nil, false)}.app().Commands)
	for name := range left {
		t.Errorf("help.txt tells of %q, which is no command", name)
	}
}
