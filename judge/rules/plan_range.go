package rules

import (
	"context"
	"slices"

	"github.com/acta-git/acta/plan"
)

// runCompletedInRange checks that each unit completed in the range has an ACT, and completed units below it. A merge or
// a revert may bring a completion that no commit of the range answers for.
func runCompletedInRange(p *rangePass) {
	severity := p.rule.severity(p.Policy, p.Policy.DefaultTier)
	for _, v := range p.completed {
		if v.IsUndecided || v.Rule != p.rule.ID { // the commit that accepts an item says so
			continue
		}
		f := violationFinding(v, p.planPath)
		f.Rule, f.Severity, f.Commit = v.Rule, severity, p.Head
		p.repeats = append(p.repeats, f)
	}
}

// gatherCompleted finds the units that are complete only at the end and without an ACT, and the plan's path.
// rangeActs are the ACTs of a range and before it, by the keys of its last plan.
type rangeActs struct {
	rangePlan
	after *plan.Index
}

func (a rangeActs) LastAct(ctx context.Context, key string) (plan.Act, error) {
	return a.rangePlan.LastAct(ctx, a.after.Find(key))
}

func (f *rangeGathering) gatherCompleted() {
	if f.Plan == nil || f.After == nil || find(plan.RuleMoveIllegal).severity(f.Policy, f.Policy.DefaultTier) == 0 {
		return
	}
	f.planPath = answer(f.inquiry, f.Plan.PlanPath)
	after := f.planAt(f.After, f.planPath, f.Plans) // the commit of a malformed plan has the finding
	if after == nil || !slices.ContainsFunc(after.Nodes, func(n *plan.Node) bool { return n.Status == plan.Complete }) {
		return
	}
	before := answer(f.inquiry, f.Plan.PlanBefore)
	if before == nil {
		return
	}
	c := plan.Change{Before: before.Nodes[0].Unit, After: after.Nodes[0].Unit}
	c.History = rangeActs{f.Plan, after}
	found, err := plan.CheckCompleted(f.Ctx, c)
	f.completed = found
	f.Note(err)
	for _, v := range f.completed {
		if v.IsUndecided {
			f.undecided = append(f.undecided, v.Message)
		}
	}
}
