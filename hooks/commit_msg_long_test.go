package hooks

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

// A message costs what is kept of it, and is judged by its size.
func TestALongMessageIsJudgedByItsBeginning(t *testing.T) {
	const line = "words and words of a message that somebody pasted\n"
	pasted := strings.Repeat(line, 50<<20/len(line))
	const act = "ACT: T01 f\n\nDone: Add f | a.py:1-2\n"
	const scissors = "# ------------------------ >8 ------------------------\n"
	w, r := newRepository(t)
	stage(w, "a.py", "def f():\n    return 1\n")
	for name, c := range map[string]struct {
		message, editor string
		refused         string // what the finding says
	}{
		"a plain one":              {"Paste\n\n" + pasted, ":", ""},
		"an ACT":                   {act + "\n" + pasted, ":", "the message has 524"},
		"a title beyond":           {"Paste\n\n" + pasted + "\nACT: T01 f\n", ":", "the rest may be an ACT: the message has 524"},
		"an ACT above a long diff": {act + scissors + pasted, "vi", ""},
		"an ACT among comments":    {act + "\n" + strings.Repeat("# "+line+line, 100_000), "vi", "the message has"},
		"comments alone":           {act + strings.Repeat("# "+line, 200_000), "vi", ""},
	} {
		file := filepath.Join(w.Dir, "message")
		if err := os.WriteFile(file, []byte(c.message), 0o644); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer, err := CommitMsg(context.Background(), r, call(w, map[string]string{"GIT_EDITOR": c.editor}, file))
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := ""
		for _, f := range answer.Results[0].Findings {
			if f.Severity == report.Error {
				said += f.Message
			}
		}
		if (answer.Code() != 0) != (c.refused != "") || !strings.Contains(said, c.refused) {
			t.Errorf("%s: exit code %d, said %.200q", name, answer.Code(), said)
		}
		if cost := after.TotalAlloc - before.TotalAlloc; name != "an ACT above a long diff" && cost > 48<<20 {
			t.Errorf("%s: cost %d bytes", name, cost)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != c.message {
			t.Errorf("%s: the file has %d bytes and begins %.60q, want %d, %v", name, len(got), got, len(c.message), err)
		}
	}
}

func TestALongLastMessageIsReadUpToTheLimit(t *testing.T) {
	w, r := newRepository(t)
	message := "ACT: T01 f\n\n" + strings.Repeat("words\n", 1<<20)
	for _, comments := range []string{"", "# a comment of git's\n# and another\n"} {
		if err := os.WriteFile(filepath.Join(w.CommonDir(), "COMMIT_EDITMSG"), []byte(message+comments), 0o644); err != nil {
			t.Fatal(err)
		}
		text, rest, _, err := LastMessage(context.Background(), r)
		if err != nil || len(text) != 1<<20 || len(text)+rest.Size != len(message) || !strings.HasPrefix(message, string(text)) {
			t.Errorf("with %q below: %d bytes and %+v, %v", comments, len(text), rest, err)
		}
	}
}
