package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// Who amends a merge may claim what the merge brought to its branch.
func TestWhoAmendsAMerge(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	base := g.ID()
	g.Branch("side", base)
	g.Commit("Beside\n", "side.py", other)
	g.Branch("main", "")
	g.Commit("Meanwhile\n", "note", "2")
	g.Merge("Merge side\n", "side", "side.py", other, "a.py", code)
	g.Stage("note", "3")
	for _, cited := range []string{"a.py:1-3", "side.py:1-3"} {
		result, err := judgeStaged(t, g, nil, act("T01", "add it", cited))
		if err != nil || len(result.Findings) != 0 {
			t.Errorf("%s: %v\n%s", cited, err, found(result.Findings))
		}
	}
}

// What is wrong against HEAD's parent alone is no amend: HEAD decides.
func TestWhatCannotBeAnAmendIsNone(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Plan\n", planAt, planned)
	g.Commit("Another plan\n", planAt, strings.ReplaceAll(planned, "add f", "add the function f"))
	g.Stage("a.py", code)
	for item, want := range map[string]string{
		"add the function f": "",
		"add f":              "error checklist_items_mismatch T01\n",
	} {
		result, err := judgeStaged(t, g, nil, act("T01", item, "a.py:1-3"))
		if err != nil || found(result.Findings) != want {
			t.Errorf("%s: %v\n%s", item, err, found(result.Findings))
		}
	}
}

// A shallow clone cannot tell what HEAD's parent was, nor whether the unit's earlier commits changed what is cited.
func TestAnAmendInAShallowClone(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	g.Commit("Work\n", "a.py", code)
	r := g.Shallow(1)
	s := StagedCommit{Message: []byte(act("T01", "add f", "a.py:1-3")), MayAmend: true}
	result, err := s.Judge(t.Context(), r)
	if err != nil || result.Code() != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	if said := strings.Join(result.Warnings, "\n"); !strings.Contains(said,
		"changed a.py:1-3; to fetch the rest, run: git fetch --unshallow") {
		t.Errorf("it says %q", said)
	}
}

// A run was over another tree where files differ that git tracked then; what is left out of the commit, and what the
// run itself wrote, is no difference.
func TestARunOverAnotherTree(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "a.py", code, "b.py", other, "junit.xml", "earlier")
	g.Branch("ran", g.ID())
	for _, files := range [][]string{
		{"note", "0"}, // another tree than any below
		{"a.py", code, "b.py", other, "note", ""},
		{"a.py", empty},
		{"a.py", code, "draft.py", other},
		{"draft.py", "", "junit.xml", "<testsuite/>"},
		{"junit.xml", "earlier", "b.py", ""},
	} {
		g.Commit("Seen\n", files...)
	}
	g.ID()
	r := g.Open()
	tree := func(revision string) repo.ID {
		t.Helper()
		c, err := r.Commit(t.Context(), revision)
		if err != nil {
			t.Fatal(err)
		}
		return c.Tree
	}
	base := snapshot.Tree(r, tree("main"))
	on := &subject{Ancestors: NewHistory(r, nil).Behind(nil, nil), tree: base, base: &base}
	for name, c := range map[string]struct {
		run   rules.RecordedRun
		other bool
		paths []string
	}{
		"the same": {rules.RecordedRun{Trees: []string{string(tree("ran~4"))}}, false, nil},
		"one of its trees": {rules.RecordedRun{Trees: []string{string(tree("ran~3")), string(tree("main"))}}, false,
			nil},
		"another file": {rules.RecordedRun{Trees: []string{string(tree("ran~3"))}}, true, []string{"a.py"}},
		"one left out": {rules.RecordedRun{Trees: []string{string(tree("ran~2"))}}, false, nil},
		"a report of the run": {rules.RecordedRun{Trees: []string{string(tree("ran~1"))}, Reports: []string{"junit.xml"}},
			false, nil},
		"a file came":             {rules.RecordedRun{Trees: []string{string(tree("ran"))}}, true, []string{"b.py"}},
		"a tree that is not here": {rules.RecordedRun{Trees: []string{strings.Repeat("1", 40)}}, true, nil},
	} {
		other, paths, err := on.CompareRun(t.Context(), &c.run)
		if err != nil || other != c.other || !slices.Equal(paths, c.paths) {
			t.Errorf("%s: %v %v, %v", name, other, paths, err)
		}
	}
}
