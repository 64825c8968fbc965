package repo_test

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// git compares two trees for renames only where the later one lacks a file of the earlier one.
func TestRenamesAreLookedForWhereAFileIsGone(t *testing.T) {
	g := repotest.Counted(t)
	const text = "one\ntwo\nthree\nfour\nfive\n"
	g.Commit("Begin\n", "a/old.py", text, "kept", "1")
	g.Commit("Add and change\n", "a/new.py", text, "kept", "2", "b/c", "3")
	g.Commit("Rename\n", "a/old.py", "", "d/moved.py", text)
	g.Commit("A file becomes a folder\n", "kept", "", "kept/now", "2")
	g.ID() // so that the commits are there
	r, err := repo.Open(t.Context(), g.Dir, repo.Options{Env: g.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		before, after string
		compared      int
		renamed       string
	}{
		{"HEAD~3", "HEAD~2", 0, ""}, {"HEAD~2", "HEAD~1", 1, "d/moved.py"}, {"HEAD~1", "HEAD", 1, "kept/now"}, {"HEAD", "HEAD", 0, ""},
	} {
		trees := map[string]repo.ID{}
		for _, rev := range []string{c.before, c.after} {
			commit, err := r.Commit(t.Context(), rev)
			if err != nil {
				t.Fatal(err)
			}
			trees[rev] = commit.Tree
		}
		begun := len(g.Processes())
		renamed, err := r.Renames(t.Context(), trees[c.before], trees[c.after])
		compared := 0
		for _, p := range g.Processes()[begun:] {
			compared += strings.Count(p, "diff-tree")
		}
		if err != nil || compared != c.compared || c.renamed == "" && len(renamed) > 0 || c.renamed != "" && renamed[c.renamed] == "" {
			t.Errorf("%s to %s: git compared %d times and found %v, expected %d and %q: %v",
				c.before, c.after, compared, renamed, c.compared, c.renamed, err)
		}
	}
}
