package check

import (
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/plan"
)

// The rules of this file are the guards of the plan's states. Package plan asks them; here they are explained.

// slicePlan is a milestone with one slice, for examples.
func slicePlan(milestone, slice string, tasks ...string) map[string]string {
	text := `{"id": "M01", "type": "parent", "status": "` + milestone + `", "children": [` + "\n    " +
		`{"id": "S01", "type": "parent", "status": "` + slice + `", "children": [`
	for i, t := range tasks {
		if i > 0 {
			text += ","
		}
		text += "\n      " + t
	}
	return planOf(text + "]}]}")
}

func rulePlanAlreadyComplete() *Rule {
	return guardRule(plan.RuleAlreadyComplete, "an ADAPT completes a unit that is complete",
		"A unit is completed once. An ADAPT of a unit that was complete before, and that changes nothing in the plan, says\n"+
			"for the second time what the history says already. Name the unit that is adapted; reopen what must be done again.",
		Example{
			Base: planOf(completeT01, pendingT02), Files: map[string]string{},
			Message: "ADAPT: T01 is complete\n",
		})
}

func rulePlanNotActive() *Rule {
	return guardRule(plan.RuleNotActive, "an ADAPT completes a milestone that was never active",
		"A milestone is completed while it is in progress. One that is pending has not been worked on, as far as the plan\n"+
			"says: completing or reopening anything below makes it active. Set it to `in_progress` first.",
		Example{
			Base: slicePlan("pending", "complete", completeT01), Files: slicePlan("complete", "complete", completeT01),
			Message: "ADAPT: M01 is complete\n",
		})
}

func rulePlanOpenChildren() *Rule {
	r := guardRule(plan.RuleOpenChildren, "an ADAPT completes a unit with open work below it",
		"A slice is complete when every task below it is, a milestone when all its slices and tasks are,\n"+
			"however deep. Complete the open ones first, or take out of the plan what is not to be done. A parent\n"+
			"without children has done nothing that could be complete.",
		Example{
			Base:    slicePlan("in_progress", "in_progress", completeT01, pendingT02),
			Files:   slicePlan("in_progress", "complete", completeT01, pendingT02),
			Message: "ADAPT: S01 is complete\n",
		})
	r.RunRange, r.RangeRepeats = completedInRange, true
	return r
}

func rulePlanParentClosed() *Rule {
	return workRule(plan.RuleParentClosed, "work below a unit that is complete",
		"What stands below a complete unit is closed with it: no task there acts, and none is completed,\n"+
			"reopened or added. Reopen the slice above first, which sets all its tasks back, or plan the work\n"+
			"elsewhere.",
		Example{
			Base:    slicePlan("in_progress", "complete", completeT01),
			Files:   slicePlan("in_progress", "complete", completeT01, pendingT02),
			Message: "ADAPT: M01 one task more\n",
		})
}

func rulePlanReplanComplete() *Rule {
	return guardRule(plan.RuleReplanComplete, "complete work is planned again, reworded, removed or renumbered",
		"What is complete was judged by its description and its checklist, under its key. None of them changes\n"+
			"afterwards, and it stays in the plan; else the record would tell of work that nobody asked for. Reopen\n"+
			"it, or plan a new unit.",
		Example{
			Base: planOf(completeT01, pendingT02), Files: planOf(pendingT02),
			Message: "ADAPT: ROOT tidy up\n",
		})
}

func rulePlanDependencyOpen() *Rule {
	return workRule(plan.RuleDependencyOpen, "work on what waits for a unit that is not complete",
		"What a unit's `depends_on` names is complete before the unit, or any unit below it, acts or is\n"+
			"completed: the work rests on what those brought to light. For the same reason a milestone gets no\n"+
			"children before; one without children may be drafted meanwhile. The first plan may be whole, as people\n"+
			"asked for it, but no unit of it is complete that waits. A dependency that turned out to be none is\n"+
			"taken out with an ADAPT.",
		Example{
			Base:    planOf(pendingT01, `{"id": "T02", "type": "atomic", "status": "pending", "depends_on": ["T01"]}`),
			Files:   workFile(),
			Message: "ACT: T02 login\n\nDone: Add login() | src/auth.py:1-4\n",
		})
}

