package rules

import (
	"context"
	"strings"
	"testing"

	"github.com/acta-git/acta/plan"
)

const (
	byPick   = "\n(cherry picked from commit 1111111111111111111111111111111111111111)\n"
	byRevert = "\nThis reverts commit 1111111111111111111111111111111111111111.\n"
	atPlan   = "error " + planAt + ":"
)

// shown is the last ACT of a unit that did all that it should.
var shown = map[string]plan.Act{"T01": {Commit: strings.Repeat("a", 40), Items: reportedLogin("")}}

// reportedLogin is the report of the one item, and why it is not verified.
func reportedLogin(lacks string) []plan.ReportedItem {
	return []plan.ReportedItem{{Item: plan.Item{Text: "Add login()"}, Basis: "src/auth.py:1-4", Problem: lacks}}
}

// adapting is a commit that makes one plan of another.
func adapting(message string, before, after map[string]string) commit {
	return commit{message: message + "\n", base: before, files: after}
}

// acting is an ACT of a unit where a plan stands.
func acting(unit string, before map[string]string) commit {
	return commit{
		message: "ACT: " + unit + " login\n\nDone: Add login() | src/auth.py:1-4\n", base: before, files: workFile(),
	}
}

func TestPlanUnitUnknown(t *testing.T) {
	testRule(t, plan.RuleUnitUnknown, []row{
		{"an ACT", acting("T10", planOf(pendingT01)), one("error message:1"), "T10"},
		{"an ACT of one that is there", acting("T01", planOf(pendingT01)), nil, ""},
		{"an ACT without a plan", acting("T10", files{}), nil, ""},
		{"an ADAPT", adapting("ADAPT: T10 on", planOf(pendingT01), planOf(startedT01)), one("error message:1"), ""},
		{"an ADAPT that adds it", adapting("ADAPT: T02 on", planOf(pendingT01), planOf(pendingT01, pendingT02)), nil, ""},
		{"what is reopened", adapting("ADAPT: T01 on\n\nReopen: T09", planOf(pendingT01), planOf(startedT01)),
			one("error message:3"), "T09"},
	})
}

func TestPlanChangedOutsideAdapt(t *testing.T) {
	status := adapting("Tidy up", planOf(pendingT01), planOf(completeT01))
	with2 := adapting("Plan the logout", planOf(pendingT01), planOf(pendingT01, pendingT02))
	more := with2
	more.files = files{"a": "b"}.over(with2.files)
	merge := with2
	merge.merged = []files{planOf(pendingT01, pendingT02)}
	own := with2
	own.merged = []files{planOf(pendingT01)}
	back := adapting("Revert \"Plan\"\n"+byRevert, planOf(pendingT01, pendingT02), planOf(pendingT01))
	was, is := files(planOf(pendingT01)).tree(), files(planOf(pendingT01, pendingT02)).tree()
	exactly := back
	exactly.reverted = []RevertedCommit{{Before: &was, After: is}}
	otherwise := adapting("Revert \"Plan\"\n"+byRevert, planOf(pendingT01, pendingT02), planOf(startedT01))
	otherwise.reverted = exactly.reverted
	testRule(t, "plan_not_alone", []row{
		{"a status", status, one(atPlan + "1"), "commit the plan alone, as «ADAPT: <task>»"},
		{"alone, without a status", with2, one("warning " + planAt + ":1"), "counts as an ADAPT of the root"},
		{"with other files", more, one(atPlan + "1"), ""},
		{"as another parent has it", merge, nil, ""},
		{"a merge's own change", own, one("warning " + planAt + ":1"), ""},
		{"a revert of what is not known", back, one(atPlan + "1"), "a revert must undo exactly"},
		{"a revert, exactly", exactly, nil, ""},
		{"a revert, otherwise", otherwise, one(atPlan + "1"), ""},
		{"an ADAPT", adapting("ADAPT: T01 on", planOf(pendingT01), planOf(startedT01)), nil, ""},
		{"the first plan", adapting("Plan", files{}, planOf(pendingT01)), nil, ""},
		{"of another form", adapting("Format", planOf(pendingT01), files{planAt: planOf(pendingT01)[planAt] + "\n"}), nil,
			""},
		{"a cherry-pick", adapting("Tidy up\n"+byPick, planOf(pendingT01), planOf(completeT01)), nil, ""},
		{"the plan is taken away", adapting("Tidy up", planOf(pendingT01), files{planAt: gone}), one(atPlan + "1"), ""},
	})
}

