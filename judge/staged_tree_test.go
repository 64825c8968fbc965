package judge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// What is read of the index without writing it is what git would commit, folders
// and files that change places included.
func TestAStagedTreeIsTheTreeThatGitWrites(t *testing.T) {
	ctx := context.Background()
	g := repotest.New(t)
	write := func(path, text string) {
		path = filepath.Join(g.Dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{
		"same", "changed", "gone", "folder/a", "folder/b", "emptied/a", "to-file/a", "to-folder", "deep/er/a", "moved",
	} {
		write(path, "content of "+path+"\n")
	}
	g.Git("add", "-A")
	g.Git("-c", "user.name=a", "-c", "user.email=a@agents.invalid", "commit", "-q", "-m", "Base")
	g.Git("rm", "-q", "-r", "gone", "emptied", "to-file", "to-folder")
	g.Git("mv", "moved", "moved-on")
	for _, path := range []string{"changed", "folder/b", "folder/new", "to-file", "to-folder/a", "new/er/a", "folder.b"} {
		write(path, "staged "+path+"\n")
	}
	if err := os.Symlink("same", filepath.Join(g.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	g.Git("add", "-A")
	write("changed", "not staged\n")

	r, err := repo.Open(ctx, g.Dir, repo.Options{Env: g.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	head, err := r.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	id, err := r.HookTree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	base, want := snapshot.Tree(r, head.Tree), snapshot.Tree(r, id)
	staged := newStagedTree(ctx, r, true)
	staged.Tree = base
	got := staged.snapshot()
	for path := range strings.FieldsSeq("same changed gone folder folder/a folder/b folder/new folder.b fold emptied emptied/a to-file " +
		"to-file/a to-folder to-folder/a deep deep/er deep/er/a new new/er new/er/a new/e moved moved-on link link/x same/x nothing") {
		a, errA := want.Stat(ctx, path)
		b, errB := got.Stat(ctx, path)
		// What stands nowhere has no more to be told than that.
		if errA != nil || errB != nil || a != b {
			t.Errorf("%s: git writes %+v (%v), and the index is read as %+v (%v)", path, a, errA, b, errB)
		}
	}
	was, err := want.Renamed(ctx, &base, "moved-on")
	is, err2 := got.Renamed(ctx, &base, "moved-on")
	if err != nil || err2 != nil || was != "moved" || is != was {
		t.Errorf("renamed from %q (%v), and from the index %q (%v)", was, err, is, err2)
	}
	all, err := want.Paths(ctx)
	listed, err2 := got.Paths(ctx)
	if err != nil || err2 != nil || !slices.Equal(all, listed) {
		t.Errorf("paths %v (%v), and of the index %v (%v)", all, err, listed, err2)
	}
}
