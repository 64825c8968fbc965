package judge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

// A commit is judged alike before it is made and once it has landed: the findings are the same, with commit blanked.
func TestACommitIsJudgedAlikeBeforeAndAfterItIsMade(t *testing.T) {
	complete01 := strings.Replace(planned, `"id": "T01", "type": "atomic", "status": "pending"`,
		`"id": "T01", "type": "atomic", "status": "complete"`, 1)
	for name, c := range map[string]struct {
		before  []string // what an ACT of T01 brings before; nil for no such commit
		files   []string
		message string
		rules   []string // that are found
	}{
		"nothing is claimed": {nil, []string{"note", "2"}, "Work\n", nil},
		"a claim holds":      {nil, []string{"a.py", code}, act("T01", "add f", "a.py:1-3"), nil},
		"a claim is hollow": {nil, []string{"a.py", empty}, act("T01", "add f", "a.py:1-2"),
			[]string{"checklist_evidence_empty_impl"}},
		"two claims of one item": {nil, []string{"a.py", code},
			"ACT: T01\n\nDone: add f | a.py:1-3\nSkipped: add f | not needed any more\n", []string{"checklist_item_duplicate"}},
		"an ADAPT completes what acted": {
			[]string{"a.py", code}, []string{planAt, complete01}, "ADAPT: T01 is complete\n", []string{"observation_missing"}},
		"an ADAPT completes what did not": {nil, []string{planAt, complete01}, "ADAPT: T01 is complete\n",
			[]string{"plan_move_illegal"}},
		"an ADAPT brings code": {nil, []string{planAt, complete01, "a.py", code}, "ADAPT: T01 is complete\n",
			[]string{"plan_move_illegal", "plan_not_alone"}},
		"an ACT changes the plan": {nil, []string{planAt, complete01, "a.py", code}, act("T01", "add f", "a.py:1-3"),
			[]string{"plan_not_alone"}},
		"a task acts once more": {[]string{"a.py", code}, []string{"a.py", code + "# f\n"},
			act("T01", "add f", "a.py:1-3"), []string{"act_not_allowed"}},
		"the intent changes": {nil, []string{"user_intent/project.json", "{\"a\": 2}\n"}, "Work\n",
			[]string{"intent_modified"}},
		"the policy is none": {nil, []string{policy.Path, "rulez: {}\n"}, "Work\n", []string{"policy_invalid"}},
		"a file is removed as claimed": {nil, []string{"note", ""}, act("T01", "add f", "-note"),
			[]string{"evidence_unclear"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planAt, planned, "note", "1", "user_intent/project.json", "{\"a\": 1}\n")
			if c.before != nil {
				g.Commit(act("T01", "add f", "a.py:1-3"), c.before...)
			}
			base := g.ID()
			g.Stage(c.files...)
			staged, err := judgeStaged(t, g, func(s *StagedCommit) { s.MayAmend = false }, c.message)
			if err != nil {
				t.Fatal(err)
			}
			g.Git("commit", "-q", "--allow-empty", "--no-verify", "-m", c.message)
			landed, err := LandedRange{Base: base, Head: "HEAD"}.Judge(t.Context(), g.Open())
			if err != nil {
				t.Fatal(err)
			}
			for i := range landed.Findings {
				f := &landed.Findings[i]
				f.Commit = ""
				f.Hint, _, _ = strings.Cut(f.Hint, "if it has landed, ")
				f.Hint = strings.TrimSuffix(f.Hint, "; ")
			}
			if !slices.Equal(staged.Findings, landed.Findings) {
				t.Errorf("before it is made\n%vafter\n%v", found(staged.Findings), found(landed.Findings))
			}
			var rules []string
			for _, f := range staged.Findings {
				rules = append(rules, f.Rule)
			}
			slices.Sort(rules)
			if !slices.Equal(slices.Compact(rules), c.rules) {
				t.Errorf("found %q, want %q", rules, c.rules)
			}
		})
	}
}

func TestAnAmendedCommitIsComparedWithItsParentsParent(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "user_intent/amendments/1.md", "one\n")
	g.Commit("Ask\n", "user_intent/amendments/1.md", "one\n", "user_intent/amendments/2.md", "two\n")
	g.Stage("user_intent/amendments/2.md", "two, and more\n")
	for may, want := range map[bool]string{true: "", false: "error intent_modified\n"} {
		result, err := judgeStaged(t, g, func(s *StagedCommit) { s.MayAmend = may }, "Ask\n")
		if err != nil || found(result.Findings) != want {
			t.Errorf("HEAD may be amended: %v: found %q, %v", may, found(result.Findings), err)
		}
	}
}