func TestPlanStatusElsewhere(t *testing.T) {
	testRule(t, plan.RuleMoveIllegal, []row{
		{"another task's", adapting("ADAPT: T01 go on", planOf(pendingT01, pendingT02), planOf(pendingT01, startedT02)),
			one(atPlan + "3"), "«T02: pending → in_progress»"},
		{"its own", adapting("ADAPT: T02 go on", planOf(pendingT01, pendingT02), planOf(pendingT01, startedT02)), nil, ""},
		{"of no ADAPT, which is said elsewhere",
			adapting("Go on", planOf(pendingT01, pendingT02), planOf(pendingT01, startedT02)), nil, ""},
	})
}

func TestActTouchesPlan(t *testing.T) {
	testRule(t, PlanNotAlone, []row{
		{"it does", adapting("ACT: T01 login", planOf(pendingT01), planOf(completeT01)), one(atPlan + "1"),
			"change it afterwards in an ADAPT"},
		{"of another form",
			adapting("ACT: T01 login", planOf(pendingT01), files{planAt: planOf(pendingT01)[planAt] + "\n"}), nil, ""},
		{"the first plan", adapting("ACT: T01 login", files{}, planOf(pendingT01)), nil, ""},
		{"a cherry-pick", adapting("ACT: T01 login\n"+byPick, planOf(pendingT01), planOf(completeT01)), nil, ""},
		{"it does not", acting("T01", planOf(pendingT01)), nil, ""},
	})
}

func TestAdaptTouchesEnvironment(t *testing.T) {
	both := adapting(
		"ADAPT: T01 on", planOf(pendingT01), with(planOf(startedT01), map[string]string{"a.py": "a", "b.py": "b"}),
	)
	asked := adapting("ADAPT: T01 on", planOf(pendingT01), with(planOf(startedT01), map[string]string{firstAt: "a"}))
	merge := both
	merge.merged = []files{{"a.py": "a", "b.py": "b"}}
	testRule(t, "plan_not_alone", []row{
		{"two files", both, one("error a.py:1"), "This ADAPT changes a.py and 1 more"},
		{"an amendment, which another rule is about", asked, nil, ""},
		{"as another parent has them", merge, nil, ""},
		{"the plan alone", adapting("ADAPT: T01 on", planOf(pendingT01), planOf(startedT01)), nil, ""},
		{"before there is a plan",
			adapting("ADAPT: T01 on", files{}, with(planOf(startedT01), map[string]string{"a.py": "a"})), nil, ""},
	})
}

func TestForUnitUnknown(t *testing.T) {
	work := func(unit string, before, after map[string]string) commit {
		return adapting("Begin the login\n\nFor: "+unit, before, after)
	}
	testRule(t, "for_unit_unknown", []row{
		{"unknown", work("T10", planOf(pendingT01), workFile()), one("warning message:3"), "Task T10 is not in the plan."},
		{"known", work("T01", planOf(pendingT01), workFile()), nil, ""},
		{"in the plan after it", work("T02", planOf(pendingT01), planOf(pendingT01, pendingT02)), nil, ""},
		{"no plan", work("T10", files{}, workFile()), nil, ""},
	})
}

