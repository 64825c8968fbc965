package repo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestUncommittedFiles(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("one", ".gitignore", "*.log\n", "kept.py", "1\n", "changed.py", "1\n", "gone.py", "1\n", "staged.py", "1\n")
	s.write("changed.py", "2\n")
	s.write("staged.py", "2\n")
	s.write("added.py", "1\n")
	s.git("add", "staged.py", "added.py")
	s.write("dir/new ä\n.py", "1\n")
	s.write("dir/x.log", "1\n")
	if err := os.Remove(filepath.Join(s.dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range ok[[]UncommittedFile](t)(s.open().UncommittedFiles(context.Background())) {
		got = append(got, fmt.Sprintf("%s %t", f.Path, f.IsNew))
	}
	slices.Sort(got)
	want := []string{"added.py true", "changed.py false", "dir/new ä\n.py true", "gone.py false", "staged.py false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err := s.at(s.home).open().UncommittedFiles(context.Background())
	wants(t, err, ErrNotRepository)
}
