package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/report"
)

// The refusal that README.md shows is what the demo prints.
func TestReadmeShowsWhatTheDemoPrints(t *testing.T) {
	readme := readPage(t, "README.md")
	_, after, found := bytes.Cut(readme, []byte("## What a refusal looks like\n\n```\n"))
	shown, _, ends := bytes.Cut(after, []byte("```\n"))
	if !found || !ends || bytes.Count(shown, []byte("\n")) < 5 {
		t.Fatal("README.md shows no refusal")
	}
	cmd := exec.Command(actaCommand(t), "demo")
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	printed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(printed, shown) {
		t.Errorf("README.md shows\n%s\nand the demo prints\n%s", shown, printed)
	}
	for _, command := range []string{"go run ./cmd/acta demo", "go test ./..."} {
		if !strings.Contains(string(readme), command) {
			t.Errorf("README.md does not name %q", command)
		}
	}
}

// The minute of README.md ends with a refusal; then a lie is refused, and honest work passes.
func TestReadmesMinuteIsRefused(t *testing.T) {
	readme := readPage(t, "README.md")
	minute := regexp.MustCompile("(?s)```sh\n(\\./install\\.sh [^\n]*\ncd [^\n]*\n)(.*?)```").FindSubmatch(readme)
	if minute == nil {
		t.Fatal("README.md shows no minute")
	}
	shell := trailShell(t, t.TempDir())
	shell("git rm -q -r working_plan && git commit -q -m 'No plan'")
	if out := shell(string(minute[2])); !strings.Contains(out, "[checklist_evidence_empty_impl]") || !strings.Contains(out, "the commit was refused") {
		t.Errorf("the minute prints\n%s", out)
	}
	commit := "git add greet.py; git commit -m 'ACT: T01 greet' -m 'Done: Add greet() | greet.py:1-2' || echo refused\n"
	if out := shell("printf 'def greet():\\n    pass\\n' >greet.py\n" + commit); !strings.HasSuffix(out, "refused\n") {
		t.Errorf("a lie is not refused:\n%s", out)
	}
	if out := shell("printf 'def greet():\\n    return \"Welcome\"\\n' >greet.py\n" + commit + "git log -1 --format=%s"); !strings.HasSuffix(out, "ACT: T01 greet\n") {
		t.Errorf("honest work is refused:\n%s", out)
	}
}

// README.md names every command, but for those of the command line itself and what git's hooks call.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme := readPage(t, "README.md")
	commands := command{Stdout: report.NewTerminal(nil, false)}.app().Commands
	for _, cmd := range commands {
		if cmd.Hidden || slices.Contains([]string{"hook", "help", "version", "completion"}, cmd.Name) {
			continue
		}
		if !regexp.MustCompile(`\bacta ` + cmd.Name + `\b`).Match(readme) {
			t.Errorf("README.md does not name `acta %s`", cmd.Name)
		}
	}
	if len(commands) < 20 {
		t.Fatalf("acta has %d commands", len(commands))
	}
}

// What these pages show of a script is a file of it, which the script holds to what is printed.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	for _, shows := range []struct {
		page, script string
		files        []string
	}{
		{"evidence", "drift", []string{"claims"}},
		{"worklog", "heartbeat", []string{"tasks", "policy", "next", "verdicts"}},
	} {
		page := readPage(t, "docs/"+shows.page+".md")
		archive, err := txtar.ParseFile("testdata/script/" + shows.script + "_page.txtar")
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, f := range archive.Files {
			if !slices.Contains(shows.files, f.Name) { // a page need not show what it is about
				continue
			}
			shown++
			if !bytes.Contains(page, slices.Concat([]byte("\n"), f.Data, []byte("```\n"))) {
				t.Errorf("docs/%s.md does not show %s:\n%s", shows.page, f.Name, f.Data)
			}
		}
		if shown != len(shows.files) {
			t.Fatalf("%s_page.txtar has %d of the files %q", shows.script, shown, shows.files)
		}
	}
}

// What the pages link to, and the files that CONTRIBUTING.md names, is there.
func TestPagesLeadSomewhere(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	link, named := regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`), regexp.MustCompile("`([a-z._-]+/[a-z/_.-]+)`")
	for _, page := range append(pages, "../../README.md", "../../CHANGELOG.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		leads := link.FindAllSubmatch(text, -1)
		if filepath.Base(page) == "CONTRIBUTING.md" {
			leads = append(leads, named.FindAllSubmatch(text, -1)...)
		}
		for _, l := range leads {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), string(l[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