func TestOutsideScope(t *testing.T) {
	t01 := func(more string) map[string]string { return planOf(`{"id": "T01", "type": "atomic"` + more + `}`) }
	scoped := t01(`, "paths": ["src/**"], "checklist": [{"item": "Describe it in docs/auth.md"}]`)
	changing := func(message string, before files, paths ...string) commit {
		after := map[string]string{}
		for _, p := range paths {
			after[p] = work
		}
		return adapting(message, before, after)
	}
	const forT01, act = "Begin\n\nFor: T01", "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4"
	merge := changing(act, scoped, "src/auth.py", "lib/x.py")
	merge.merged = []files{scoped}
	waived := changing(act+"\nWaive: outside_scope | lib/x.py | It is needed there, too", scoped, "src/auth.py",
		"lib/x.py")
	waived.policy = "waivable: [outside_scope]\nrules: {outside_scope: error}\n"
	below := planOf(`{"id": "M01", "paths": ["src/**"], "children": [{"id": "T01", "type": "atomic"}, {"id": "T02", "type": "atomic", "paths": ["lib"]}]}`)
	testRule(t, "outside_scope", []row{
		{"outside", changing(act, scoped, "src/auth.py", "lib/x.py"), one("warning message:1"),
			"T01 changes lib/x.py outside of its paths (src/**)."},
		{"For it", changing(forT01, scoped, "lib/x.py"), one("warning message:3"), "lib/x.py"},
		{"many", changing(forT01, scoped, "lib/1.py", "lib/2.py", "lib/3.py", "lib/4.py"), one("warning message:3"),
			"lib/1.py, lib/2.py, lib/3.py and 1 more"},
		{"waived", waived, one("warning message:1"), "waived: It is needed there, too"},
		{"a prefix is no folder", changing(forT01, scoped, "srcs/a.py"), one("warning message:3"), "srcs/a.py"},
		{"inside", changing(act, scoped, "src/auth.py", "src/deep/x.py"), nil, ""},
		{"along with it", changing(act, scoped, "src/auth.py", "tests/test_auth.py", "src.test.js", "go.sum", "poetry.lock",
			"CHANGELOG.md"), nil, ""},
		{"named by an item", changing(act, scoped, "src/auth.py", "docs/auth.md"), nil, ""},
		{"no paths", changing(act, t01(""), "src/auth.py", "lib/x.py"), nil, ""},
		{"no plan", changing(act, files{}, "lib/x.py"), nil, ""},
		{"a merge", merge, nil, ""},
		{"picked", changing(act+"\n(cherry picked from commit 1234567890123456789012345678901234567890)", scoped,
			"src/auth.py", "lib/x.py"), nil, ""},
		{"a squash of two tasks, one anywhere",
			changing("Squash\n\n* ACT: T01 login\n\nDone: a | src/auth.py:1\n\n* ACT: T02 x\n\nDone: b | lib/x.py:1",
				planOf(`{"id": "T01", "paths": ["src"]}`, `{"id": "T02"}`), "src/auth.py", "lib/x.py"), nil, ""},
		{"a squash of two tasks, both somewhere",
			changing("Squash\n\n* ACT: T01 login\n\nDone: a | src/auth.py:1\n\n* ACT: T02 x\n\nDone: b | lib/x.py:1",
				planOf(`{"id": "T01", "paths": ["src"]}`, `{"id": "T02", "paths": ["lib"]}`), "src/auth.py", "lib/x.py"), nil, ""},
		{"a report of it", changing(act+"\nReport: notes/r.json", scoped, "src/auth.py", "notes/r.json"), nil, ""},
		{"a squash with an ADAPT of one without paths", changing("Squash\n\n* "+act+"\n\n* ADAPT: T09 on", scoped, "lib/x.py"),
			one("warning message:3"), "lib/x.py"},
		{"no part", changing("Tidy up", scoped, "lib/x.py"), nil, ""},
		{"the paths above", changing(forT01, below, "src/a.py"), nil, ""},
		{"outside of the paths above", changing(forT01, below, "lib/a.py"), one("warning message:3"),
			"M01/T01 changes lib/a.py"},
		{"its own paths", changing("Begin\n\nFor: T02", below, "src/a.py"), one("warning message:3"),
			"M01/T02 changes src/a.py outside of its paths (lib)"},
	})
}

