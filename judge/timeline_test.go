package judge_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

func source(n int) string {
	return fmt.Sprintf("def f%d(x):\n    y = x + %d\n    return y\n", n, n)
}

func stub(n int) string { return fmt.Sprintf("def f%d(x):\n    pass\n", n) }

// long makes a history of n commits, every 20th an ACT with a file of its own, and
// a range of 20 commits after them.
func long(g *repotest.Repository, n int) {
	for i := range n {
		if i%20 == 0 {
			path := fmt.Sprintf("src/d%d/f%d.py", i%7, i)
			g.Commit(fmt.Sprintf("ACT: T%d work\n\nDone: Add it | %s:1-3\n", i, path), path, source(i))
			continue
		}
		g.Commit(fmt.Sprintf("Work %d\n\nContract: none\n", i), "work.txt", fmt.Sprint(i))
	}
	for i := range 20 {
		g.Commit(fmt.Sprintf("Range %d", i), "work.txt", fmt.Sprintf("range %d", i))
	}
	g.Commit("Simplify", "src/d0/f0.py", stub(0), fmt.Sprintf("src/d%d/f%d.py", (n-20)%7, n-20), stub(n-20))
}

func TestARangeAfterALongHistoryCostsFewProcesses(t *testing.T) {
	g := repotest.Counted(t)
	long(g, 2000)
	r := g.Open()
	result, err := judge.Range(t.Context(), r, "main~21", "main")
	if err != nil {
		t.Fatal(err)
	}
	if n := result.Count(report.Error); n != 2 {
		t.Errorf("%d errors, want those of the oldest and the newest claim: %v", n, result.Findings)
	}
	// None a commit and none an ACT: what is one more than a few here would be hundreds.
	if p := g.Processes(); len(p) > 14 {
		t.Errorf("%d processes:\n%s", len(p), strings.Join(p, "\n"))
	}
}

func TestARangeThatChangesNoClaimedFileReadsNoOldClaim(t *testing.T) {
	g := repotest.New(t)
	long(g, 400)
	r := g.Open()
	followed, commits, judged, err := judge.NewHistory(r, nil).FollowRange(t.Context(), "main~21", "main~1")
	if err != nil || len(followed) != 0 {
		t.Fatalf("%v, %v", followed, err)
	}
	if commits != 20 || judged != 0 {
		t.Errorf("%d commits are read and %d judged, want the 20 ACTs and none", commits, judged)
	}
}

func TestOnlyTheLastActsAreLookedAt(t *testing.T) {
	g := repotest.New(t)
	for i := range judge.MaxEarlier + 3 {
		path := fmt.Sprintf("f%d.py", i)
		g.Commit(fmt.Sprintf("ACT: T%d work\n\nDone: Add it | %s:1-3\n", i, path), path, source(i))
	}
	g.Commit("Simplify", "f2.py", stub(2), "f3.py", stub(3))
	r := g.Open()
	result, err := judge.Range(t.Context(), r, "main~1", "main")
	if err != nil {
		t.Fatal(err)
	}
	if found := regressedIn(result); len(found) != 1 || found[0].Unit != "T3" || len(result.Warnings) != 0 {
		t.Errorf(
			"got %v, %v; want the claim of T3 alone: the %d before the range begin with it", found, result.Warnings,
			judge.MaxEarlier,
		)
	}
	report, err := judge.NewHistory(r, nil).Claims(t.Context(), "", "main")
	if err != nil || len(report.Claims) != judge.MaxEarlier || report.Code() != 1 {
		t.Errorf("%d claims, %v", len(report.Claims), err)
	}
}

// Following to where a claim was made says holds, whatever stands there.
func TestFollowingToTheSameTreeAlwaysHolds(t *testing.T) {
	g := repotest.New(t)
	long(g, 200)
	r := g.Open()
	report, err := judge.NewHistory(r, nil).Claims(context.Background(), "", "main~1")
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Claims) != 10 {
		t.Fatalf("%d claims", len(report.Claims))
	}
	for _, c := range report.Claims {
		if c.State != evidence.StateHolds || c.Reason != "" || c.Line != 1 || c.EndLine != 3 {
			t.Errorf("%+v", c)
		}
	}
}

const (
	code  = "def f(x):\n    y = x + 1\n    return y\n"
	other = "def g(a):\n    b = call(a)\n    return b\n"
	empty = "def f(x):\n    pass\n"
)

