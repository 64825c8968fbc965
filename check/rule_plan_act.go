package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

// The rules of this file say which unit may act, and what an ACT must be for its task to be complete.

func actRule(id, title, doc string, example Example) *Rule {
	return &Rule{
		ID: id, Title: title, Doc: doc, Since: "0.1", Class: OfRecord, Scope: OfPart, OnPlan: true,
		Severity: always, Example: example, Run: runActGuard,
	}
}

func ruleActOnParent() *Rule {
	return actRule(plan.RuleActOnParent, "an ACT names a unit that has children",
		"A unit with children only orchestrates: its children do the work, and each of them is reported and judged for\n"+
			"itself. Name the task that did the work. A parent gets ADAPTs only.",
		Example{
			Base:    planOf(`{"id": "M01", "type": "parent", "status": "in_progress", "children": [` + pendingT01 + `]}`),
			Files:   workFile(),
			Message: "ACT: M01 login\n\nDone: Add login() | src/auth.py:1-4\n",
		})
}

// ActOnComplete is the id of the rule below, for whoever asks about its findings.
const ActOnComplete = plan.RuleActOnComplete

func ruleActOnComplete() *Rule {
	return actRule(ActOnComplete, "an ACT names a unit that is complete",
		"What is complete has been judged, and others rest on it. To work on it again, reopen it with an ADAPT that says\n"+
			"`Reopen: <unit>` and sets it back to pending; or plan a new task for what is to be done.",
		Example{
			Base: planOf(completeT01), Files: workFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\n",
		})
}

// ActOnEscalated is the id of the rule below, for whoever asks about its findings.
const ActOnEscalated = plan.RuleActOnEscalated

func ruleActOnEscalated() *Rule {
	return actRule(ActOnEscalated, "an ACT names a unit that is escalated",
		"A unit whose `failure_threshold` has come to 1.0 has failed too often to go on as it did. It does not\n"+
			"act any more until an ADAPT of its parent plans another way and lowers the threshold.",
		Example{
			Base: planOf(`{"id": "T01", "type": "atomic", "failure_threshold": 1.0}`), Files: workFile(),
			Message: "ACT: T01 login, once more\n\nDone: Add login() | src/auth.py:1-4\n",
		})
}

// ActBeforeAdapt is the id of the rule below, for whoever asks about its findings.
const ActBeforeAdapt = plan.RuleActBeforeAdapt

func ruleActBeforeAdapt() *Rule {
	return actRule(ActBeforeAdapt, "a unit acts again before its ADAPT",
		"After each ACT comes the ADAPT of the same unit, which says what it showed; only then the unit acts\n"+
			"again. Other units may act meanwhile, and an ACT with errors is none to wait for: the next one mends\n"+
			"it. Work in progress is a commit with `For: <unit>`. In a squash the order cannot be seen, and the\n"+
			"rule does not ask.",
		Example{
			Base: planOf(pendingT01), Files: workFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\n",
			Then: []Step{{
				Files:   map[string]string{"src/auth.py": work + "    session.save()\n"},
				Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-5\n",
			}},
		})
}

func ruleForUnitUnknown() *Rule {
	return &Rule{
		ID: "for_unit_unknown", Since: "0.1", Class: OfClaims, Scope: OfPart, OnPlan: true,
		Severity: advised,
		Title:    "a For commit names a unit that is not in the plan",
		Doc: "`For: <unit>` says whose work a commit is, and its lines count for the claims of that unit later.\n" +
			"Where there is a plan, a name that it does not hold gives the work to no unit. It is a warning: a\n" +
			"branch may know of less of the plan than its base. Name the unit by its key or its id.",
		Example: Example{
			Base: planOf(pendingT01), Files: workFile(),
			Message: "Begin the login\n\nFor: T10\n",
		},
		Run: runForUnitUnknown,
	}
}

// runForUnitUnknown asks the plan before the commit, and that after it: a squash brings units with their work.
func runForUnitUnknown(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	unit := p.Part.Unit
	if p.Part.Kind != parser.For || p.picked() || unit.Value == "" {
		return nil
	}
	if before, err := p.PlanBefore(ctx); err != nil || before == nil {
		return err
	}
	if n, err := p.unitOf(ctx, p.Part); err != nil || n != nil {
		return err
	}
	p.reportText(unit, fmt.Sprintf("Unit %s is not in the plan.", unit.Value),
		"name a unit by its key, the ids from below the root joined by «/», or by its id alone; an ADAPT adds one that is "+
			"missing")
	return nil
}