func TestWhoMayAct(t *testing.T) {
	parent := planOf(`{"id": "M01", "type": "parent", "status": "in_progress", "children": [` + pendingT01 + `]}`)
	testRule(t, plan.RuleActNotAllowed, []row{
		{"a parent", acting("M01", parent), one("error message:1"), "M01"},
		{"its task", acting("M01/T01", parent), nil, ""},
	})
	merging := acting("T01", planOf(completeT01))
	merging.merged = []files{planOf(pendingT01)}
	merging.files = files(planOf(pendingT01)).over(merging.files)
	stays := acting("T01", planOf(completeT01))
	stays.merged = []files{planOf(completeT01)}
	testRule(t, plan.RuleActNotAllowed, []row{
		{"complete", acting("T01", planOf(completeT01)), one("error message:1"), "T01"},
		{"pending", acting("T01", planOf(pendingT01)), nil, ""},
		{"complete before a merge, not after", merging, nil, ""},
		{"complete before a merge, and after", stays, one("error message:1"), ""},
	})
	testRule(t, plan.RuleActNotAllowed, []row{
		{"escalated", acting("T01", planOf(`{"id": "T01", "type": "atomic", "failure_threshold": 1.0}`)),
			one("error message:1"), "T01"},
		{"failed before", acting("T01", planOf(`{"id": "T01", "type": "atomic", "failure_threshold": 0.75}`)), nil, ""},
	})
	again := func(a plan.Act) commit {
		c := acting("T01", planOf(pendingT01))
		c.acts = map[string]plan.Act{"T01": a}
		return c
	}
	id := strings.Repeat("a", 40)
	testRule(t, plan.RuleActNotAllowed, []row{
		{"no ADAPT since", again(plan.Act{Commit: id, Items: reportedLogin("")}), one("error message:1"), "aaaaaaaaaaaa"},
		{"an ADAPT since", again(plan.Act{Commit: id, Items: reportedLogin(""), IsAdapted: true}), nil, ""},
		{"an ACT with errors", again(plan.Act{Commit: id, HasErrors: true}), nil, ""},
		{"history is cut", again(plan.Act{IsUnknown: true}), nil, ""},
		{"the first", again(plan.Act{}), nil, ""},
	})
	waiting := planOf(pendingT01, `{"id": "T02", "type": "atomic", "depends_on": ["T01"]}`)
	testRule(t, plan.RuleActNotAllowed, []row{
		{"it waits", acting("T02", waiting), one("error message:1"), "T01"},
		{"what it waits for is complete",
			acting("T02", planOf(completeT01, `{"id": "T02", "type": "atomic", "depends_on": ["T01"]}`)), nil, ""},
	})
	testRule(t, plan.RuleMoveIllegal, []row{
		{"an ADAPT leaves it", adapting("ADAPT: T02 later", waiting, nil), nil, ""},
		{"an ADAPT completes it", adapting("ADAPT: T02 done", waiting,
			planOf(
				pendingT01, `{"id": "T02", "type": "atomic", "status": "complete", "depends_on": ["T01"]}`,
			)), one(atPlan + "3"), ""},
	})
	closed := slicePlan("in_progress", "complete", completeT01, pendingT02)
	testRule(t, plan.RuleActNotAllowed, []row{
		{"above it all is complete", acting("M01/S01/T02", closed), one("error message:1"), ""},
		{"above it is work", acting("M01/S01/T02", slicePlan("in_progress", "in_progress", completeT01, pendingT02)), nil,
			""},
	})
	testRule(t, plan.RuleMoveIllegal, []row{
		{"an ADAPT adds none", adapting("ADAPT: M01 on", closed, nil), nil, ""},
		{"an ADAPT adds a task", adapting("ADAPT: M01 more", slicePlan("in_progress", "complete", completeT01), closed),
			one(atPlan + "5"), ""},
	})
}

