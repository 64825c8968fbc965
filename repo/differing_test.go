package repo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestDifferingIsWhatGitFinds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	trees := []ID{noTree(), ""}
	commit := func(files ...string) {
		s.commit("x", files...)
		trees = append(trees, s.id("HEAD^{tree}"))
	}
	commit("a", "1", "dir/b", "1", "dir/sub/c", "1", "z/only", "1")
	commit("a", "2", "dir/sub/c", "2", "dir/sub/d", "1", "a.b/c", "1", "a-b", "1")
	s.git("rm", "-q", "-r", "dir/sub")
	commit("dir/sub", "a file now", "umlaut ü/tab\tname", "1")
	s.git("rm", "-q", "a", "z/only")
	commit("a/is/a folder", "now", "z", "1")
	s.git("mv", "dir/b", "renamed")
	if err := os.Chmod(filepath.Join(s.dir, "a-b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a-b", filepath.Join(s.dir, "link")); err != nil {
		t.Fatal(err)
	}
	s.git("update-index", "--add", "--cacheinfo", "160000,"+string(s.id("HEAD"))+",module")
	s.git("commit", "-q", "-a", "-m", "x")
	trees = append(trees, s.id("HEAD^{tree}"))
	r := s.open()
	for _, a := range trees {
		for _, b := range trees {
			var want []string
			for _, c := range ok[[]Change](t)(r.Changes(ctx, a, b, DiffOptions{})) {
				want = append(want, c.Path)
			}
			if got := ok[[]string](t)(r.ChangedPaths(ctx, a, b)); !slices.Equal(got, want) {
				t.Errorf("%s and %s: got %q, want %q", a, b, got, want)
			}
		}
	}
	if _, err := r.ChangedPaths(ctx, trees[2], ID("1111111111111111111111111111111111111111")); err == nil {
		t.Error("a tree that is not there differs in nothing")
	}
}
