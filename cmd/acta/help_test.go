package main

import (
	"os"
	"path/filepath"
	"regexp"
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

// An option that an action asks for by its name is one of help.txt.
func TestOptionsAreAskedForByNamesOfTheHelp(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asks := regexp.MustCompile(`\b(?:call|o)\.(?:String|Bool|Int|Duration|StringSlice|IsSet)\("([^"]+)"\)`)
	n := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asks.FindAllStringSubmatch(string(source), -1) {
			if n++; !regexp.MustCompile(`(?m)^--` + m[1] + `[ :]`).Match(helpText) {
				t.Errorf("%s asks for --%s, which help.txt does not have", file, m[1])
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d options are asked for", n)
	}
}
