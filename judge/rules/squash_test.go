package rules

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// squash is a commit whose message joins others.
func squash(before, after map[string]string, parts ...string) commit {
	return commit{message: "Login (#7)\n\n* " + strings.Join(parts, "\n\n* ") + "\n", base: before, files: after}
}

const (
	act01   = "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4"
	adapt01 = "ADAPT: T01 done\n\nObservation: quality | The tests pass"
)

// A squash is held to the sum of its parts: what is open, or complete, in between cannot be seen.
func TestASquashIsHeldToTheSum(t *testing.T) {
	both := with(planOf(completeT01), workFile())
	done := squash(planOf(pendingT01), both, act01, adapt01)
	done.acts = shown
	testRule(t, PlanNotAlone, []row{
		{"an ACT and its ADAPT", done, nil, ""},
		{"an ACT by itself", adapting("ACT: T01 login", planOf(pendingT01), both), one(atPlan + "1"), ""},
	})
	testRule(t, "plan_not_alone", []row{
		{"an ACT and its ADAPT", done, nil, ""},
		{"an ADAPT by itself", adapting("ADAPT: T01 done", planOf(pendingT01), both), one("error src/auth.py:1"), ""},
	})
	testRule(t, "plan_not_alone", []row{
		{"two ACTs", squash(planOf(pendingT01), both, act01, act01), one(atPlan + "1"), ""},
		{"an ACT and its ADAPT", done, nil, ""},
	})
	reopened := func(unit string) commit {
		c := squash(planOf(completeT01), both, "ADAPT: T01 again\n\nReopen: "+unit, act01, adapt01)
		c.acts = shown
		return c
	}
	slice := slicePlan("in_progress", "complete", completeT01)
	above := squash(slice, with(slicePlan("in_progress", "complete", completeT01), workFile()),
		"ADAPT: S01 again\n\nReopen: S01", strings.Replace(act01, "T01", "M01/S01/T01", 1))
	testRule(t, plan.RuleActNotAllowed, []row{
		{"reopened in it", reopened("T01"), nil, ""},
		{"one above it is reopened in it", above, nil, ""},
		{"another is reopened in it", reopened("T02"), one("error message:7"), ""},
		{"open at its end", squash(planOf(completeT01), with(planOf(pendingT01), workFile()), act01, adapt01), nil, ""},
	})
	waits := func(status string) map[string]string {
		return planOf(pendingT01, `{"id": "T02", "type": "atomic", "status": "`+status+`", "depends_on": ["T01"]}`)
	}
	act02 := strings.Replace(act01, "T01", "T02", 1)
	testRule(t, plan.RuleActNotAllowed, []row{
		{"it waits before and after", squash(
			waits("pending"), with(waits("in_progress"), workFile()), act02, act01,
		), one("error message:3"), ""},
		{"what is open at its end may not have been", squash(waits("pending"), with(waits("in_progress"), workFile()),
			act02, "ADAPT: T01 again\n\nReopen: T01"), nil, ""},
	})
	testRule(t, plan.RuleActNotAllowed, []row{
		{"the order cannot be seen", squash(planOf(pendingT01), workFile(), act01, act01), nil, ""},
		{"of one commit it can", func() commit {
			c := acting("T01", planOf(pendingT01))
			c.acts = shown
			return c
		}(), one("error message:1"), ""},
		{"of a merge it can", func() commit {
			c := acting("T01", planOf(pendingT01))
			c.acts, c.merged = shown, []files{planOf(pendingT01)}
			return c
		}(), one("error message:1"), ""},
	})
	testRule(t, "evidence_reused", []row{
		{"for two tasks", squash(files{}, workFile(), act01, strings.Replace(act02, "Add login()", "Validate it", 1)),
			one("warning message:9"), "for 'Add login()' of T01"},
		{"for two parts of it", squash(files{}, workFile(), act01, strings.Replace(act02, ":1-4", ":2-3", 1)), nil, ""},
	})
}

func TestThePlanMayMove(t *testing.T) {
	moved := func(at, now string) commit {
		return commit{message: "Move the plan\n", base: planOf(pendingT01, completeT01[:8]+`T02`+completeT01[11:]),
			files: files{planAt: gone, at: now, policy.Path: "plan: {working: plan.json}\n"}}
	}
	whole := planOf(pendingT01, completeT01[:8]+`T02`+completeT01[11:])[planAt]
	testRule(t, "plan_not_alone", []row{
		{"to where the policy says", moved("plan.json", whole), nil, ""},
		{"and is another one there", moved("plan.json", planOf(completeT01)[planAt]), one(atPlan + "1"), ""},
		{"to where nobody looks", moved("other.json", whole), one(atPlan + "1"), ""},
	})
}

func TestTheFirstPlanIsGuarded(t *testing.T) {
	waits := planOf(pendingT01, `{"id": "T02", "type": "atomic", "status": "complete", "depends_on": ["T01"]}`)
	testRule(t, plan.RuleMoveIllegal, []row{
		{"complete, and waits", adapting("Plan", files{}, waits), one(atPlan + "3"), ""},
		{"brought back by a revert", adapting("Revert \"Drop the plan\"\n"+byRevert, files{}, waits), nil, ""},
		{"picked", adapting("Plan\n"+byPick, files{}, waits), nil, ""},
		{"brought by a merge", commit{
			message: "Merge\n", base: files{}, files: waits, merged: []files{files{"a": "b"}},
		}, nil, ""},
		{"it waits and is pending", adapting(
			"Plan", files{}, planOf(pendingT01, `{"id": "T02", "type": "atomic", "depends_on": ["T01"]}`),
		), nil, ""},
		{"it cannot be read", adapting("Plan", files{}, files{planAt: "{"}), nil, ""},
	})
}

// A message may hide an ACT beyond what is read of it.
func TestWhatIsNotReadMayBeAnAct(t *testing.T) {
	long := "Tidy up\n\n" + strings.Repeat(strings.Repeat("a", 99)+"\n", 12_000)
	testRule(t, ReportUnreadable, []row{
		{"an ACT beyond", commit{message: long + "\nACT: T01 login\n"}, one("error message:10488"), "the rest may be an ACT"},
		{"nothing beyond", commit{message: long}, nil, ""},
	})
}

// An unclear place is waived with the rule that says why it is, too: that one only warns here, and asks for no waiver.
func TestAWaiverOfTheCauseCounts(t *testing.T) {
	c := citing("Add login()", "src/auth.py:5-8", loginFile(), files{"a": "b"})
	c.policy = "waivable: [evidence_not_in_diff]\nrules: {evidence_unclear: error}\n"
	c.message += "Waive: evidence_not_in_diff | src/auth.py:5-8 | It was there before\n"
	out, err := c.ask(t, Rules())
	if err != nil {
		t.Fatal(err)
	}
	waived := 0
	for _, f := range out.Findings {
		if f.Severity == report.Error {
			t.Errorf("refused: %s", listed(out.Findings))
		}
		if strings.HasPrefix(f.Hint, "waived: It was there before") {
			waived++
		}
	}
	if waived != 1 {
		t.Errorf("%d are waived: %s", waived, listed(out.Findings))
	}
}
