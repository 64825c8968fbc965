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

// show prints changes the way the tests below expect them.
func show(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%c %s", c.Status, c.Path)
		if c.OldPath != "" {
			fmt.Fprintf(&b, " from %s", c.OldPath)
		}
		if c.OldMode != c.NewMode {
			fmt.Fprintf(&b, " %s>%s", c.OldMode, c.NewMode)
		}
		if c.Added != 0 || c.Deleted != 0 {
			fmt.Fprintf(&b, " +%d-%d", c.Added, c.Deleted)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// changed makes two commits that differ in every way a tree can, and returns their ids.
func changed(s *scratch) (before, after ID) {
	s.t.Helper()
	module := newScratch(s.t)
	one := module.commit("one", "m.txt", "1\n")
	two := module.commit("two", "m.txt", "2\n")
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", module.url(), "sub")
	s.at(filepath.Join(s.dir, "sub")).git("checkout", "-q", string(one))
	before = s.commit("before", "same.txt", "same\n", "edited.py", lines, "gone.txt", "gone\n", "moved/from.txt", lines+lines,
		"exact.txt", "exactly this\n", "mode.sh", "x\n", "kind", "a file", "binary", "a\x00b\n", "-opt ion", "1\n", "tab\t\"ä\nb", "1\n")
	s.at(filepath.Join(s.dir, "sub")).git("checkout", "-q", string(two))
	for _, path := range []string{"gone.txt", "moved/from.txt", "exact.txt", "kind"} {
		if err := os.Remove(filepath.Join(s.dir, path)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := os.Symlink("target", filepath.Join(s.dir, "kind")); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(s.dir, "mode.sh"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	after = s.commit("after", "edited.py", strings.Replace(lines, "3\n", "three\nand\n", 1), "moved/to.txt", lines+lines+"more\n",
		"dir/exact.txt", "exactly this\n", "binary", "a\x00c\n", "-opt ion", "1\n2\n", "tab\t\"ä\nb", "", "new.txt", "new\nlines")
	return before, after
}

const (
	plainChanges = `M -opt ion
M binary
A dir/exact.txt >100644
M edited.py
D exact.txt 100644>
D gone.txt 100644>
T kind 100644>120000
M mode.sh 100644>100755
D moved/from.txt 100644>
A moved/to.txt >100644
A new.txt >100644
M sub
M tab	"ä
b
`
	countedRenames = `M -opt ion +1-0
M binary +-1--1
R dir/exact.txt from exact.txt
M edited.py +2-1
D gone.txt 100644> +0-1
T kind 100644>120000 +1-1
M mode.sh 100644>100755
R moved/to.txt from moved/from.txt +1-0
A new.txt >100644 +2-0
M sub +1-1
M tab	"ä
b +0-1
`
)

func TestChanges(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	before, after := changed(s)
	r := s.open()
	if got := show(ok[[]Change](t)(r.Changes(ctx, before, after, DiffOptions{}))); got != plainChanges {
		t.Errorf("got\n%swant\n%s", got, plainChanges)
	}
	all := ok[[]Change](t)(r.Changes(ctx, s.id(string(before)+"^{tree}"), s.id(string(after)+"^{tree}"), DiffOptions{Renames: true, Counts: true}))
	if got := show(all); got != countedRenames {
		t.Errorf("got\n%swant\n%s", got, countedRenames)
	}
	for _, c := range all {
		if c.Path == "edited.py" && (c.OldID != s.id(string(before)+":edited.py") || c.NewID != s.id(string(after)+":edited.py")) {
			t.Errorf("ids of %+v", c)
		}
		if c.Path == "new.txt" && (c.OldID != "" || c.NewID == "") {
			t.Errorf("ids of %+v", c)
		}
	}
	if same := ok[[]Change](t)(r.Changes(ctx, after, after, DiffOptions{Counts: true})); len(same) != 0 {
		t.Errorf("nothing differs, got %s", show(same))
	}
	first := ok[[]Change](t)(r.Changes(ctx, "", before, DiffOptions{Counts: true}))
	if len(first) != 12 || first[0].Path != "-opt ion" || first[0].Status != 'A' {
		t.Errorf("from nothing: %s", show(first))
	}
}

// Neither configuration nor what lies in the work tree may change what a commit
// is said to have done.
func TestChangesDependOnTheTreesAlone(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(s *scratch)
	}{
		{"configuration", func(s *scratch) {
			for _, kv := range []string{
				"diff.renames=copies", "diff.algorithm=patience", "diff.noprefix=true", "diff.relative=true", "diff.ignoreSubmodules=all",
				"diff.orderFile=" + filepath.Join(s.dir, "order"), "diff.external=false", "diff.renameLimit=1", "diff.wsErrorHighlight=all",
				"color.ui=always", "core.quotePath=true", "core.pager=false", "log.showRoot=false", "diff.context=0", "core.abbrev=4",
				"diff.interHunkContext=9", "diff.mnemonicPrefix=true", "diff.submodule=log", "submodule.sub.ignore=all", "diff.python.binary=true",
				"diff.statNameWidth=3", "core.bigFileThreshold=100m", "submodule.recurse=true", "core.attributesFile=" + filepath.Join(s.dir, "attributes"),
			} {
				key, value, _ := strings.Cut(kv, "=")
				s.git("config", key, value)
			}
			s.write("order", "zzz\n")
			s.write("attributes", "*.py -diff\n*.txt -diff\n")
			*s = *s.at(filepath.Join(s.dir, "dir"))
		}},
		{"git's own variables, relative", func(s *scratch) {
			s.write(".gitattributes", "*.py -diff\n*.txt -diff\n")
			s.env = []string{"GIT_DIR=.git", "GIT_WORK_TREE=.", "GIT_INDEX_FILE=.git/index", "GIT_OBJECT_DIRECTORY=.git/objects"}
		}},
		{"attributes in the work tree", func(s *scratch) { s.write(".gitattributes", "*.py -diff\n*.txt diff=x\n* -text\n") }},
		{"attributes in the index alone", func(s *scratch) {
			s.write(".gitattributes", "*.py -diff\n*.txt -diff\n")
			s.git("add", ".gitattributes")
			os.Remove(filepath.Join(s.dir, ".gitattributes"))
		}},
		{"modules in the work tree", func(s *scratch) {
			s.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
			s.git("add", ".gitmodules")
		}},
		{"environment", func(s *scratch) {
			s.env = []string{"GIT_EXTERNAL_DIFF=false", "GIT_DIFF_OPTS=-u0", "GIT_PAGER=false", "LC_ALL=C.UTF-8", "GIT_LITERAL_PATHSPECS=1",
				"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=diff.renames", "GIT_CONFIG_VALUE_0=false", "GIT_ICASE_PATHSPECS=0"}
		}},
		{"a broken index", func(s *scratch) { s.write(".git/index", "") }},
		{"a bare clone", func(s *scratch) {
			*s = *s.clone("--bare")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			before, after := changed(s)
			c.spoil(s)
			r := s.open()
			got := show(ok[[]Change](t)(r.Changes(context.Background(), before, after, DiffOptions{Renames: true, Counts: true})))
			if got != countedRenames {
				t.Errorf("got\n%swant\n%s", got, countedRenames)
			}
			got = show(ok[[]Change](t)(r.Changes(context.Background(), before, after, DiffOptions{})))
			if got != plainChanges {
				t.Errorf("got\n%swant\n%s", got, plainChanges)
			}
		})
	}
}

// A commit that hides its code from git's own diff is counted all the same.
func TestCommittedAttributesDoNotHideLines(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	id := s.commit("hide", ".gitattributes", "*.py -diff\n", "code.py", lines)
	got := show(ok[[]Change](t)(s.open().Changes(context.Background(), "", id, DiffOptions{Counts: true})))
	if want := "A .gitattributes >100644 +1-0\nA code.py >100644 +12-0\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAnswersOfDiffTreeThatAreCutAreErrors(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("1", 40)
	whole := ":100644 100644 " + id + " " + id + " M\x00a\x00:100644 100644 " + id + " " + id + " R090\x00b\x00c\x001\t2\ta\x00-\t-\t\x00b\x00c\x00"
	changes := ok[[]Change](t)(parseChanges(whole))
	if len(changes) != 2 || changes[0].Deleted != 2 || changes[1].Added != -1 || changes[1].OldPath != "b" {
		t.Fatalf("got %+v", changes)
	}
	ends := []int{len(":100644 100644 " + id + " " + id + " M\x00a\x00")}
	for i := range len(whole) {
		_, err := parseChanges(whole[:i])
		if err == nil && i != 0 && !slices.Contains(ends, i) && whole[i-1] != 0 {
			t.Errorf("cut after %q: no error", whole[:i])
		}
	}
	for _, bad := range []string{":100644\x00a\x00", ":1 2 3 4 M\x00a\x00", "x\x00", "1\t2\tb\x00"} {
		if _, err := parseChanges(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