// runActGuard reports what the plan has against the ACT under the running rule.
func runActGuard(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	if p.Part.Kind != parser.Act || p.picked() || p.Part.Unit.Value == "" {
		return nil
	}
	if !p.actsDone {
		found, err := p.actViolations(ctx)
		if err != nil {
			return err
		}
		p.acts, p.actsDone = found, true
	}
	for _, v := range p.acts {
		if v.Rule == p.rule.ID {
			p.reportText(p.Part.Unit, v.Message, v.Hint)
		}
	}
	return nil
}

func (p *Pass) actViolations(ctx context.Context) ([]*plan.Violation, error) {
	before, err := p.PlanBefore(ctx)
	if err != nil || before == nil {
		return nil, err
	}
	var last func(string) (plan.Act, error)
	if !p.Message.Joined {
		last = func(key string) (plan.Act, error) { return p.LastAct(ctx, key) }
	}
	found, err := plan.CheckAct(before, p.Part.Unit.Value, last)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	joins := p.Message.Joined
	if !joins {
		merged, err := p.Merged(ctx)
		if err != nil {
			return nil, err
		}
		joins = len(merged) > 0
	}
	if joins {
		return p.stillHold(ctx, found)
	}
	return found, nil
}

// stillHold keeps what the plan after a squash or a merge says too: the plan may have changed in between. A unit that
// is complete at its end may have been made so by it, or reopened; and what is open then may have been complete.
func (p *Pass) stillHold(ctx context.Context, found []*plan.Violation) ([]*plan.Violation, error) {
	now, err := p.planIn(ctx, &p.Judge.Tree)
	if err != nil || now == nil {
		return nil, err
	}
	after, err := plan.CheckAct(plan.NewIndex(now), p.Part.Unit.Value, nil)
	return slices.DeleteFunc(found, func(v *plan.Violation) bool {
		switch v.Rule {
		case ActBeforeAdapt: // history says it, and no plan
			return false
		case ActOnComplete:
			if p.reopens(v.Unit) {
				return true
			}
		case plan.RuleDependencyOpen, plan.RuleParentClosed:
			if p.reopensAny() {
				return true
			}
		}
		return !slices.ContainsFunc(after, func(o *plan.Violation) bool { return o.Rule == v.Rule })
	}), err
}

// reopens reports whether the message reopens a unit, or one above it.
func (p *Pass) reopens(unit string) bool {
	for i := range p.Message.Parts {
		for _, name := range values(p.Message.Parts[i].Reopen) {
			if parser.SameUnit(name, unit) || isAbove(name, unit) {
				return true
			}
		}
	}
	return false
}

// reopensAny reports whether the message reopens anything.
func (p *Pass) reopensAny() bool {
	return slices.ContainsFunc(p.Message.Parts, func(part parser.Part) bool { return len(part.Reopen) > 0 })
}

// isAbove reports whether a unit is named that stands above another, by its key or its id.
func isAbove(name, key string) bool {
	ids := strings.Split(key, "/")
	for i := 1; i < len(ids); i++ {
		if parser.SameUnit(name, strings.Join(ids[:i], "/")) {
			return true
		}
	}
	return false
}

// AdaptWithoutAct is the id of the rule below, for whoever asks about its findings.
const AdaptWithoutAct = plan.RuleAdaptWithoutAct

func ruleAdaptWithoutAct() *Rule {
	r := guardRule(AdaptWithoutAct, "an ADAPT completes a task whose last ACT does not show that it is done",
		"A task is complete when its last ACT reported every item of its checklist, each done or skipped, when\n"+
			"no claim of that ACT is `not_verified`, when it has no errors and does not say itself that it failed,\n"+
			"and when no definition that it showed is a stub since. Without such an ACT, «complete» is a word. An\n"+
			"ACT from before the task was reopened does not count, nor one that was reverted or cherry-picked.\n"+
			"Where a shallow clone ends the history before an ACT is found, a hook warns and `verify` cannot\n"+
			"decide. Nor may a merge bring «complete» in from another history: `acta verify`, and the hooks of a\n"+
			"push, hold the plan at the end of a range against that at its beginning. Where the policy names a\n"+
			"verifier that completing needs (`complete: {verifier: NAME}`) and it is run, the task is also refused\n"+
			"when that fails.",
		Example{
			Base: planOf(pendingT01), Files: planOf(completeT01),
			Message: "ADAPT: T01 is done\n",
		})
	r.RunRange, r.RangeRepeats = completedInRange, true
	return r
}
