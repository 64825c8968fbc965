package repo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// The stamp of HEAD is what git says that it names, wherever the ref is kept, and no git is started for it.
func TestHeadStamp(t *testing.T) {
	g := repotest.Counted(t)
	common := filepath.Join(g.Dir, ".git")
	stamp := func(gitDir string) string {
		t.Helper()
		got, err := repo.HeadStamp(gitDir, common)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := stamp(common); got != "" {
		t.Errorf("of a branch without a commit it is %q", got)
	}
	g.Commit("One\n", "a", "1")
	first := g.ID()
	g.Commit("Two\n", "a", "2")
	second := g.ID()
	g.Git("branch", "deep/er", first)
	linked := filepath.Join(common, "worktrees", "linked")
	for _, step := range []struct {
		args   []string
		gitDir string
		want   string
	}{
		{[]string{"reset", "-q", "--hard"}, common, second},
		{[]string{"pack-refs", "--all"}, common, second},
		{[]string{"update-ref", "refs/heads/main", first}, common, first},
		{[]string{"checkout", "-q", "--detach", second}, common, second},
		{[]string{"checkout", "-q", "deep/er"}, common, first},
		{[]string{"symbolic-ref", "refs/heads/alias", "refs/heads/deep/er"}, common, first},
		{[]string{"symbolic-ref", "HEAD", "refs/heads/alias"}, common, first},
		{[]string{"worktree", "add", "-q", "-b", "aside", filepath.Join(t.TempDir(), "linked"), second}, linked, second},
		{[]string{"symbolic-ref", "HEAD", "refs/heads/none"}, common, ""},
	} {
		g.Git(step.args...)
		before := len(g.Processes())
		if got := stamp(step.gitDir); got != step.want {
			t.Errorf("after git %v it is %q, and not %q", step.args, got, step.want)
		}
		if after := len(g.Processes()); after != before {
			t.Errorf("%d git processes were started", after-before)
		}
	}
	if trees := repo.WorkTreeDirs(common); !slices.Equal(trees, []string{common, linked}) {
		t.Errorf("the work trees are %v", trees)
	}
	if err := os.WriteFile(filepath.Join(common, "HEAD"), []byte("ref: ../../elsewhere\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := repo.HeadStamp(common, common); err == nil {
		t.Errorf("a HEAD that leads out of the repository has the stamp %q", got)
	}
}

// The tips are those that git lists, loose, packed or both.
// A git that keeps refs in tables (git 2.45, reftable) writes a list of their names anew with each change; HEAD is a
// stand-in there. The folder is made up, since few a git can make such a repository.
func TestHeadStampOfTables(t *testing.T) {
	common, linked := t.TempDir(), t.TempDir()
	tables := func(dir, names string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, "reftable"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "reftable", "tables.list"), []byte(names), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/.invalid\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]string{}
	look := func(what string) {
		t.Helper()
		stamp, err := repo.HeadStamp(linked, common)
		if err != nil || !strings.HasPrefix(stamp, "reftable ") || seen[stamp] != "" {
			t.Errorf("%s: %q as after %q, %v", what, stamp, seen[stamp], err)
		}
		seen[stamp] = what
		if again, err := repo.HeadStamp(linked, common); err != nil || again != stamp {
			t.Errorf("%s: %q a second time, %v", what, again, err)
		}
	}
	tables(common, "0x000000000001-0x000000000001-aaaaaaaa.ref\n")
	look("a branch")
	tables(linked, "0x000000000001-0x000000000001-bbbbbbbb.ref\n")
	look("HEAD of the work tree")
	tables(linked, "0x000000000001-0x000000000002-cccccccc.ref\n")
	look("HEAD moved")
	tables(common, "0x000000000001-0x000000000002-dddddddd.ref\n")
	look("a commit")
}

func TestTips(t *testing.T) {
	g := repotest.New(t)
	g.Commit("One\n", "a", "1")
	first := repo.ID(g.ID())
	g.Git("tag", "v1")
	g.Git("pack-refs", "--all")
	g.Commit("Two\n", "a", "2")
	second := repo.ID(g.ID())
	g.Commit("Three\n", "a", "3")
	third := repo.ID(g.ID())
	g.Git("update-ref", "refs/remotes/origin/main", string(second))
	r := g.Open()
	for _, c := range []struct {
		below []string
		want  []repo.ID
	}{
		{[]string{"refs/tags"}, []repo.ID{first}},
		{[]string{"refs/heads", "refs/tags"}, []repo.ID{first, third}},
		{[]string{"refs/remotes"}, []repo.ID{second}},
		{[]string{"refs/none"}, nil},
	} {
		got, err := r.Tips(t.Context(), c.below...)
		slices.Sort(c.want)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("below %v: %v, %v", c.below, got, err)
		}
	}
}
