package repo

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRecordsAreChained(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	r := s.open()
	rec := Record{Ref: "refs/worklog/a", Name: "A <b>\n", When: s.date, Message: "one\n", Files: map[string][]byte{"w.yaml": []byte("x: 1"), "c/1.yaml": {}}}
	if err := r.WriteRecord(ctx, rec); err != nil {
		t.Fatal(err)
	}
	first := ok[[]Ref](t)(r.Refs(ctx, "refs/worklog/"))
	rec.Parent, rec.Files = first[0].ID, map[string][]byte{"w.yaml": []byte("x: 2\n")}
	if err := r.WriteRecord(ctx, rec); err != nil {
		t.Fatal(err)
	}
	refs := ok[[]Ref](t)(r.Refs(ctx, "refs/worklog/a"))
	c := ok[Commit](t)(r.Commit(ctx, string(refs[0].ID)))
	if len(refs) != 1 || !slices.Equal(c.Parents, []ID{first[0].ID}) || c.Committer.Name != "A b" || string(c.Message) != "one\n" {
		t.Errorf("got %+v, %+v", refs, c)
	}
	if got := s.git("ls-tree", "-r", "--name-only", "refs/worklog/a"); strings.TrimSpace(got) != "w.yaml" {
		t.Errorf("the tree holds %q", got)
	}
	// What moved on meanwhile is not overwritten.
	rec.Parent, rec.Message = first[0].ID, "two\n"
	if err := r.WriteRecord(ctx, rec); err == nil {
		t.Error("a commit is lost")
	}
	if now := ok[[]Ref](t)(r.Refs(ctx, "refs/worklog/a")); now[0] != refs[0] {
		t.Error("the ref was moved")
	}
}

// Dirs says what git says, wherever it is asked, and without git where the layout is plain.
func TestDirsAreThoseOfGit(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one")
	sub, linked, bare := filepath.Join(s.dir, "a", "b"), filepath.Join(t.TempDir(), "linked"), filepath.Join(t.TempDir(), "bare")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("worktree", "add", "-q", "--detach", linked)
	s.git("clone", "-q", "--bare", ".", bare)
	for name, c := range map[string]struct {
		dir string
		env []string
	}{
		"top": {s.dir, nil}, "folder": {sub, nil}, "linked": {linked, nil}, "bare": {bare, nil}, "inside": {filepath.Join(s.dir, ".git", "refs"), nil},
		"given": {t.TempDir(), []string{"GIT_DIR=" + filepath.Join(s.dir, ".git")}}, "a hook": {s.dir, []string{"GIT_DIR=.git"}},
	} {
		env := append(s.environ(), c.env...)
		r := ok[*Repo](t)(Open(ctx, c.dir, Options{Env: env}))
		gitDir, common, err := r.Dirs(ctx)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		cmd := exec.Command("git", "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
		cmd.Dir, cmd.Env = c.dir, env
		out, err := cmd.Output()
		if want := gitDir + "\n" + common + "\n"; err != nil || string(out) != want {
			t.Errorf("%s: got %q, and git says %q (%v)", name, want, out, err)
		}
	}
	r := ok[*Repo](t)(Open(ctx, linked, Options{Env: []string{"PATH="}}))
	if _, common, err := r.Dirs(ctx); err != nil || filepath.Base(common) != ".git" {
		t.Errorf("without git: %q, %v", common, err)
	}
}
