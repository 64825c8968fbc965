package judge_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/repo/repotest"
)

func status(of, is string) string {
	return strings.Replace(
		planned, `"id": "`+of+`", "type": "atomic", "status": "pending"`,
		`"id": "`+of+`", "type": "atomic", "status": "`+is+`"`, 1,
	)
}

// lines writes a record: kind, unit, its verdicts, the files, the statuses that moved, and whether it failed.
func lines(all *judge.Record) string {
	var b strings.Builder
	for _, l := range all.Parts {
		fmt.Fprintf(&b, "%v %s", l.Part.Kind, l.Part.Unit.Value)
		for _, v := range l.Verdicts {
			fmt.Fprintf(&b, " %s=%s", v.Item, v.Verdict)
		}
		fmt.Fprintf(&b, " %v", l.Files)
		for _, m := range l.StatusMoves {
			fmt.Fprintf(&b, " %s:%s", m.Key, m.To)
		}
		if l.HasFailed {
			b.WriteString(" failed")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestTheRecordOfABranch(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Plan\n", planFile, planned)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	g.Commit("Not of a task\n", "note", "1")
	g.Commit(act("T02", "add g", "b.py:1-2"), "b.py", empty)
	g.Commit("ADAPT: T01 it works\n", planFile, status("T01", "complete"))
	all, err := judge.NewHistory(g.Open(), nil).Record(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	want := "ACT T01 add f=verified [a.py]\n" +
		"ACT T02 add g=not_verified [b.py] failed\n" +
		"ADAPT T01 [working_plan/current.json] M01/T01:complete\n"
	if got := lines(all); got != want || len(all.Warnings) != 0 || all.Tier != policy.Standard {
		t.Errorf("got\n%s%v, tier %v; want\n%s", got, all.Warnings, all.Tier, want)
	}
}

func TestTheRecordOfOneCommit(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(g *repotest.Repository)
		want string
	}{
		"that claims nothing": {func(g *repotest.Repository) { g.Commit("x\n", "note", "1") }, ""},
		"a root commit": {func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
		}, "ACT T01 add f=verified [a.py]\n"},
		"a squash, whose ADAPTs move each its own task and the last one the rest": {func(g *repotest.Repository) {
			g.Commit("Plan\n", planFile, planned)
			both := strings.Replace(
				status("T01", "complete"), `"id": "T02", "type": "atomic", "status": "pending"`,
				`"id": "T02", "type": "atomic", "status": "complete"`, 1,
			)
			g.Commit("Squashed\n\nADAPT: T01 one\n\nADAPT: R two\n", planFile, both)
		}, "ADAPT T01 [working_plan/current.json] M01/T01:complete\nADAPT R [working_plan/current.json] M02/T02:complete\n"},
		"a plan that lands moves nothing": {func(g *repotest.Repository) {
			g.Commit("ADAPT: R begin\n", planFile, status("T01", "complete"))
		}, "ADAPT R [working_plan/current.json]\n"},
		"a merge moves what stands as in none of its parents": {func(g *repotest.Repository) {
			g.Commit("Plan\n", planFile, planned)
			base := g.ID()
			g.Branch("side", base)
			g.Commit("ADAPT: T01 done\n", planFile, status("T01", "complete"))
			g.Branch("main", "")
			g.Commit("Meanwhile\n", "note", "1")
			g.Merge(
				"ADAPT: R both\n", "side", planFile,
				strings.Replace(status("T01", "complete"), `"status": "pending"`, `"status": "complete"`, 1),
			)
		}, "ADAPT R [working_plan/current.json] M02/T02:complete\n"},
		"under a plan that its own policy places": {func(g *repotest.Repository) {
			g.Commit("Plan\n", policy.Path, "version: 1\nplan: {working: p.json}\n", "p.json", planned)
			g.Commit("ADAPT: T01 done\n", "p.json", status("T01", "complete"))
		}, "ADAPT T01 [p.json] M01/T01:complete\n"},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			c.tell(g)
			all, err := judge.NewHistory(g.Open(), nil).RecordOf(t.Context(), "main")
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(all); got != c.want || len(all.Warnings) != 0 {
				t.Errorf("got\n%s%v; want\n%s", got, all.Warnings, c.want)
			}
		})
	}
}

func TestABranchWithoutACommitHasNoRecord(t *testing.T) {
	all, err := judge.NewHistory(repotest.New(t).Open(), nil).Record(t.Context(), "HEAD")
	if err != nil || len(all.Parts) != 0 || all.Tier != policy.Default().DefaultTier {
		t.Errorf("%+v, %v", all, err)
	}
}

// What cannot be judged is unclear and a warning; the rest of the record stands.
func TestACommitWithoutItsParentIsUnclearInTheRecord(t *testing.T) {
	g := repotest.New(t)
	g.Commit("x\n", "note", "1")
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
	r := g.Shallow(2)
	all, err := judge.NewHistory(r, nil).Record(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	want := "ACT T01 add f=unclear []\nACT T02 add g=verified [b.py]\n"
	if got := lines(all); got != want || len(all.Warnings) == 0 || !strings.Contains(
		strings.Join(all.Warnings, "\n"), "could not be judged",
	) {
		t.Errorf("got\n%s%v; want\n%s", got, all.Warnings, want)
	}
}

// The runs of a session are asked once a session, and one that cannot be read is a warning.
func TestRunsAreHeldToTheRecordedOnes(t *testing.T) {
	g := repotest.New(t)
	g.Commit("x\n", "note", "1")
	g.Commit("ACT: T01 one\n\nDone: add f | a.py:1-3\nRan: go test ./... | exit 0\nSession: s1\n", "a.py", code)
	r := g.Open()
	exit, asked := 1, []string{}
	runs := func(_ context.Context, session string) ([]rules.RecordedRun, error) {
		asked = append(asked, session)
		return []rules.RecordedRun{{Command: "go test ./...", Exit: &exit}}, nil
	}
	all, err := judge.NewHistory(r, runs).RecordOf(t.Context(), "main")
	if err != nil || len(all.Parts) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	of := func(all *judge.Record) (n int) {
		for _, v := range all.Parts[0].Verdicts {
			if v.Status == rules.StatusRan {
				n++
			}
		}
		return n
	}
	if of(all) != 1 || !slices.Equal(asked, []string{"s1"}) {
		t.Errorf("%d verdicts of runs, asked for %v", of(all), asked)
	}
	broken := func(context.Context, string) ([]rules.RecordedRun, error) { return nil, errors.New("torn") }
	all, err = judge.NewHistory(r, broken).RecordOf(t.Context(), "main")
	if err != nil || of(all) != 0 || len(all.Warnings) != 1 || !strings.Contains(all.Warnings[0], "torn") {
		t.Errorf("%v, %v", all.Warnings, err)
	}
	if all, err = judge.NewHistory(r, nil).RecordOf(t.Context(), "main"); err != nil || of(all) != 0 {
		t.Errorf("where nobody gives runs none are compared: %v", err)
	}
}
