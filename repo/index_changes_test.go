package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func paths(changes []Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, fmt.Sprintf("%c %s", c.Status, c.Path))
	}
	return strings.Join(all, ", ")
}

func TestAnIndexTreeHasWhatIsStaged(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	r := s.open()
	changes := func(r *Repo, before ID) []Change {
		return ok[[]Change](t)(r.Changes(ctx, before, ok[ID](t)(r.IndexTree(ctx)), DiffOptions{}))
	}
	s.write("a", "a")
	s.write("dir/b", "b")
	s.git("add", "-A")
	if got := paths(changes(r, "")); got != "A a, A dir/b" {
		t.Errorf("before the first commit: %s", got)
	}
	head := s.commit("one")
	if got := changes(r, head); len(got) != 0 {
		t.Errorf("nothing is staged: %v", got)
	}
	s.write("a", "changed")
	s.write("new", "new")
	s.write("intended", "x")
	s.git("rm", "-q", "dir/b")
	s.git("add", "a", "new")
	s.git("add", "-N", "intended")
	s.write("new", "changed again, not staged")
	staged := changes(r, head)
	if got := paths(staged); got != "M a, D dir/b, A new" {
		t.Errorf("got %s", got)
	}
	if got := string(ok[[]byte](t)(r.Snapshot("").Blob(ctx, staged[2].NewID))); got != "new" {
		t.Errorf("the index holds %q", got)
	}
	// The index that git points a hook at.
	other := filepath.Join(t.TempDir(), "index")
	data := ok[[]byte](t)(os.ReadFile(filepath.Join(s.dir, ".git", "index")))
	if err := os.WriteFile(other, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s.git("reset", "-q")
	in := *s
	in.env = []string{"GIT_INDEX_FILE=" + other}
	if got := paths(changes(in.open(), head)); got != "M a, D dir/b, A new" {
		t.Errorf("with GIT_INDEX_FILE: %s", got)
	}
}

// What is being merged is found from every folder in which git, or a hook, may be asked.
func TestMergeHeads(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", "dir/a", "1\n")
	s.git("worktree", "add", "-q", "-b", "linked", filepath.Join(s.dir, "linked"))
	linked := s.at(filepath.Join(s.dir, "linked"))
	hook := *linked
	hook.env = []string{"GIT_DIR=" + filepath.Join(s.dir, ".git", "worktrees", "linked")}
	relative := *s
	relative.env = []string{"GIT_DIR=.git"}
	places := map[string]*scratch{
		"top": s, "below": s.at(filepath.Join(s.dir, "dir")), "git directory named": &relative,
		"linked": linked, "hook of a linked work tree": &hook,
	}
	for name, at := range places {
		if heads, err := at.open().MergeHeads(ctx); err != nil || heads != nil {
			t.Errorf("%s, no merge: %v, %v", name, heads, err)
		}
	}
	for _, at := range []*scratch{s, linked} {
		at.git("checkout", "-q", "-b", "side-"+strings.ReplaceAll(filepath.Base(at.dir), " ", ""))
		side := at.commit("side", "side", "1\n")
		at.git("checkout", "-q", "-b", "here-"+strings.ReplaceAll(filepath.Base(at.dir), " ", ""), "HEAD~1")
		at.git("merge", "-q", "--no-ff", "--no-commit", string(side))
		for name, where := range places {
			if strings.Contains(name, "linked") != (at == linked) {
				continue
			}
			if heads, err := where.open().MergeHeads(ctx); err != nil || !slices.Equal(heads, []ID{side}) {
				t.Errorf("%s: %v, %v; want %s", name, heads, err, side)
			}
		}
	}
}

func TestAFileThatIsNotThereIsNotCopied(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "to")
	if err := CopyFile(to, filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(to); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
	if err := CopyFile(to, dir); err == nil {
		t.Error("a folder was copied")
	}
}
