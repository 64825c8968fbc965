package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/repotest"
)

// TestWhatShowsThatABoxIsDone ticks the box 1.1 of a plan in Markdown, in a commit that reports nothing.
func TestWhatShowsThatABoxIsDone(t *testing.T) {
	const (
		tasks  = "openspec/changes/login/tasks.md"
		auth   = "src/auth.py"
		login  = "def login(user, word):\n    return user.check(word)\n"
		logout = "def logout(user):\n    user.session.close()\n"
	)
	box := func(mark, text string) string { return "## 1. Login\n\n- [" + mark + "] 1.1 " + text + "\n" }
	for name, c := range map[string]struct {
		text   string
		before []string // files of a commit between the plan and the tick
		staged []string
		want   string
	}{
		"the file that it names changes": {"Fix `login()` in src/auth.py", nil, []string{auth, strings.ReplaceAll(login, "word", "secret")},
			"verified src/auth.py:1-2#login"},
		"only a comment of it changes": {"Fix src/auth.py", nil, []string{auth, "# Who is it?\n" + login},
			"unclear the code that it names changes only in comments or removed lines"},
		"only a comment of what it creates changes": {"Implement src/auth.py", nil, []string{auth, "# Who is it?\n" + login},
			"not_verified src/auth.py:1"},
		"its function is a stub": {"Implement `login()` in src/auth.py", nil, []string{auth, "def login(user, word):\n    pass\n"},
			"not_verified src/auth.py:1-2#login"},
		"another file changes": {"Fix src/auth.py", nil, []string{"src/other.py", logout},
			"unclear no commit since the box was last touched changes the code that it names"},
		"a file in its detail": {"Let people in\n  in src/auth.py", nil, []string{auth, login + logout}, "verified src/auth.py:3-4#logout"},
		"an earlier commit":    {"Add `logout()` to src/auth.py", []string{auth, login + logout}, nil, "verified src/auth.py:3-4#logout"},
		"its file is missing":  {"Create src/missing.py", nil, nil, "not_verified src/missing.py"},
		"its file is removed":  {"Remove src/auth.py", nil, []string{auth, ""}, "verified -src/auth.py"},
		"nothing is named":     {"Tell users of it", nil, nil, "unclear it names no file or symbol"},
		"a text":               {"Write docs/login.md", nil, []string{"docs/login.md", "People log in with a word.\n"}, "verified docs/login.md:1"},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", ".acta.yaml", "plan: [\"openspec/changes/*/tasks.md\"]\n", tasks, box(" ", c.text), auth, login)
			if c.before != nil {
				g.Commit("Work\n", c.before...)
			}
			g.Stage(append(c.staged, tasks, box("x", c.text))...)
			found, err := judgeStaged(t, g, nil, "Tick it\n")
			if err != nil || len(found.Verdicts) != 1 {
				t.Fatalf("%+v, %v", found, err)
			}
			v := found.Verdicts[0]
			got := strings.TrimSpace(fmt.Sprintf("%v %s", v.Verdict, v.Evidence))
			if v.Evidence == "" {
				got += " " + v.Reason
			}
			if strings.TrimSpace(got) != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, found.Findings)
			}
		})
	}
}
