package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheWorkTreeIsWrittenAsItWouldBeCommitted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", ".gitignore", "*.log\n", "a.py", "1\n", "gone.py", "1\n")
	state := func() WorkState {
		t.Helper()
		return ok[WorkState](t)(s.open().WorkState(ctx))
	}
	head := ID(s.git("rev-parse", "HEAD^{tree}"))
	if got := state(); got != (WorkState{head, head}) {
		t.Errorf("a clean work tree is %v, HEAD %s", got, head)
	}
	s.write("x.log", "1\n")
	s.write("a.py", "2\n")
	s.write("staged.py", "1\n")
	s.git("add", "staged.py")
	s.write("new.py", "1\n")
	if err := os.WriteFile(filepath.Join(s.dir, "large.bin"), make([]byte, maxNew+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	index := s.git("ls-files", "--stage")
	got := state()
	for _, c := range []struct {
		what string
		tree ID
		want string
	}{
		{"tracked", got.Tracked, ".gitignore a.py staged.py"},
		{"all", got.All, ".gitignore a.py new.py staged.py"},
	} {
		if files := strings.Join(strings.Fields(s.git("ls-tree", "-r", "--name-only", string(c.tree))), " "); files != c.want {
			t.Errorf("%s: %s, want %s", c.what, files, c.want)
		}
		if text := s.git("cat-file", "-p", string(c.tree)+":a.py"); strings.TrimSpace(text) != "2" {
			t.Errorf("%s has %q", c.what, text)
		}
	}
	if now := s.git("ls-files", "--stage"); now != index {
		t.Errorf("the index was changed to\n%s", now)
	}
	s.git("add", "-u")
	s.git("commit", "-q", "-m", "two")
	if tree := ID(s.git("rev-parse", "HEAD^{tree}")); tree != got.Tracked {
		t.Errorf("committed is %s, seen was %s", tree, got.Tracked)
	}
	_, err := s.at(filepath.Join(s.dir, ".git")).open().WorkState(ctx)
	wants(t, err, ErrNotRepository)
}
