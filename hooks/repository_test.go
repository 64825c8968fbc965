package hooks

import (
	"path/filepath"
	"testing"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/repotest"
)

// What the tests stage: code that holds a claim, and code that does not.
const (
	written = "def f(x):\n    y = x + 1\n    return y\n"
	stub    = "def f(x):\n    pass\n"

	claim  = "ACT: T01 add f\n\nDone: add f | f.py:1-3\n"
	hollow = "ACT: T01 add f\n\nDone: add f | f.py:1-2\n"
)

// newRepository is a repository with one commit, and its reader.
func newRepository(t *testing.T) (*repotest.WorkTree, *repo.Repo) {
	t.Helper()
	w := repotest.NewWorkTree(t)
	w.Write("note", "1\n")
	w.Commit("Base")
	return w, open(t, w.Dir)
}

// open reads a repository as it is now.
func open(t *testing.T, dir string) *repo.Repo {
	t.Helper()
	r, err := repo.Open(t.Context(), dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// call is how git calls a hook, in an environment of a few variables; GIT_DIR is the repository's.
func call(w *repotest.WorkTree, env map[string]string, args ...string) Call {
	c := Call{Args: args, Env: program.Env{"GIT_DIR=" + w.CommonDir()}}
	for name, value := range env {
		c.Env = append(c.Env, name+"="+value)
	}
	return c
}

// byM is the environment of `git commit -m`: no editor opens, and git has cleaned the message.
var byM = map[string]string{"GIT_EDITOR": ":"}

// messageFile writes the file in which git hands over a message, and names it.
func messageFile(w *repotest.WorkTree, text string) string {
	w.Write(".git/COMMIT_EDITMSG", text)
	return filepath.Join(w.CommonDir(), "COMMIT_EDITMSG")
}

// stage puts a file into work tree and index.
func stage(w *repotest.WorkTree, path, content string) {
	w.Write(path, content)
	w.Git("add", "--", path)
}

// rulesOf are the rules that an answer reports, each with its severity.
func rulesOf(a *Answer) (all []string) {
	for _, r := range a.Results {
		for _, f := range r.Findings {
			all = append(all, f.Severity.String()+" "+f.Rule)
		}
	}
	return all
}

// refused is what is said of the hollow claim alone.
var refused = []string{"error checklist_evidence_empty_impl"}
