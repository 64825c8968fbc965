package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands that these sections of pages show print what is shown there, times and commits aside. before holds what
// happens unseen before the n-th block of commands.
func TestTrailPagesShowWhatIsPrinted(t *testing.T) {
	for page, before := range map[string][]string{
		"plan.md ## Leases": {"", ""},
		"worklog.md ## The audit log": {"acta plan lease T01 --actor executor-01; acta plan lease T01 --actor executor-02; acta install; " +
			"git commit -q --allow-empty -F ../message", ""},
		"score.md": {"printf 'def login(session, user):\\n    session.user = user\\n' >src/auth.py; git add .; " +
			"git commit -q -m 'ACT: T01 login\n\nDone: Add login() | src/auth.py:1-2\nDone: Open a session | src/auth.py:2\nActor: executor-01\n'; " +
			"printf '\\n\\ndef logout(session):\\n    pass\\n' >>src/auth.py; git add .; " +
			"git commit -q -m 'ACT: T02 logout\n\nDone: Add logout() | src/auth.py:5-6\nActor: executor-02\n'"},
		"plan.md ## Commands": {"acta plan add ROOT --id M01 --description 'People can log in'; acta plan add M01 --id S01 --description Sessions; " +
			"acta plan add S01 --id T01 --description 'Login against the session store' --item 'Add login() to src/auth.py'; " +
			"acta plan add S01 --id T02 --description Logout --item 'Add logout() to src/auth.py'; git commit -q -a -m 'ADAPT: ROOT the plan'",
			"git commit -q -a -m 'ADAPT: S01 more'; printf 'def login(session, user):\\n    session.user = user\\n' >src/auth.py; git add .; " +
				"git commit -q -m 'ACT: T01 login\n\nDone: Add login() to src/auth.py | src/auth.py:1-2\n'"},
	} {
		t.Run(page, func(t *testing.T) {
			home := t.TempDir()
			shell := trailShell(t, home)
			file, heading, _ := strings.Cut(page, " ")
			text := readPage(t, "docs/"+file)
			if heading != "" {
				text = section(t, text, heading)
			}
			blocks := regexp.MustCompile("(?s)```\n(\\$ .*?)```").FindAllSubmatch(text, -1)
			if len(blocks) != len(before) {
				t.Fatalf("%d blocks of commands", len(blocks))
			}
			for i, b := range blocks {
				shell(before[i])
				var printed strings.Builder
				for line := range strings.Lines(string(b[1])) {
					if command, ok := strings.CutPrefix(line, "$ "); ok {
						printed.WriteString(line + shell(command))
					}
				}
				if got, want := timeless(printed.String()), timeless(string(b[1])); got != want {
					t.Errorf("the page shows\n%s\nand printed is\n%s", want, got)
				}
			}
		})
	}
}

// readPage is a page of the project, by its path from the top.
func readPage(t *testing.T, name string) []byte {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// section is what stands on a page below a heading, up to the next one as high.
func section(t *testing.T, page []byte, heading string) []byte {
	t.Helper()
	_, below, found := bytes.Cut(page, []byte("\n"+heading+"\n"))
	if !found {
		t.Fatalf("there is no %q", heading)
	}
	text, _, _ := bytes.Cut(below, []byte("\n## "))
	return text
}

func timeless(s string) string {
	s = regexp.MustCompile(`\b[0-9a-f]{12}\b`).ReplaceAllString(s, "COMMIT")
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`).ReplaceAllString(s, "TIME")
}

// trailShell makes the repository of the pages, and returns what runs a command line there and what it prints.
func trailShell(t *testing.T, home string) func(line string) string {
	acta, dir := actaCommand(t), filepath.Join(home, "r")
	shell := func(line string) string {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), append(gitEnv(home), "PATH="+filepath.Dir(acta)+":"+os.Getenv("PATH"))...)
		out, _ := cmd.CombinedOutput() // what it prints says whether it went well
		return string(out)
	}
	for path, text := range map[string]string{
		"message":       "ACT: T01 logout\n\nDone: Add logout() | src/auth.py:1-2\nActor: executor-01\n",
		"r/src/auth.py": "def logout(session):\n    pass\n",
		"r/working_plan/current.json": `{"id": "ROOT", "children": [{"id": "M01", "children": [
			{"id": "S01", "children": [{"id": "T01"}, {"id": "T02"}]}]}]}`,
	} {
		file := filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out := shell("git init -q -b main && git add . && git commit -q -m Base"); out != "" {
		t.Fatal(out)
	}
	return shell
}