func TestTasksThatAChangeCompletes(t *testing.T) {
	read := func(text string) *plan.Unit {
		t.Helper()
		if text == "" {
			return nil
		}
		u, err := plan.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	with := func(statuses ...string) string {
		text := planned
		for i := 0; i < len(statuses); i += 2 {
			text = strings.Replace(text, `"id": "`+statuses[i]+`", "type": "atomic", "status": "pending"`,
				`"id": "`+statuses[i]+`", "type": "atomic", "status": "`+statuses[i+1]+`"`, 1)
		}
		return text
	}
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"none":                 {planned, planned, nil},
		"one":                  {planned, with("T01", "complete"), []string{"T01"}},
		"both":                 {planned, with("T01", "complete", "T02", "complete"), []string{"T01", "T02"}},
		"one that was already": {with("T01", "complete"), with("T01", "complete", "T02", "complete"), []string{"T02"}},
		"another status":       {planned, with("T01", "in_progress"), nil},
		"a plan that lands so": {"", with("T01", "complete"), []string{"T01"}},
		"a task with tasks below": {planned,
			strings.Replace(planned, `"type": "parent"`, `"type": "parent", "status": "complete"`, 1), nil},
		"a plan that is gone":      {with("T01", "complete"), "", nil},
		"one that was not planned": {`{"id": "R", "type": "parent"}`, with("T02", "complete"), []string{"T02"}},
	} {
		var got []string
		for _, n := range completedTasks(read(c.before), read(c.after)) {
			got = append(got, n.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWhoClaimsSomething(t *testing.T) {
	for message, want := range map[string]bool{
		"Work\n": false, "ACT: T01 a\n": true, "ADAPT: T01 a\n": true, "Work\n\nFor: T01\n": false, "React: a\n": false,
		"Squash\n\nACT: T01 a\n\nDone: a | a.py:1\n\nADAPT: T01 b\n": true, "": false,
	} {
		if got := parser.Parse([]byte(message)).Has(parser.Act, parser.Adapt); got != want {
			t.Errorf("%q claims something: %v", message, got)
		}
	}
}

func TestRunsOfASessionAreReadOnce(t *testing.T) {
	reads := map[string]int{}
	broken := errors.New("the log is torn")
	s := &subject{}
	read := s.cachedRuns(func(_ context.Context, session string) ([]rules.RecordedRun, error) {
		reads[session]++
		if session == "s-broken" {
			return nil, broken
		}
		return []rules.RecordedRun{{Command: session}}, nil
	})
	for range 2 {
		for session, want := range map[string]int{"s-1": 1, "s-2": 1, "s-broken": 0, "": 1} {
			runs, err := read(t.Context(), session)
			if err != nil || len(runs) != want || want > 0 && runs[0].Command != session {
				t.Errorf("%q: %+v, %v", session, runs, err)
			}
		}
	}
	if len(reads) != 4 || reads["s-1"] != 1 || reads["s-broken"] != 1 {
		t.Errorf("sessions were read %v times", reads)
	}
	if len(s.warnings) != 1 || !strings.Contains(s.warnings[0], broken.Error()) {
		t.Errorf("warned of %q", s.warnings)
	}
}

func TestAResultAsksForItsExitCode(t *testing.T) {
	findings := func(all ...report.Severity) report.Report {
		var r report.Report
		for _, s := range all {
			r.Findings = append(r.Findings, report.Finding{Severity: s})
		}
		return r
	}
	undecided := findings(report.Error)
	undecided.Undecided = []string{"cut"}
	for name, c := range map[string]struct {
		result Result
		want   int
	}{
		"nothing":                     {Result{}, 0},
		"a warning":                   {Result{Report: findings(report.Warning, report.Note)}, 0},
		"an error":                    {Result{Report: findings(report.Warning, report.Error)}, 1},
		"what could not be decided":   {Result{Report: report.Report{Undecided: []string{"cut"}}}, 3},
		"an error beside such":        {Result{Report: undecided}, 3},
		"a warning of the tool's own": {Result{Warnings: []string{"w"}}, 0},
	} {
		if got := c.result.Code(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestACommitThatCannotBeReadMayClaim(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Work\n", "note", "1")
	work := repo.ID(g.ID())
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	claimed := repo.ID(g.ID())
	j := NewHistory(g.Open(), nil)
	for name, c := range map[string]struct {
		ids  []repo.ID
		want bool
	}{
		"none": {nil, false}, "a plain one": {[]repo.ID{work}, false}, "an ACT": {[]repo.ID{work, claimed}, true},
		"one that is not here": {[]repo.ID{repo.ID(strings.Repeat("1", 40))}, true},
	} {
		if got := j.mayClaim(t.Context(), c.ids...); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
