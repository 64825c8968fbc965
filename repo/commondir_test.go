package repo

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
)

// However acta is called, the files say what git says.
func TestCommonDirIsWhatGitSays(t *testing.T) {
	s := newScratch(t)
	s.commit("one", "a", "a\n")
	tree := filepath.Join(t.TempDir(), "wt")
	s.git("worktree", "add", "-q", tree)
	bare := s.clone("--bare")
	common := filepath.Join(s.dir, ".git")
	for name, c := range map[string]struct {
		at   *scratch
		env  []string
		want string
	}{
		"no hook":             {s, nil, common},
		"a hook":              {s, []string{"GIT_INDEX_FILE=.git/index"}, common},
		"in a work tree":      {s.at(tree), []string{"GIT_DIR=" + filepath.Join(common, "worktrees", "wt")}, common},
		"told":                {s.at(tree), []string{"GIT_DIR=" + filepath.Join(common, "worktrees", "wt"), "GIT_COMMON_DIR=" + common}, common},
		"the file .git":       {s.at(tree), []string{"GIT_INDEX_FILE=" + filepath.Join(common, "worktrees", "wt", "index")}, common},
		"on a server":         {bare, []string{"GIT_DIR=."}, bare.dir},
		"below the work tree": {s.at(filepath.Join(s.dir, ".git", "refs")), []string{"GIT_INDEX_FILE=x", "GIT_DIR=" + common}, common},
	} {
		r, err := Open(context.Background(), c.at.dir, Options{Env: slices.Concat(c.at.environ(), c.env)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.CommonDir(context.Background())
		if err != nil || !sameFile(t, got, c.want) {
			t.Errorf("%s: %s, %v; want %s", name, got, err, c.want)
		}
		if r.layout != nil {
			t.Errorf("%s: git was asked", name)
		}
		_ = r.Close()
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	a, errA := filepath.EvalSymlinks(a)
	b, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && a == b
}