// traced writes what Claims says as «state unit item [reason]», a line each.
func traced(t *testing.T, g *repotest.Repository) string {
	t.Helper()
	report, err := judge.NewHistory(g.Open(), nil).Claims(t.Context(), "", "main")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range report.Claims {
		line := fmt.Sprintf("%s %s %s", c.State, c.Unit, c.Item)
		if c.Excused() {
			line += " excused"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func TestWhichClaimsAreFollowed(t *testing.T) {
	act := func(unit, item, place string) string {
		return fmt.Sprintf("ACT: %s work\n\nDone: %s | %s\n", unit, item, place)
	}
	for name, c := range map[string]struct {
		tell func(g *repotest.Repository)
		want string
	}{
		"the worst of several places": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3, b.py:1-3"), "a.py", code, "b.py", code)
			g.Commit("x", "b.py", empty)
		}, "hollowed T01 add f\n"},
		"what was not verified is no claim": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-2"), "a.py", empty)
		}, ""},
		"the newest claim of an item, the task named by its key or its id": {func(g *repotest.Repository) {
			g.Commit(act("M01/T01", "Add `f`", "a.py:1-3"), "a.py", code)
			g.Commit(act("T01", "add f", "b.py:1-3"), "b.py", code)
			g.Commit("x", "a.py", empty)
		}, "holds T01 add f\n"},
		"another task's item of the same name is another item": {func(g *repotest.Repository) {
			g.Commit(act("M01/T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("M02/T01", "add f", "b.py:1-3"), "b.py", code)
		}, "holds M01/T01 add f\nholds M02/T01 add f\n"},
		"a claim that is pending now": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ACT: T01 again\n\nPending: add f\nOutcome: failure\n", "a.py", empty)
		}, ""},
		"reverted": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", "")
		}, ""},
		"a revert beside the cited lines": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", "# f\n"+code)
		}, "holds T01 add f\n"},
		"a revert that is reverted": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", "")
			g.Commit("Reapply \"ACT: T01 work\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", code)
		}, "holds T01 add f\n"},
		"a later claim that is reverted leaves the earlier one": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("T01", "add f", "b.py:1-3"), "b.py", code)
			g.Commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.ID()+".\n", "b.py", "")
		}, "holds T01 add f\n"},
		"a commit cannot revert what comes after it": {func(g *repotest.Repository) {
			g.Commit("Revert \"ACT\"\n\nThis reverts commit "+strings.Repeat("0", 40)+".\n", "x.py", "x = 1")
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
		}, "holds T01 add f\n"},
		"reopened after it, not before": {func(g *repotest.Repository) {
			g.Commit("ADAPT: T01\n\nReopen: T01\n", "p", "1")
			g.Commit(act("M01/T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
			g.Commit("ADAPT: T02\n\nReopen: T02\n", "p", "2")
			g.Commit("x", "a.py", empty, "b.py", "def g(a):\n    pass\n")
		}, "hollowed M01/T01 add f\nhollowed T02 add g excused\n"},
		"an ACT that names a task to reopen reopens nothing": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit("ACT: T02\n\nDone: add it | b.py:1-3\nReopen: T01\n", "a.py", empty, "b.py", other)
		}, "hollowed T01 add f\nholds T02 add it\n"},
		"a report file": {func(g *repotest.Repository) {
			report := `{"checklist": [{"item": "add f", "status": "done", "evidence": ["a.py:1-3", "b.py:1-3"]}]}`
			g.Commit("ACT: T01\n\nReport: r.json\n", "r.json", report, "a.py", code, "b.py", code)
			g.Commit("x", "b.py", empty)
		}, "hollowed T01 add f\n"},
		"a removal that is back": {func(g *repotest.Repository) {
			g.Commit("x", "a.py", code)
			g.Commit(act("T01", "drop f", "-a.py"), "a.py", "")
			g.Commit("x", "a.py", code)
		}, "gone T01 drop f\n"},
		"the kind that the plan gives": {func(g *repotest.Repository) {
			plan := `{"id": "R", "type": "parent", "children": [{"id": "T01", "type": "atomic", "checklist": [{"item": "describe f", "kind": "text"}]}]}`
			g.Commit("x", "working_plan/current.json", plan, "a.py", "def f(x):\n    y = x + 1\n    return y\n")
			g.Commit(act("T01", "describe f", "a.py:2"), "a.py", "def f(x):\n    # Adds one.\n    y = x + 1\n    return y\n")
			g.Commit("x", "a.py", "def f(x):\n    # Adds one.\n    pass\n")
		}, "holds T01 describe f\n"},
		"a renamed file, edited after": {func(g *repotest.Repository) {
			long := strings.Repeat("# a line\n", 30)
			g.Commit(act("T01", "add f", "a.py:31-33"), "a.py", long+code)
			g.Commit("x", "a.py", "", "lib/a.py", long+code)
			g.Commit("x", "lib/a.py", "", "lib/b.py", long+code+"z = 1\n")
			g.Commit("x", "lib/b.py", long+empty)
		}, "hollowed T01 add f\n"},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			c.tell(g)
			if got := traced(t, g); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// The commit that is blamed is the one after which it was so for good.
func TestTheCommitThatDidItIsNamed(t *testing.T) {
	g := repotest.New(t)
	g.Commit("ACT: T01\n\nDone: add f | a.py:1-3\n", "a.py", code)
	var ids []string
	for i, content := range []string{code + "z = 1\n", empty, code, empty + "z = 2\n", empty + "z = 3\n"} {
		g.Commit(fmt.Sprint(i), "a.py", content)
		ids = append(ids, g.ID())
	}
	r := g.Open()
	result, err := judge.Range(t.Context(), r, ids[0]+"~1", "main")
	if found := regressedIn(result); err != nil || len(found) != 1 || found[0].Commit != ids[3] {
		t.Errorf("got %v, %v; want one finding about %s", found, err, ids[3])
	}
	// From within: it was a stub before the range, and is one again.
	result, err = judge.Range(t.Context(), r, ids[1], "main")
	if found := regressedIn(result); err != nil || len(found) != 0 {
		t.Errorf("it was so before the range: %v, %v", found, err)
	}
}

// regressedIn are the findings about what regressed.
func regressedIn(r *judge.Result) []report.Finding {
	if r == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f report.Finding) bool {
		return f.Rule != "evidence_regressed"
	})
}
