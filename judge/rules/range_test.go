package rules

import (
	"context"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// span is a range in memory: what it leads from and to, and the commits in between.
type span struct {
	before, after files
	steps         []RangeStep
	acts          map[string]plan.Act
}

func (s span) PlanPath(context.Context) (string, error) { return planAt, nil }

func (s span) PlanBefore(context.Context) (*plan.Index, error) {
	root, err := plan.Read([]byte(s.before[planAt]))
	return plan.NewIndex(root), err
}

func (s span) LastAct(_ context.Context, key string) (plan.Act, error) {
	return s.acts[path.Base(key)], nil
}

// found are the findings of the rules over ranges, each as its rule, severity and commit, and what was cut.
func (s span) found(t *testing.T, followed ...FollowedClaim) (found, cut []string) {
	t.Helper()
	pol := policy.Default()
	before, after := s.before.tree(), s.after.tree()
	in := &RangeInput{Policy: &pol, Followed: followed, Before: &before, After: &after, Head: "head", Plan: s}
	in.Steps = func(yield func(RangeStep, error) bool) {
		for _, step := range s.steps {
			if !yield(step, nil) {
				return
			}
		}
	}
	out, err := RunRange(t.Context(), Rules(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.Concat(out.Findings, out.Repeats) {
		found = append(found, f.Rule+" "+f.Severity.String()+" "+f.Commit)
	}
	return found, out.Undecided
}

func TestCodeOfAClaimThatIsTakenBack(t *testing.T) {
	waive := parser.Parse(
		[]byte("Simplify\n\nWaive: evidence_regressed | src/auth.py | It comes back tomorrow\n"),
	).Parts[0].Waivers
	for name, c := range map[string]struct {
		f    FollowedClaim
		want []string
	}{
		"a stub": {FollowedClaim{
			Trace: evidence.Trace{State: evidence.StateHollowed},
		}, one("evidence_regressed error c1")},
		"gone": {FollowedClaim{
			Trace: evidence.Trace{State: evidence.StateGone},
		}, one("evidence_regressed warning c1")},
		"edited": {FollowedClaim{Trace: evidence.Trace{State: evidence.StateEdited}}, nil},
		"a stub before the range": {FollowedClaim{Trace: evidence.Trace{State: evidence.StateHollowed},
			WasBrokenBefore: true}, nil},
		"a stub of a reopened task": {FollowedClaim{Trace: evidence.Trace{State: evidence.StateHollowed}, ReopenedBy: "c0"},
			nil},
		"a stub, held lightly": {FollowedClaim{
			Trace: evidence.Trace{State: evidence.StateHollowed}, Tier: policy.Light,
		}, one("evidence_regressed warning c1")},
		"a stub that is exempt": {FollowedClaim{
			Trace: evidence.Trace{State: evidence.StateHollowed}, Tier: policy.Exempt,
		}, nil},
		"a waiver that the policy does not let count": {FollowedClaim{
			Trace: evidence.Trace{State: evidence.StateHollowed}, Waivers: waive,
		},
			one("evidence_regressed error c1")},
	} {
		c.f.BrokenBy, c.f.Place, c.f.Trace.Path = "c1", "src/auth.py:5-8", "src/auth.py"
		if c.f.Tier == 0 {
			c.f.Tier = policy.Standard
		}
		if got, _ := (span{before: files(planOf(pendingT01)), after: files{}}).found(t, c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

func TestARangeIsHeldToWhatItCompletes(t *testing.T) {
	open := files(planOf(pendingT01))
	for name, c := range map[string]struct {
		span
		want, cut []string
	}{
		"without an ACT": {span{
			before: open, after: files(planOf(completeT01)),
		}, one("plan_move_illegal error head"), nil},
		"with one":          {span{before: open, after: files(planOf(completeT01)), acts: shown}, nil, nil},
		"complete before":   {span{before: files(planOf(completeT01)), after: files(planOf(completeT01))}, nil, nil},
		"nothing complete":  {span{before: open, after: files(planOf(startedT01))}, nil, nil},
		"the plan is gone":  {span{before: open, after: files{}}, nil, nil},
		"it cannot be read": {span{before: open, after: files{planAt: "{"}}, nil, nil},
		"work below it": {span{before: slicePlan("in_progress", "in_progress", completeT01, pendingT02),
			after: slicePlan("in_progress", "complete", completeT01, pendingT02)}, one("plan_move_illegal error head"), nil},
		"history is cut": {span{
			before: open, after: files(planOf(completeT01)), acts: map[string]plan.Act{"T01": {IsUnknown: true}},
		},
			nil, one("T01")},
	} {
		got, cut := c.found(t)
		if !slices.Equal(got, c.want) || len(cut) != len(c.cut) || len(cut) > 0 && !strings.Contains(cut[0], c.cut[0]) {
			t.Errorf("%s: found %q, cut %q; want %q, %q", name, got, cut, c.want, c.cut)
		}
	}
}

// A merge takes what stood in one of its parents, and answers for none of it; the range does.
func TestARangeIsHeldToWhatPeopleAskedFor(t *testing.T) {
	asked, other := files{intentAt: `{"goal": 1}`, planAt: "{}"}, files{intentAt: `{"goal": 2}`, planAt: "{}"}
	asked, other = files(planOf(pendingT01)).over(asked), files(planOf(pendingT01)).over(other)
	step := func(commit string, now files, parents ...files) RangeStep {
		s := RangeStep{Commit: commit, Tree: now.tree()}
		for _, p := range parents {
			s.Parents = append(s.Parents, p.tree())
		}
		return s
	}
	amended := files{firstAt: "a\n"}.over(asked)
	for name, c := range map[string]struct {
		span
		want []string
	}{
		"a merge takes another's": {span{
			asked, other, []RangeStep{step("c1", other, asked, other)}, nil,
		}, one("intent_modified error c1")},
		"a commit changes it, and says so": {span{asked, other, []RangeStep{step("c1", other, asked)}, nil}, nil},
		"a merge's own change":             {span{asked, other, []RangeStep{step("c1", other, asked, asked)}, nil}, nil},
		"it is as it was":                  {span{asked, asked, []RangeStep{step("c1", asked, asked, other)}, nil}, nil},
		"an amendment is gone":             {span{amended, asked, nil, nil}, one("intent_modified error head")},
		"an amendment has grown":           {span{amended, files{firstAt: "a\nb\n"}.over(asked), nil, nil}, nil},
		"an amendment is another": {span{
			amended, files{firstAt: "b\n"}.over(asked), nil, nil,
		}, one("intent_modified error head")},
		"an amendment is new": {span{asked, amended, nil, nil}, nil},
	} {
		if got, _ := c.found(t); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}

func TestWaivers(t *testing.T) {
	stub := func(waive, policy string) commit {
		c := reporting("Done: Add logout() | src/auth.py:1-2\n" + waive)
		c.policy = policy
		return c
	}
	const lets = "waivable: [checklist_evidence_empty_impl]\n"
	for name, c := range map[string]struct {
		commit
		severity report.Severity
		hint     string
	}{
		"of the place": {stub(
			"Waive: checklist_evidence_empty_impl | src/auth.py:1-2 | A later task fills it\n", lets,
		), report.Warning, "waived: A later task"},
		"of the path": {stub(
			"Waive: checklist_evidence_empty_impl | src/auth.py | A later task fills it\n", lets,
		), report.Warning, "waived: A later task"},
		"of another place": {stub(
			"Waive: checklist_evidence_empty_impl | src/auth.py:5-8 | A later task fills it\n", lets,
		), report.Error, ""},
		"of another rule": {stub(
			"Waive: evidence_partial_stub | src/auth.py:1-2 | A later task fills it\n", lets,
		), report.Error, ""},
		"without a reason": {stub(
			"Waive: checklist_evidence_empty_impl | src/auth.py:1-2 | later\n", lets,
		), report.Error, "less than 10 characters"},
		"that the policy does not list": {stub(
			"Waive: checklist_evidence_empty_impl | src/auth.py:1-2 | A later task fills it\n", "",
		),
			report.Error, "the policy does not list"},
	} {
		out, err := c.ask(t, Rules())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(out.Findings, func(f report.Finding) bool { return f.Rule == "checklist_evidence_empty_impl" })
		if i < 0 || out.Findings[i].Severity != c.severity || !strings.Contains(out.Findings[i].Hint, c.hint) {
			t.Errorf("%s: %s", name, listed(out.Findings))
		}
	}
	record := acting("T10", planOf(pendingT01))
	record.message += "Waive: plan_unit_unknown | T10 | A later task adds it\n"
	out, err := record.ask(t, Rules())
	if err != nil || !slices.ContainsFunc(out.Findings, func(f report.Finding) bool {
		return f.Rule == plan.RuleUnitUnknown && f.Severity == report.Error
	}) {
		t.Errorf("a rule that guards the record is waived: %+v, %v", out, err)
	}
}
