package judge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/repotest"
)

const missing = "checklist_evidence_file_not_found"

// landedAs judges main since a base, and writes the findings with the title of the commit that each is about.
func landedAs(t *testing.T, g *repotest.Repository, l LandedRange) (string, *Result) {
	t.Helper()
	r := g.Open()
	result, err := l.Judge(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range result.Findings {
		title := ""
		if f.Commit != "" {
			c, err := r.Commit(t.Context(), f.Commit)
			if err != nil {
				t.Fatal(err)
			}
			title, _, _ = strings.Cut(string(c.Message), "\n")
		}
		fmt.Fprintf(&b, "%s %s (%s)\n", f.Severity, f.Rule, title)
	}
	return b.String(), result
}

func TestARangeSaysWhatBecameOfItsMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(g *repotest.Repository)
		want string
	}{
		"a mistake that stays": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
		}, "error " + missing + " (ACT: T01)\n"},
		"a later ACT without errors supersedes it": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code+"# f\n")
		}, "note " + missing + " (ACT: T01)\n"},
		"another task's does not": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit(act("T02", "add g", "c.py:1-3"), "c.py", other)
		}, "error " + missing + " (ACT: T01)\n"},
		"one with errors of its own does not": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit("ACT: T01 again\n\nDone: add f | d.py:1-3\n", "a.py", code+"# f\n")
		}, "error " + missing + " (ACT: T01)\nerror " + missing + " (ACT: T01 again)\n"},
		"one that was reverted does not": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit("ACT: T01 again\n\nDone: add f | c.py:1-3\n", "c.py", other)
			g.Commit("Revert \"ACT: T01 again\"\n\nThis reverts commit "+g.ID()+".\n", "c.py", "")
		}, "error " + missing + " (ACT: T01)\n"},
		"an earlier one does not": {func(g *repotest.Repository) {
			g.Commit("ACT: T01 first\n\nDone: add f | a.py:1-3\n", "a.py", code)
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code+"# f\n")
		}, "error " + missing + " (ACT: T01)\n"},
		"a revert takes it back": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit("Revert \"ACT: T01\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", "")
		}, "note " + missing + " (ACT: T01)\n"},
		"a revert in words alone does not": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit("Revert \"ACT: T01\"\n\nThis reverts commit "+g.ID()+".\n", "note", "2")
		}, "error " + missing + " (ACT: T01)\n"},
		"a revert that is reverted does not": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
			g.Commit("Revert \"ACT: T01\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", "")
			g.Commit("Reapply \"ACT: T01\"\n\nThis reverts commit "+g.ID()+".\n", "a.py", code)
		}, "error " + missing + " (ACT: T01)\n"},
		"what held before the range and does not any more": {func(g *repotest.Repository) {
			g.Commit("Simplify\n", "base.py", empty)
		}, "error evidence_regressed (Simplify)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Base\n", "note", "1")
			g.Commit("ACT: T00 base\n\nDone: add base | base.py:1-3\n", "base.py", code)
			base := g.ID()
			c.tell(g)
			if got, _ := landedAs(t, g, LandedRange{Base: base, Head: "main"}); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// What the commits of a range did for a unit counts for its claim, in the range as alone.
func TestWorkForAUnitCountsInItsRange(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	base := g.ID()
	g.Commit("Write f\n\nFor: T01\n", "a.py", code)
	g.Commit(act("T01", "add f", "a.py:1-3"), "note", "2")
	for _, from := range []string{base, "main~1"} {
		if got, result := landedAs(t, g, LandedRange{Base: from, Head: "main"}); got != "" || result.Claims.Verified != 1 {
			t.Errorf("since %s:\n%s", from, got)
		}
	}
}

func TestThePolicyOfTheBaseJudges(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	base := g.ID()
	g.Commit("Looser\n", policy.Path, "version: 1\nrules: {"+missing+": off}\n")
	g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
	if got, _ := landedAs(t, g, LandedRange{Base: base, Head: "main"}); !strings.Contains(got, "error "+missing) {
		t.Errorf("the range loosens its own judge:\n%s", got)
	}
	if got, _ := landedAs(t, g, LandedRange{Base: "main~1", Head: "main"}); strings.Contains(got, missing) {
		t.Errorf("a range after it answers to it:\n%s", got)
	}
}

func TestWhatThePolicyAcceptsAndWhatItLeavesOut(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	g.Commit("ACT: T01 old\n\nDone: add f | b.py:1-3\n", "a.py", code)
	old := g.ID()
	g.Commit("Policy\n", policy.Path, "version: 1\naccepted: [{commit: "+old+", reason: from before acta}]\n")
	accepting := g.ID()
	if got, result := landedAs(t, g, LandedRange{Base: "", Head: accepting}); !strings.HasPrefix(
		got, "error "+missing+" (ACT: T01 old)\n",
	) || result.Range != accepting {
		t.Errorf("without a base the built-in policy judges:\n%s%s", got, result.Range)
	}
	g.Branch("side", old+"~1")
	g.Commit("Policy\n", policy.Path, "version: 1\naccepted: [{commit: "+old+", reason: from before acta}]\n")
	if got, result := landedAs(t, g, LandedRange{Base: g.ID(), Head: "main"}); result.Commits != 2 {
		t.Errorf("%d commits:\n%s", result.Commits, got)
	}
	g.Branch("since", accepting)
	g.Commit("Since\n", policy.Path, "version: 1\nsince: "+accepting+"\n")
	since := g.ID()
	g.Commit("Later\n", "note", "2")
	if _, result := landedAs(t, g, LandedRange{Base: since, Head: "since"}); result.Commits != 1 {
		t.Errorf("%d commits", result.Commits)
	}
	g.Commit("Lost\n", policy.Path, "version: 1\nsince: "+strings.Repeat("1", 40)+"\n")
	g.Commit("Last\n", "note", "3")
	var config *policy.ConfigError
	if _, err := Range(
		t.Context(), g.Open(), "since~1", "since",
	); !errors.As(err, &config) || !strings.Contains(err.Error(), "since names commit") {
		t.Errorf("a since that is not here: %v", err)
	}
}

func TestARangeThatClaimsNothingPassesWithoutAPolicy(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Policy\n", policy.Path, "version: 9\n")
	g.Commit("Work\n", "note", "1")
	if got, result := landedAs(
		t, g, LandedRange{Base: "main~1", Head: "main"},
	); got != "" || len(result.Warnings) != 1 || result.Code() != 0 {
		t.Errorf("%s%v", got, result.Warnings)
	}
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	var config *policy.ConfigError
	if _, err := Range(t.Context(), g.Open(), "main~2", "main"); !errors.As(err, &config) {
		t.Errorf("a claim: %v", err)
	}
}

// A commit that cannot be judged does not keep the others from it.
func TestWhatCannotBeDecidedIsNotLeftOut(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
	blob := g.Git("rev-parse", g.ID()+"~1:a.py")
	base := g.Git("rev-parse", "main~2")
	if err := os.Remove(filepath.Join(g.Dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	r := g.Open()
	result, err := Range(t.Context(), r, base, "main")
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Undecided) == 0 || result.Code() != 3 || result.Commits != 2 || result.Claims.Verified != 1 {
		t.Errorf("%v, %+v", result.Undecided, result.Claims)
	}
}
