package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// The commands that docs/worklog.md shows print what the page shows, but for times, ids and commits.
func TestWorklogPageShowsWhatIsPrinted(t *testing.T) {
	home := t.TempDir()
	shell := trailShell(t, home)
	page := readPage(t, "docs/worklog.md")
	shown := regexp.MustCompile("(?s)```\n(\\$ .*?)```").FindSubmatch(page)
	if shown == nil {
		t.Fatal("the page shows no commands")
	}
	code := filepath.Join(home, "r", "src", "auth.py")
	if err := os.WriteFile(code, []byte("def logout(session):\n    session.close()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	shell("acta install; git add src")
	// A shell for all of them: they set a variable.
	script, want := "", ""
	for line := range strings.Lines(string(shown[1])) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			script += command
		} else {
			want += line
		}
	}
	got := shell("set -e\nunset GIT_AUTHOR_DATE GIT_COMMITTER_DATE\n" + script)
	for pattern, word := range map[string]string{
		`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`: "TIME", `\d{8}_\d{6}-[0-9a-f]{4}`: "SESSION", `\b[0-9a-f]{12}\b`: "COMMIT", `\d+ s\n`: "0 s\n",
	} {
		got = regexp.MustCompile(pattern).ReplaceAllString(got, word)
	}
	if got != want || strings.Count(want, "\n") < 5 {
		t.Errorf("the page shows\n%s\nand printed is\n%s", want, got)
	}

	// The record, and what commits alone tell in a clone, hold to the schema.
	schema := published(t, "worklog")
	shell("git clone -q . clone")
	for _, call := range []string{"acta worklog show", "cd clone && acta worklog show"} {
		for _, format := range []string{"json", "yaml"} {
			printed := shell(call + " --format " + format)
			var v any
			if err := yaml.Unmarshal([]byte(printed), &v); err != nil { // JSON is YAML, too
				t.Fatalf("%v\n%s", err, printed)
			}
			if err := schema.Validate(v); err != nil || strings.Count(printed, "verified") == 0 {
				t.Errorf("%s --format %s: %v\n%s", call, format, err, printed)
			}
		}
	}
}
