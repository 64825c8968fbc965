package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// planned is a plan of slices M01 and M02, in which T01 has one item.
const planned = `{"id": "R", "type": "parent", "children": [
	{"id": "M01", "type": "parent", "children": [{"id": "T01", "type": "atomic", "status": "pending", "checklist": [{"item": "add f"}]}]},
	{"id": "M02", "type": "parent", "children": [{"id": "T02", "type": "atomic", "status": "pending", "checklist": [{"item": "add g"}]}]}]}`

const planFile = "working_plan/current.json"

func act(unit, item, place string) string {
	return fmt.Sprintf("ACT: %s %s\n\nDone: %s | %s\n", unit, place, item, place)
}

func reverts(id string) string { return "Revert it\n\nThis reverts commit " + id + ".\n" }

// lastAct writes what is known of the last ACT of M01/T01 at main: the place that it names, and what was true of it.
func lastAct(t *testing.T, g *repotest.Repository) string {
	t.Helper()
	r := g.Open()
	a, err := judge.NewHistory(r, nil).LastAct(t.Context(), "M01/T01")
	if err != nil {
		t.Fatal(err)
	}
	return describe(t, r, "M01/T01", a)
}

func itemsOf(a plan.Act) (all []plan.Item) {
	for _, i := range a.Items {
		all = append(all, i.Item)
	}
	return all
}

func describe(t *testing.T, r *repo.Repo, unit string, a plan.Act) string {
	t.Helper()
	root, err := plan.Parse([]byte(planned))
	if err != nil {
		t.Fatal(err)
	}
	if a.Commit == "" {
		if a.IsUnknown {
			return "unknown"
		}
		return "none"
	}
	c, err := r.Commit(t.Context(), a.Commit)
	if err != nil {
		t.Fatal(err)
	}
	title, _, _ := strings.Cut(string(c.Message), "\n")
	words := []string{title[strings.LastIndexByte(title, ' ')+1:]}
	for _, f := range []struct {
		name string
		is   bool
	}{{"reported", plan.CoversChecklist(itemsOf(a), root.Find(unit).Checklist)}, {"adapted", a.IsAdapted}, {"failed", a.HasFailed}, {"unverified", a.HasRefuted}, {"errors", a.HasErrors}} {
		if f.is {
			words = append(words, f.name)
		}
	}
	for i, r := range a.Items {
		if r.Problem != "" || r.IsSkipped || a.Evidence == nil {
			continue
		}
		why, err := a.Evidence.LossReason(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		if why != "" {
			words = append(words, "lost")
		}
	}
	return strings.Join(words, " ")
}

// Commits from before the policy's since are not judged, and are no record.
func TestNoLastActIsFromBeforeTheRecordBegins(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Begin\n", planFile, planned)
	g.Commit(act("M01/T01", "add f", "a.py:1-3"), "a.py", code)
	acted := g.ID()
	g.Commit("Next\n", "b.txt", "b")
	next := g.ID()
	for since, want := range map[string]string{
		"": "a.py:1-3 reported", acted: "a.py:1-3 reported", next: "none", strings.Repeat("1", 40): "a.py:1-3 reported",
	} {
		g.Commit("Policy\n", ".acta.yaml", "since: \""+since+"\"\n")
		if got := lastAct(t, g); got != want {
			t.Errorf("since %q: %s, want %s", since, got, want)
		}
	}
	h := judge.NewHistory(g.Shallow(3), nil)
	for since, want := range map[string]bool{g.ID(): false, acted: true, "": true} {
		p := policy.Default()
		p.Since = since
		found, err := h.Behind([]repo.ID{repo.ID(g.ID())}, &p).LastAct(t.Context(), &judge.ActSearch{Key: "T01"}, false)
		if err != nil || found.IsUnknown != want {
			t.Errorf("since %q, of which three commits were fetched: %v, %v", since, found, err)
		}
	}
}

func TestLastAct(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(g *repotest.Repository)
		want string
	}{
		"nobody acted": {func(*repotest.Repository) {}, "none"},
		"another task acted": {func(g *repotest.Repository) {
			g.Commit(act("M02/T02", "add g", "b.py:1-3"), "b.py", other)
		}, "none"},
		"it acted": {func(g *repotest.Repository) {
			g.Commit(act("M01/T01", "add f", "a.py:1-3"), "a.py", code)
		}, "a.py:1-3 reported"},
		"named by its id alone": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
		}, "a.py:1-3 reported"},
		"moved in the plan since": {func(g *repotest.Repository) {
			g.Commit(act("M09/T01", "add f", "a.py:1-3"), "a.py", code)
		}, "a.py:1-3 reported"},
		"an item is left out": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add h", "a.py:1-3"), "a.py", code)
		}, "a.py:1-3 errors"},
		"the newest of two": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("T01", "add f", "b.py:1-3"), "b.py", other)
		}, "b.py:1-3 reported"},
		"an ADAPT came since": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ADAPT: T01 it works\n", "note", "1")
		}, "a.py:1-3 reported adapted"},
		"an ADAPT of another task came since": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ADAPT: T02 it works\n", "note", "1")
		}, "a.py:1-3 reported"},
		"an ADAPT reopened it": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ADAPT: M01 again\n\nReopen: M01/T01\n", "note", "1")
		}, "none"},
		"an ADAPT reopened what is above it": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ADAPT: R again\n\nReopen: M01\n", "note", "1")
		}, "none"},
		"an ADAPT reopened another task": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ADAPT: R again\n\nReopen: M02\n", "note", "1")
		}, "a.py:1-3 reported"},
		"it was reverted": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("T01", "add f", "b.py:1-3"), "b.py", other)
			g.Commit(reverts(g.ID()), "b.py", "")
		}, "a.py:1-3 reported"},
		"a message says that it was reverted": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("T01", "add f", "b.py:1-2"), "b.py", empty)
			g.Commit(reverts(g.ID()), "note", "1")
		}, "b.py:1-2 reported unverified errors"},
		"a message says that the merge that it came by was reverted": {func(g *repotest.Repository) {
			g.Commit("Base\n", "base", "1")
			g.Branch("side", g.ID())
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Branch("main", "")
			g.Commit("Meanwhile\n", "base", "2")
			g.Merge("Merge side\n", "side", "a.py", code)
			g.Commit(reverts(g.ID()), "note", "1")
		}, "a.py:1-3 reported"},
		"the merge that it came by was reverted": {func(g *repotest.Repository) {
			g.Commit("Base\n", "base", "1")
			base := g.ID()
			g.Branch("side", base)
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Branch("main", "")
			g.Commit("Meanwhile\n", "base", "2")
			g.Merge("Merge side\n", "side", "a.py", code)
			g.Commit(reverts(g.ID()), "a.py", "")
		}, "none"},
		"a cherry-pick of it": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3")+"\n(cherry picked from commit "+strings.Repeat("1", 40)+")\n", "a.py", code)
		}, "none"},
		"it says that it failed": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3")+"Outcome: failure\n", "a.py", code)
		}, "a.py:1-3 reported failed"},
		"its claim does not hold": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-2"), "a.py", empty)
		}, "a.py:1-2 reported unverified errors"},
		"what it showed is a stub now": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("Simplify\n", "a.py", empty)
		}, "a.py:1-3 reported lost"},
		"the last title of a squash": {func(g *repotest.Repository) {
			g.Commit(
				"Squashed\n\n"+act("T01", "add f", "a.py:1-3")+"\n"+act("T01", "add f", "b.py:1-3"), "a.py", code, "b.py", other,
			)
		}, "Squashed reported"},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planFile, planned)
			c.tell(g)
			if got := lastAct(t, g); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnActFromBeforeThePlanIsAdapted(t *testing.T) {
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	g.Commit("Plan\n", planFile, planned)
	if got := lastAct(t, g); got != "a.py:1-3 reported adapted" {
		t.Errorf("got %q", got)
	}
}

