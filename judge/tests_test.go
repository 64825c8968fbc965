package judge

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

const (
	whole = "from code import f\n\n\ndef test_f():\n    assert f(1) == 2\n    assert f(2) == 3\n"
	less  = "from code import f\n\n\ndef test_f():\n    assert f(1) == 2\n"
)

// lessAsked judges main since a base, and says for each finding about tests its severity, form and commit («range» for none).
func lessAsked(t *testing.T, g *repotest.Repository, base string) string {
	t.Helper()
	r := g.Open()
	got, err := Range(t.Context(), r, base, "main")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, f := range got.Findings {
		if !strings.HasPrefix(f.Rule, "test_") {
			continue
		}
		where := "range"
		if f.Commit != "" {
			c, err := r.Commit(t.Context(), f.Commit)
			if err != nil {
				t.Fatal(err)
			}
			where, _, _ = strings.Cut(string(c.Message), "\n")
		}
		said = append(said, f.Severity.String()+" "+f.Rule+" "+where)
	}
	return strings.Join(said, "; ")
}

// A merge answers for what it does itself: what a branch brings that asked less there was told of the branch's commit,
// and what one parent never asked the merge does not take away.
func TestAMergeAnswersForItself(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(g *repotest.Repository, base string)
		want string
	}{
		"it brings what a branch weakened": {func(g *repotest.Repository, base string) {
			g.Commit("Weaken\n", "tests/test_f.py", less)
			g.Branch("main", base)
			g.Commit("Other\n", "note", "2")
			g.Merge("Merge\n", "work", "tests/test_f.py", less)
		}, "warning test_weakened Weaken"},
		"it leaves what a branch weakened": {func(g *repotest.Repository, base string) {
			g.Commit("Weaken\n", "tests/test_f.py", less)
			g.Branch("main", base)
			g.Commit("Other\n", "note", "2")
			g.Merge("Merge\n", "work")
		}, "note test_weakened Weaken"},
		"it weakens on its own": {func(g *repotest.Repository, base string) {
			g.Commit("More\n", "note2", "2")
			g.Branch("main", base)
			g.Commit("Other\n", "note", "2")
			g.Merge("Merge\n", "work", "tests/test_f.py", less)
		}, "warning test_weakened Merge"},
		"it drops what one side alone asked": {func(g *repotest.Repository, base string) {
			g.Commit("Ask more here\n", "tests/test_f.py", whole+"    assert f(5) == 6\n")
			g.Branch("main", base)
			g.Commit("Ask more there\n", "tests/test_f.py", whole+"\n\ndef test_there():\n    assert f(7) == 8\n")
			g.Merge("Merge\n", "work", "tests/test_f.py", whole+"    assert f(5) == 6\n    assert f(6) == 7\n")
		}, ""},
		"it drops what both sides asked": {func(g *repotest.Repository, base string) {
			g.Commit("Ask more here\n", "tests/test_f.py", whole+"    assert f(5) == 6\n")
			g.Branch("main", base)
			g.Commit("Ask more there\n", "tests/test_f.py", whole+"    assert f(7) == 8\n")
			g.Merge("Merge\n", "work", "tests/test_f.py", less+"    assert f(5) == 6\n    assert f(7) == 8\n")
		}, "warning test_weakened Merge"}, // something else is asked in its place
		"it takes one side of what both changed": {func(g *repotest.Repository, base string) {
			g.Commit("Add a test\n", "tests/test_f.py", whole+"\n\ndef test_more():\n    assert f(3) == 4\n")
			g.Branch("main", base)
			g.Commit("Other\n", "note", "2")
			g.Merge("Merge\n", "work", "tests/test_f.py", whole)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Base\n", "code.py", "def f(x):\n    return x + 1\n", "tests/test_f.py", whole)
			base := g.ID()
			g.Branch("work", base)
			c.tell(g, base)
			if got := lessAsked(t, g, base); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Neither splitting nor restoring fools a range: its ends are compared, and what a commit was told is not told again.
func TestARangeIsComparedByItsEnds(t *testing.T) {
	half := strings.Replace(whole, "assert f(2) == 3", "assert f(2)", 1)
	for name, c := range map[string]struct {
		tell func(g *repotest.Repository)
		want string
	}{
		"what a commit was told is told once": {func(g *repotest.Repository) {
			g.Commit("Weaken\n", "tests/test_f.py", less)
		}, "warning test_weakened Weaken"},
		"what is put back is a note": {func(g *repotest.Repository) {
			g.Commit("Weaken\n", "tests/test_f.py", less)
			g.Commit("Restore\n", "tests/test_f.py", whole)
		}, "note test_weakened Weaken"},
		"step by step is told by steps": {func(g *repotest.Repository) {
			g.Commit("One\n", "tests/test_f.py", half)
			g.Commit("Two\n", "tests/test_f.py", less)
		}, "warning test_weakened One; warning test_weakened Two"},
		"nothing that is asked less": {func(g *repotest.Repository) {
			g.Commit("More\n", "tests/test_f.py", whole+"    assert f(3) == 4\n")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Base\n", "code.py", "def f(x):\n    return x + 1\n", "tests/test_f.py", whole)
			base := g.ID()
			c.tell(g)
			if got := lessAsked(t, g, base); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// `acta tests` asks the same of a range and of what is staged, and judges nothing.
func TestTheAccountOfARangeAndOfTheIndex(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "code.py", "def f(x):\n    return x + 1\n", "tests/test_f.py", whole)
	base := g.ID()
	g.Commit("Weaken\n\nWeakened: tests/test_f.py | the second is said elsewhere now\n", "tests/test_f.py", less)
	account, err := Tests(t.Context(), g.Open(), base, "main")
	if err != nil || account == nil {
		t.Fatalf("%+v, %v", account, err)
	}
	if account.AssertionsBefore != 2 || account.AssertionsAfter != 1 || account.Declared != 1 {
		t.Errorf("%+v", account)
	}
	g.Stage("tests/test_f.py", "from code import f\n")
	account, err = StagedTests(t.Context(), g.Open())
	if err != nil || account == nil || account.Removed != 1 || account.AssertionsAfter != 0 {
		t.Errorf("%+v, %v", account, err)
	}
	if account, err = Tests(t.Context(), g.Open(), "main", "main"); err != nil || account != nil {
		t.Errorf("a range of nothing: %+v, %v", account, err)
	}
}

// What the two ends show of a test is left out where one of the commits was told of the same, and not excused.
func TestJoiningLeavesOutWhatACommitWasTold(t *testing.T) {
	change := func(commit, subject, excuse string) report.TestChange {
		return report.TestChange{
			Commit: commit, Rule: "test_weakened", Form: "test removed", Subject: subject, Excuse: excuse,
			Before: report.TestPlace{Path: "test_a.py"},
		}
	}
	for name, c := range map[string]struct {
		told, ends []report.TestChange
		want       int
	}{
		"the same":          {[]report.TestChange{change("1", "a", "")}, []report.TestChange{change("", "a", "")}, 1},
		"another test":      {[]report.TestChange{change("1", "a", "")}, []report.TestChange{change("", "b", "")}, 2},
		"excused by itself": {[]report.TestChange{change("1", "a", "it moved")}, []report.TestChange{change("", "a", "")}, 2},
		"told nothing":      {nil, []report.TestChange{change("", "a", "")}, 1},
	} {
		r := &Result{}
		r.addTests(c.told)
		r.joinTests(&rules.RangeOutput{Output: rules.Output{Tests: &report.Tests{Changes: c.ends, Removed: 1}}})
		if len(r.Tests.Changes) != c.want || r.Tests.Removed != 1 {
			t.Errorf("%s: %+v, want %d", name, r.Tests, c.want)
		}
	}
}
