package judge_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// behind are main and its ancestors.
func behind(g *repotest.Repository) (*repo.Repo, *judge.Ancestors) {
	r, p := g.Open(), policy.Default()
	return r, judge.NewHistory(r, nil).Behind([]repo.ID{repo.ID(g.ID())}, &p)
}

// notes writes what the file «note» was before and after each step.
func notes(t *testing.T, steps iter.Seq2[evidence.Step, error]) string {
	t.Helper()
	of := func(tree *evidence.Tree) string {
		if tree == nil {
			return "nothing"
		}
		f, err := snapshot.File(t.Context(), *tree, "note")
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			return "none"
		}
		return string(f)
	}
	var all []string
	for s, err := range steps {
		if err != nil {
			return strings.Join(append(all, err.Error()), ", ")
		}
		all = append(all, of(s.Before)+" to "+of(&s.After))
	}
	return strings.Join(all, ", ")
}

func TestTheStepsOfAUnit(t *testing.T) {
	g := repotest.New(t)
	for i, message := range []string{
		"ACT: T01 of the first attempt\n", "ADAPT: M01 anew\n\nReopen: T01\n", "Mention T01\n", "Begin\n\nFor: T01\n",
		"ACT: T02 beside\n\nDone: see T01 | note:1\n", "ADAPT: M01 other\n\nReopen: T02\n", "ACT: M01/T01 end\n",
	} {
		g.Commit(message, "note", fmt.Sprint(i))
	}
	_, p := behind(g)
	for unit, want := range map[string]string{
		"M01/T01": "5 to 6, 2 to 3", "T02": "", "T03": "",
	} {
		if got := notes(t, p.Steps(unit).Steps(t.Context())); got != want {
			t.Errorf("%s: %q, want %q", unit, got, want)
		}
	}
	for range p.Steps("T01").Steps(t.Context()) {
		break // who has seen enough is told no more
	}

	g.Commit("x\n", "note", "7")
	r := g.Shallow(2)
	cut := policy.Default()
	steps := judge.NewHistory(r, nil).Behind([]repo.ID{repo.ID(g.ID())}, &cut).Steps("T01").Steps(t.Context())
	if got := notes(t, steps); got != evidence.ErrShallow.Error() {
		t.Errorf("in a shallow clone %q", got)
	}
}

// The root commit has nothing before it; a commit that replaces the newest one has no more behind it than that had.
func TestTheStepsOfACommitThatIsAmended(t *testing.T) {
	g := repotest.Counted(t)
	g.Commit("ACT: T01 one\n", "note", "1")
	g.Commit("ACT: T01 two\n", "note", "2")
	r := g.Open()
	newest, err := r.Commit(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	h, builtin := judge.NewHistory(r, nil), policy.Default()
	for _, c := range []struct {
		parents []repo.ID
		want    string
	}{
		{[]repo.ID{newest.ID}, "1 to 2, nothing to 1"},
		{newest.Parents, "nothing to 1"},
	} {
		if got := notes(t, h.Behind(c.parents, &builtin).Steps("T01").Steps(t.Context())); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if asked := slices.DeleteFunc(g.Processes(),
		func(p string) bool { return !strings.Contains(p, " log ") }); len(asked) != 1 {
		t.Errorf("git was asked %d times for what the first log held: %v", len(asked), asked)
	}
}

func TestAnEarlierClaimOfTheSameLines(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Begin\n", "a.py", code)
	g.Commit("ACT: T01 one\n\nDone: add f | a.py:1-3\n", "b", "1")
	first := g.ID()
	g.Commit("Move it down\n", "a.py", "# what f is\n\n"+code)
	for _, c := range []struct {
		unit, cited string
		want        string
	}{
		{"T02", "a.py:3-5", first + " T01 add f"}, // moved since
		{"T02", "a.py:1-5", ""},                   // more lines
		{"T02", "a.py:3-4", ""},                   // fewer
		{"T01", "a.py:3-5", ""},                   // its own
		{"M01/T01", "a.py:3-5", ""},
		{"T02", "b.py:1-3", ""}, // not there
	} {
		r, p := behind(g)
		now, err := r.Commit(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		tree := snapshot.Tree(r, now.Tree)
		m := parser.Parse([]byte("ACT: " + c.unit + " x\n\nDone: y | " + c.cited + "\n"))
		got, err := p.EarlierCitation(t.Context(), &tree, c.unit, m.Parts[0].Claims[0].Evidence[0])
		is := ""
		if got != nil {
			is = got.Commit + " " + got.Unit + " " + got.Item
		}
		if err != nil || is != c.want {
			t.Errorf("%s cites %s: %q, %v, want %q", c.unit, c.cited, is, err, c.want)
		}
	}
}

// A commit that is not here, or without its parent, says nothing of what its revert brings back.
func TestWhatAMessageReverts(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", "note", "1")
	g.Commit("two\n", "note", "2")
	g.Commit("three\n", "note", "3")
	ids := strings.Fields(g.Git("rev-list", g.ID()))
	message := "Revert them\n\n"
	for _, id := range append(ids, strings.Repeat("1", 40)) {
		message += "This reverts commit " + id + ".\n"
	}
	_, p := behind(g)
	all, err := p.Reversals(t.Context(), parser.Parse([]byte(message)))
	if err != nil {
		t.Fatal(err)
	}
	got := notes(t, func(yield func(evidence.Step, error) bool) {
		for _, s := range all {
			yield(evidence.Step{Before: s.Before, After: s.After}, nil)
		}
	})
	if want := "2 to 3, 1 to 2, nothing to 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}

	g.Commit(message, "note", "4")
	r := g.Shallow(1)
	cut := policy.Default()
	p = judge.NewHistory(r, nil).Behind([]repo.ID{repo.ID(g.ID())}, &cut)
	if all, err := p.Reversals(t.Context(), parser.Parse([]byte(message))); err != nil || len(all) != 4 ||
		!all[0].IsUnknown || !all[3].IsUnknown {
		t.Errorf("of what a shallow clone left out: %v, %v", all, err)
	}
	if a, err := p.LastAct(t.Context(), &judge.ActSearch{Key: "T01", LocalOnly: true}, false); err != nil ||
		a.Commit != "" {
		t.Errorf("the last ACT behind such a revert: %+v, %v", a, err)
	}
}

func TestTheCommitThatChangedThePlan(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Begin\n", "note", "1")
	_, p := behind(g)
	if tree, err := p.LastPlanChange(t.Context()); tree != nil || err != nil {
		t.Errorf("where there is no plan: %v, %v", tree, err)
	}
	first := judge.NewHistory(g.Open(), nil).Behind(nil, &policy.Policy{Plan: planFile})
	if tree, err := first.LastPlanChange(t.Context()); tree != nil || err != nil {
		t.Errorf("of a first commit: %v, %v", tree, err)
	}
	g.Commit("Plan\n", planFile, planned, "note", "2")
	g.Commit("Work\n", "note", "3")
	_, p = behind(g)
	tree, err := p.LastPlanChange(t.Context())
	if err != nil || tree == nil {
		t.Fatalf("%v, %v", tree, err)
	}
	if f, err := snapshot.File(t.Context(), *tree, "note"); err != nil || f == nil || string(f) != "2" {
		t.Errorf("%v, %v", f, err)
	}
}
