package repo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWorkFilesAreTrackedOrNotIgnored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("one", ".gitignore", "*.log\nbuild/\nout/\n", "build/tracked.py", "1\n", "dir/a.py", "1\n", "gone.py", "1\n")
	s.git("add", "-f", "build/tracked.py")
	s.git("commit", "-q", "--amend", "--no-edit")
	s.write("build/other.py", "1\n")
	s.write("out/x.py", "1\n")
	s.write("dir/new ä\n.py", "1\n")
	s.write("dir/x.log", "1\n")
	s.write("nested/b.py", "1\n")
	s.git("init", "-q", "nested")
	if err := os.Remove(filepath.Join(s.dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string][]string{
		".":   {".gitignore", "build/tracked.py", "dir/a.py", "dir/new ä\n.py", "gone.py", "nested/"},
		"dir": {"a.py", "new ä\n.py"},
	} {
		l := ok[Listing](t)(s.at(filepath.Join(s.dir, dir)).open().WorkFiles(ctx))
		if !slices.Equal(l.Paths, want) || len(l.Complaints) > 0 {
			t.Errorf("%s: %q, want %q", dir, l, want)
		}
	}
	for _, dir := range []string{s.home, filepath.Join(s.dir, ".git")} {
		_, err := s.at(dir).open().WorkFiles(ctx)
		wants(t, err, ErrNotRepository)
	}
	s.write(".git/HEAD", "nonsense")
	_, err := s.open().WorkFiles(ctx)
	wants(t, err, ErrDamaged)
}

// workChange makes a work tree that differs from its commit in every way.
func workChange(s *scratch) ID {
	base := s.commit("base", "same.py", lines, "edited.py", lines, "staged.py", lines, "gone.py", "gone\n", "moved.py", lines+lines,
		"renamed.py", lines+lines+lines, ".gitignore", "ignored.py\n", "touched.py", lines, "left.txt", "1\n")
	s.write("edited.py", lines+"more\n")
	s.write("staged.py", lines+"staged\n")
	s.git("add", "staged.py")
	s.git("mv", "renamed.py", "dir-renamed.py")
	s.git("rm", "-q", "gone.py")
	s.write("dir/moved.py", lines+lines+"and more\n")
	s.write("new.py", "entirely new\n")
	s.write("intended.py", "intended\n")
	s.git("add", "-N", "intended.py")
	s.write("ignored.py", "1\n")
	s.write("left.txt", "2\n")
	s.write("touched.py", lines)
	s.write("nested/x.py", "1\n")
	s.git("init", "-q", "nested")
	for _, p := range []string{"moved.py"} {
		if err := os.Remove(filepath.Join(s.dir, p)); err != nil {
			s.t.Fatal(err)
		}
	}
	return base
}

const workChanges = `M edited.py
R dir-renamed.py from renamed.py
R dir/moved.py from moved.py
D gone.py 100644>
A intended.py >100644
A new.py >100644
M staged.py
`

func TestWorkChangesSeeStagedAndNotStagedAndNotTracked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, where := range map[string]func(s *scratch) *scratch{
		"top":           func(s *scratch) *scratch { return s },
		"sub-directory": func(s *scratch) *scratch { return s.at(filepath.Join(s.dir, "dir")) },
		"split index":   func(s *scratch) *scratch { s.git("update-index", "--split-index"); return s },
		"git's own variables, relative": func(s *scratch) *scratch {
			c := s.at(s.dir)
			c.env = []string{"GIT_DIR=.git", "GIT_INDEX_FILE=.git/index", "GIT_OBJECT_DIRECTORY=.git/objects"}
			return c
		},
		"configuration": func(s *scratch) *scratch {
			s.git("config", "diff.renames", "false")
			s.git("config", "core.quotePath", "true")
			s.git("config", "diff.external", "false")
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			base := workChange(s)
			index := ok[[]byte](t)(os.ReadFile(filepath.Join(s.dir, ".git/index")))
			got := ok[[]Change](t)(where(s).open().WorkChanges(ctx, base, func(p string) bool { return strings.HasSuffix(p, ".py") }))
			if show(got) != show(sorted(workChanges)) {
				t.Errorf("got\n%swant\n%s", show(got), workChanges)
			}
			if name == "top" && !slices.Equal(index, ok[[]byte](t)(os.ReadFile(filepath.Join(s.dir, ".git/index")))) {
				t.Error("the index was written")
			}
		})
	}
}

// sorted reads changes as show writes them.
func sorted(text string) []Change {
	var all []Change
	for line := range strings.Lines(text) {
		var c Change
		var status string
		f := strings.Fields(line)
		status, c.Path = f[0], f[1]
		c.Status = status[0]
		for i, word := range f[2:] {
			if word == "from" {
				c.OldPath = f[2+i+1]
			}
			if old, new, ok := strings.Cut(word, ">"); ok {
				c.OldMode, c.NewMode = old, new
			}
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func TestWorkChangesOfAnUnbornBranchAndAConflict(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	all := func(string) bool { return true }
	s := newScratch(t)
	s.write("a.py", "1\n")
	if got := show(ok[[]Change](t)(s.open().WorkChanges(ctx, "", all))); got != "A a.py >100644\n" {
		t.Errorf("unborn: %s", got)
	}
	base := s.commit("one", "a.py", "1\n", "b.txt", "1\n")
	s.git("checkout", "-q", "-b", "other")
	s.commit("two", "a.py", "2\n", "b.txt", "2\n")
	s.git("checkout", "-q", "main")
	s.commit("three", "a.py", "3\n", "b.txt", "3\n")
	if _, err := s.try("merge", "-q", "other"); err == nil {
		t.Fatal("no conflict")
	}
	got := ok[[]Change](t)(s.open().WorkChanges(ctx, base, func(p string) bool { return strings.HasSuffix(p, ".py") }))
	if !slices.ContainsFunc(got, func(c Change) bool { return c.Path == "a.py" && c.Status == 'M' }) {
		t.Errorf("a conflict that the work tree has in it: %s", show(got))
	}
	bare := s.clone("--bare")
	_, err := bare.open().WorkChanges(ctx, base, all)
	wants(t, err, ErrNotRepository)
}

func TestAFolderMayHaveAnyName(t *testing.T) {
	s := newScratch(t)
	odd := filepath.Join(t.TempDir(), `a:b "c"`)
	if err := os.Rename(s.dir, odd); err != nil {
		t.Fatal(err)
	}
	s.dir = odd
	base := s.commit("one", "a.py", lines)
	s.write("b.py", "1\n")
	got := ok[[]Change](t)(s.open().WorkChanges(context.Background(), base, func(string) bool { return true }))
	if fmt.Sprint(show(got)) != "A b.py >100644\n" {
		t.Errorf("%s", show(got))
	}
}