func TestAdaptWithoutAct(t *testing.T) {
	done := func(a plan.Act) commit {
		c := adapting("ADAPT: T01 done\n\nObservation: quality | The tests pass", planOf(pendingT01), planOf(completeT01))
		c.acts = map[string]plan.Act{"T01": a}
		return c
	}
	id := strings.Repeat("a", 40)
	testRule(t, plan.RuleMoveIllegal, []row{
		{"no ACT", done(plan.Act{}), one(atPlan + "2"), ""},
		{"an ACT that shows it", done(plan.Act{Commit: id, Items: reportedLogin("")}), nil, ""},
		{"an ACT that leaves items out", done(plan.Act{Commit: id}), one(atPlan + "2"), "aaaaaaaaaaaa"},
		{"an ACT with a claim that is unclear", done(plan.Act{Commit: id, Items: reportedLogin("it is unclear")}),
			one(atPlan + "2"), "it is unclear"},
		{"an ACT that says that it failed", done(plan.Act{Commit: id, Items: reportedLogin(""), HasFailed: true}),
			one(atPlan + "2"), ""},
		{"what it showed is a stub now", done(plan.Act{Commit: id, Items: reportedLogin(""),
			Evidence: lost("src/auth.py:1-4 is a stub now")}), one(atPlan + "2"), "is a stub now"},
		{"a cherry-pick of one that shows it", func() commit {
			c := done(plan.Act{Commit: id, Items: reportedLogin("")})
			c.message += byPick
			return c
		}(), nil, ""},
	})
	out, err := done(plan.Act{IsUnknown: true}).ask(t, Rules())
	if err != nil || len(out.Undecided) != 1 || !strings.Contains(out.Undecided[0], "T01") {
		t.Errorf("where history is cut: %+v, %v", out, err)
	}
}