func TestWithoutACommitNobodyActed(t *testing.T) {
	if got := lastAct(t, repotest.New(t)); got != "none" {
		t.Errorf("got %q", got)
	}
}

// What a shallow clone left out may have been an ACT.
func TestACutHistoryDoesNotSayThatNobodyActed(t *testing.T) {
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3"), planFile, planned, "a.py", code)
	g.Commit("x\n", "note", "1")
	id := g.ID()
	g.Write(".git/shallow", id+"\n")
	if got := lastAct(t, g); got != "unknown" {
		t.Errorf("got %q", got)
	}
}

// git is asked once for all units that a range names, and not once a unit.
func TestOneSearchServesTheUnitsOfARange(t *testing.T) {
	searches := func(units int) int {
		g := repotest.Counted(t)
		g.Commit("Plan\n", planFile, planned)
		base := g.ID()
		for i := range units {
			path := fmt.Sprintf("f%d.py", i)
			g.Commit(act(fmt.Sprint("T9", i), "add f", path+":1-3"), path, source(i))
		}
		r := g.Open()
		if _, err := judge.Range(t.Context(), r, base, "main"); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range g.Processes() {
			if strings.Contains(p, "--grep") {
				n++
			}
		}
		return n
	}
	if few, many := searches(2), searches(12); many > few {
		t.Errorf("%d searches for 2 tasks, %d for 12", few, many)
	}
}