func rulePlanBlockerOpen() *Rule {
	return guardRule(plan.RuleBlockerOpen, "a slice is planned again for what is no complete task of it",
		"`Replan: <slice> | <blocker task>` plans a slice again because of what one of its tasks brought to\n"+
			"light. That task is complete, so that what it found is on record; a second re-plan for the same\n"+
			"blocker replaces the first. A milestone or a task is planned anew without such a record.",
		Example{
			Base: slicePlan("in_progress", "in_progress", completeT01, pendingT02), Files: map[string]string{},
			Message: "ADAPT: S01 another way\n\nReplan: S01 | T02\n",
		})
}

func rulePlanReassessOpen() *Rule {
	return guardRule(plan.RuleReassessOpen, "a roadmap is reassessed after what is no complete slice of the milestone",
		"`Reassess: <milestone> | <completed slice>` looks at the rest of a milestone once a slice of it is complete. The\n"+
			"milestone is in progress: before it nothing was learned, and after it nothing is left to plan.",
		Example{
			Base: slicePlan("in_progress", "in_progress", pendingT01), Files: map[string]string{},
			Message: "ADAPT: M01 what is left\n\nReassess: M01 | S01\n",
		})
}

func rulePlanReopenInvalid() *Rule {
	return guardRule(plan.RuleReopenInvalid, "a unit is reopened that is not complete, or without saying so",
		"To work again on what is complete, commit an ADAPT that says `Reopen: <unit>` and sets the status back\n"+
			"in the plan: a task to `pending`; a slice to `in_progress` and all its tasks to `pending`, together.\n"+
			"Only a complete task or slice can be reopened, and a status that goes back without the trailer takes a\n"+
			"claim back behind everybody's back.",
		Example{
			Base: planOf(completeT01), Files: planOf(pendingT01),
			Message: "ADAPT: T01 login must be done again\n",
		})
}

func ruleThresholdLowered() *Rule {
	return guardRule(plan.RuleThresholdLowered,
		"a failure threshold is lowered without another way, or by another than the unit's parent",
		"`failure_threshold` says how often a unit has failed: it rises, and at 1.0 the unit is escalated to\n"+
			"its parent. Only an ADAPT of the parent lowers it again, and plans another way in the same commit:\n"+
			"other words, other items, other tasks. The plan that failed would only fail again.",
		Example{
			Base:    planOf(`{"id": "T01", "type": "atomic", "failure_threshold": 0.75}`),
			Files:   planOf(`{"id": "T01", "type": "atomic", "failure_threshold": 0.0}`),
			Message: "ADAPT: T01 once more from the start\n",
		})
}

func ruleThresholdNotRaised() *Rule {
	return guardRule(plan.RuleThresholdNotRaised, "after a failed ACT the failure threshold does not rise",
		"An ACT that says `Outcome: failure` or `aborted`, or one of whose claims is `not_verified`, has\n"+
			"failed. The next ADAPT of the unit raises its `failure_threshold` by at least 0.25, so that a unit\n"+
			"cannot fail for ever and nobody is told.",
		Example{
			Base: planOf(pendingT01), Files: workFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\nOutcome: failure\n",
			Then:    []Step{{Files: planOf(startedT01), Message: "ADAPT: T01 try again\n"}},
		})
}

const startedT01 = `{"id": "T01", "type": "atomic", "status": "in_progress"}`

func ruleScopeReduced() *Rule {
	r := guardRule(plan.RuleScopeReduced, "the plan asks for less than before",
		"A unit that is not complete may be taken out, and its items may be taken out or reworded: plans\n"+
			"change. But it must be seen, so every report lists it, and STRICT refuses it. An item that moves to\n"+
			"another unit, as when a task is decomposed, is not gone, nor is a unit that comes back under another\n"+
			"id; an item that asked for code or a test and asks for text, an asset or a removal now asks for less.\n"+
			"So does a unit that depends no more on another that is open, and a description of eight words or more\n"+
			"that loses most of them, unless items or parts say them now.",
		Example{
			Base:    planOf(`{"id": "T01", "type": "atomic", "checklist": [{"item": "Add login()"}, {"item": "Add logout()"}]}`),
			Files:   planOf(`{"id": "T01", "type": "atomic", "checklist": [{"item": "Add login()"}]}`),
			Message: "ADAPT: T01 login will do\n",
		})
	r.Class, r.Severity = OfClaims, Severities{diag.Error, diag.Warning, 0, 0}
	return r
}