func TestGuardsOfThePlan(t *testing.T) {
	open, finished := slicePlan(
		"in_progress", "in_progress", completeT01, pendingT02,
	), slicePlan("in_progress", "complete", completeT01)
	for _, g := range []struct {
		rule string
		rows []row
	}{
		{plan.RuleMoveIllegal, []row{
			{"complete before", adapting("ADAPT: T01 is complete", planOf(completeT01, pendingT02), nil), one(atPlan + "2"),
				"T01"},
			{"now, without an ACT", adapting("ADAPT: T01 is complete", planOf(pendingT01), planOf(completeT01)),
				one(atPlan + "2"), "it has no ACT"},
			{"not complete", adapting("ADAPT: T01 on", planOf(pendingT01), nil), nil, ""},
		}},
		{plan.RuleMoveIllegal, []row{
			{"pending",
				adapting(
					"ADAPT: M01 is complete", slicePlan("pending", "complete", completeT01),
					slicePlan("complete", "complete", completeT01),
				),
				one(atPlan + "2"), ""},
			{"in progress", adapting("ADAPT: M01 is complete", finished, slicePlan("complete", "complete", completeT01)), nil,
				""},
		}},
		{plan.RuleMoveIllegal, []row{
			{"an open task",
				adapting("ADAPT: S01 is complete", open, slicePlan("in_progress", "complete", completeT01, pendingT02)),
				one(atPlan + "3"), "T02"},
			{"none", adapting("ADAPT: S01 is complete", slicePlan("in_progress", "in_progress", completeT01), finished), nil,
				""},
		}},
		{plan.RuleMoveIllegal, []row{
			{"removed", adapting("ADAPT: ROOT tidy up", planOf(completeT01, pendingT02), planOf(pendingT02)),
				one(atPlan + "1"), "T01"},
			{"pending", adapting("ADAPT: ROOT tidy up", planOf(pendingT01, pendingT02), planOf(pendingT02)), nil, ""},
		}},
		{plan.RuleMoveIllegal, []row{
			{"an open task", adapting("ADAPT: S01 another way\n\nReplan: S01 | T02", open, nil), one(atPlan + "3"), "T02"},
			{"a complete one", adapting("ADAPT: S01 another way\n\nReplan: S01 | T01", open, nil), nil, ""},
		}},
		{plan.RuleMoveIllegal, []row{
			{"an open slice", adapting("ADAPT: M01 what is left\n\nReassess: M01 | S01", open, nil), one(atPlan + "2"), "S01"},
			{"a complete one", adapting("ADAPT: M01 what is left\n\nReassess: M01 | S01", finished, nil), nil, ""},
		}},
		{plan.RuleMoveIllegal, []row{
			{"unsaid", adapting("ADAPT: T01 again", planOf(completeT01), planOf(pendingT01)), one(atPlan + "2"), "Reopen"},
			{"said", adapting("ADAPT: T01 again\n\nReopen: T01", planOf(completeT01), planOf(pendingT01)), nil, ""},
		}},
		{plan.RuleThreshold, []row{
			{"by itself",
				adapting(
					"ADAPT: T01 again", planOf(`{"id": "T01", "type": "atomic", "failure_threshold": 0.75}`), planOf(pendingT01),
				),
				one(atPlan + "2"), ""},
			{"by its parent, another way", adapting("ADAPT: ROOT another way", planOf(
				`{"id": "T01", "type": "atomic", "failure_threshold": 0.75}`,
			),
				planOf(`{"id": "T01", "type": "atomic", "description": "Use the framework"}`)), nil, ""},
		}},
		{plan.RuleScopeReduced, []row{
			{"a task less", adapting("ADAPT: ROOT less", planOf(pendingT01, pendingT02), planOf(pendingT01)),
				one("warning " + planAt + ":1"), "T02"},
			{"a task more", adapting("ADAPT: ROOT more", planOf(pendingT01), planOf(pendingT01, pendingT02)), nil, ""},
		}},
	} {
		testRule(t, g.rule, g.rows)
	}
}

func TestThresholdNotRaised(t *testing.T) {
	failed := func(after string) commit {
		c := adapting("ADAPT: T01 again", planOf(pendingT01), planOf(after))
		c.acts = map[string]plan.Act{"T01": {Commit: strings.Repeat("a", 40), HasFailed: true}}
		return c
	}
	testRule(t, plan.RuleThreshold, []row{
		{"as it was", failed(startedT01), one(atPlan + "2"), "0.25"},
		{"raised", failed(`{"id": "T01", "type": "atomic", "status": "in_progress", "failure_threshold": 0.25}`), nil, ""},
	})
}

func TestObservationMissing(t *testing.T) {
	adapt := func(lines string, acts map[string]plan.Act) commit {
		c := adapting("ADAPT: T01 done\n\n"+lines, planOf(pendingT01), planOf(completeT01))
		c.acts = acts
		return c
	}
	testRule(t, "observation_missing", []row{
		{"none", adapt("", shown), one("warning message:1"), "This ADAPT says nothing about the ACT of T01"},
		{"of no perspective", adapt("Observation: vibes | it feels finished", shown), one("warning message:3"),
			"no known perspective"},
		{"one", adapt("Observation: quality | The tests pass", shown), nil, ""},
		{"no ACT to look at", adapt("", nil), nil, ""},
		{"looked at before", adapt("", map[string]plan.Act{"T01": {Commit: "a", IsAdapted: true}}), nil, ""},
	})
}

