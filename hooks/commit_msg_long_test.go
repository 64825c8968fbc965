package hooks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/repo"
)

// longRepository is a repository with one commit, and the environment in which git runs in it.
func longRepository(t *testing.T) (*repo.Repo, string) {
	t.Helper()
	dir := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000"}
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte("def f():\n    return 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"commit", "-q", "--allow-empty", "-m", "base"}, {"add", "a.py"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	r, err := repo.Open(context.Background(), dir, repo.Options{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r, dir
}

// A message costs what is kept of it, and is judged by its size.
func TestALongMessageIsJudgedByItsBeginning(t *testing.T) {
	const line = "words and words of a message that somebody pasted\n"
	pasted := strings.Repeat(line, 50<<20/len(line))
	const act = "ACT: T01 f\n\nDone: Add f | a.py:1-2\n"
	const scissors = "# ------------------------ >8 ------------------------\n"
	r, dir := longRepository(t)
	for name, c := range map[string]struct {
		message, editor string
		refused         string // what the finding says
		anchored        bool
	}{
		"a plain one":              {"Paste\n\n" + pasted, ":", "", false},
		"an ACT":                   {act + "\n" + pasted, ":", "the message has 524", false},
		"a title beyond":           {"Paste\n\n" + pasted + "\nACT: T01 f\n", ":", "may be an ACT beyond: the message has 524", false},
		"an ACT above a long diff": {act + scissors + pasted, "vi", "", true},
		"an ACT among comments":    {act + "\n" + strings.Repeat("# "+line+line, 100_000), "vi", "the message has", false},
		"comments alone":           {act + strings.Repeat("# "+line, 200_000), "vi", "", false},
	} {
		file := filepath.Join(dir, "message")
		if err := os.WriteFile(file, []byte(c.message), 0o644); err != nil {
			t.Fatal(err)
		}
		getenv := func(key string) string { return map[string]string{"GIT_EDITOR": c.editor}[key] }
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer, err := CommitMsg(context.Background(), r, Call{Args: []string{file}, Getenv: getenv})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := ""
		for _, f := range answer.Results[0].Findings {
			if f.Severity == diag.Error {
				said += f.Message
			}
		}
		if (answer.Code() != 0) != (c.refused != "") || !strings.Contains(said, c.refused) {
			t.Errorf("%s: exit code %d, said %.200q", name, answer.Code(), said)
		}
		if cost := after.TotalAlloc - before.TotalAlloc; !c.anchored && cost > 48<<20 {
			t.Errorf("%s: cost %d bytes", name, cost)
		}
		want := c.message
		if c.anchored {
			want = strings.Replace(want, "a.py:1-2", "a.py:1-2#f", 1)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s: the file has %d bytes and begins %.60q, want %d, %v", name, len(got), got, len(want), err)
		}
	}
}

func TestALongLastMessageIsReadUpToTheLimit(t *testing.T) {
	r, dir := longRepository(t)
	message := "ACT: T01 f\n\n" + strings.Repeat("words\n", 1<<20)
	for _, comments := range []string{"", "# a comment of git's\n# and another\n"} {
		if err := os.WriteFile(filepath.Join(dir, ".git", "COMMIT_EDITMSG"), []byte(message+comments), 0o644); err != nil {
			t.Fatal(err)
		}
		text, rest, _, err := LastMessage(context.Background(), r)
		if err != nil || len(text) != 1<<20 || len(text)+rest.Size != len(message) || !strings.HasPrefix(message, string(text)) {
			t.Errorf("with %q below: %d bytes and %+v, %v", comments, len(text), rest, err)
		}
	}
}