func TestIntentUncovered(t *testing.T) {
	finished := func(children ...string) files {
		return files{planAt: strings.Replace(planOf(children...)[planAt], `"in_progress"`, `"complete"`, 1)}
	}
	wants := func(text string, more files) files {
		return more.over(files(planOf(completeT01)).over(files{intentAt: text}))
	}
	const two = `{"id": "SHOP", "children": [{"id": "T01"}, {"id": "T02", "description": "Log out"}]}`
	done := func(base files) commit {
		return commit{message: "ADAPT: ROOT done\n", base: base, files: finished(completeT01)}
	}
	late := done(wants(`{"id": "SHOP"}`, files{firstAt: "And a digit.\n"}))
	late.planned = files{}
	joined := late
	joined.message = "Squash\n\n* ADAPT: ROOT done\n\nObservation: quality | All of it works\n\n* ADAPT: ROOT on\n"
	known := done(wants(`{"id": "SHOP"}`, files{firstAt: "And a digit.\n"}))
	known.planned = files{firstAt: "And a digit.\n"}
	testRule(t, "intent_uncovered", []row{
		{"a task is missing", done(wants(two, nil)), one("warning " + intentAt + ":1"), "T02 «Log out»"},
		{"it is there in its words", commit{message: "ADAPT: ROOT done\n",
			base: wants(
				two, files(planOf(completeT01, `{"id": "T05", "type": "atomic", "status": "complete", "description": "log  out"}`)),
			),
			files: finished(
				completeT01, `{"id": "T05", "type": "atomic", "status": "complete", "description": "log  out"}`,
			)}, nil, ""},
		{"all are there", done(wants(`{"id": "SHOP", "children": [{"id": "T01"}]}`, nil)), nil, ""},
		{"the plan is not complete", adapting("ADAPT: T01 on", wants(two, nil), planOf(pendingT01)), nil, ""},
		{"written otherwise", done(wants("a shop", nil)), nil, ""},
		{"asked for since the plan changed", late, one("warning " + firstAt + ":1"),
			"has not changed since this was asked for"},
		{"asked for before that", known, nil, ""},
		{"a squash may have planned it", joined, nil, ""},
		{"a task without words is missing", done(wants(`{"id": "SHOP", "children": [{"id": "T02"}]}`, nil)),
			one("warning " + intentAt + ":1"), "T02"},
	})
}

// Where git does not answer, nothing is decided: the rule is named, and no finding is made of it.
func TestARuleWithoutAnswerDecidesNothing(t *testing.T) {
	c := adapting("ADAPT: T01 done", planOf(pendingT01), planOf(completeT01))
	c.fails = true
	if out, err := c.ask(t, Rules()); err == nil || !strings.Contains(err.Error(), errNoAnswer.Error()+" [") {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestMovesAreComparedWithoutTheirOrder(t *testing.T) {
	a, b := plan.Move{
		Kind: plan.StatusMoved, Unit: "T01", To: plan.Complete,
	}, plan.Move{Kind: plan.StatusMoved, Unit: "T02", To: plan.Complete}
	order := plan.Move{Kind: plan.Reordered, Unit: "ROOT"}
	for _, c := range []struct {
		a, b []plan.Move
		same bool
	}{
		{[]plan.Move{a, b}, []plan.Move{b, a}, true}, {[]plan.Move{a, order}, []plan.Move{a}, true},
		{[]plan.Move{a}, []plan.Move{b}, false}, {[]plan.Move{a, a}, []plan.Move{a}, false}, {nil, []plan.Move{a},
			false}, {nil, nil, true},
	} {
		if equalMoves(c.a, c.b) != c.same {
			t.Errorf("%v and %v: the same is %v", c.a, c.b, !c.same)
		}
	}
}

func TestUnitKey(t *testing.T) {
	root, err := plan.Read([]byte(slicePlan("in_progress", "in_progress", pendingT01)[planAt]))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"T01": "M01/S01/T01", "M01/S01/T01": "M01/S01/T01", "ROOT": "", "T09": ""} {
		if got := UnitKey(plan.NewIndex(root), name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// lost is what an ACT showed, of which nothing is there any more.
type lost string

func (l lost) LossReason(context.Context, int) (string, error) { return string(l), nil }
