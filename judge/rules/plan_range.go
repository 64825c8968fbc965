package rules

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// runCompletedInRange checks that each unit completed in the range has an ACT, and completed units below it. A merge or
// a revert may bring a completion that no commit of the range answers for.
func runCompletedInRange(p *rangePass) {
	severity := p.rule.severity(p.Policy, p.Policy.DefaultTier)
	for _, v := range p.completed {
		if v.IsUndecided || v.Rule != p.rule.ID { // the commit that accepts an item says so
			continue
		}
		p.repeats = append(p.repeats, report.Finding{
			Rule: v.Rule, Severity: severity, Commit: p.Head, Unit: v.Unit,
			Path: p.planPath, Line: max(v.Line, 1), Column: max(v.Column, 1), EndLine: max(v.Line, 1),
			Message: v.Message, Hint: JoinHints(quoteMoves(v.Moves), v.Hint),
		})
	}
}

// gatherCompleted finds the units that are complete only at the end and without an ACT, and the plan's path.
func (f *rangeFacts) gatherCompleted(ctx context.Context) (err error) {
	if f.Plan == nil || f.After == nil || find(plan.RuleMoveIllegal).severity(f.Policy, f.Policy.DefaultTier) == 0 {
		return nil
	}
	if f.planPath, err = f.Plan.PlanPath(ctx); err != nil {
		return err
	}
	entry, err := f.After.Stat(ctx, f.planPath)
	if err != nil || entry.Kind != evidence.File {
		return err
	}
	after, err := f.Plans.Parse(entry.ID, func() ([]byte, error) { return f.After.Read(ctx, entry) })
	if isMalformed(err) {
		return nil // its commit has the finding
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(after.Nodes, func(n *plan.Node) bool { return n.Status == plan.Complete }) {
		return nil
	}
	before, err := f.Plan.PlanBefore(ctx)
	if err != nil || before == nil {
		return err
	}
	c := plan.Change{Before: before.Nodes[0].Unit, After: after.Nodes[0].Unit}
	c.History = rangeHistory{f.Plan, after}
	f.completed, err = plan.CheckCompleted(ctx, c)
	for _, v := range f.completed {
		if v.IsUndecided {
			f.undecided = append(f.undecided, v.Message)
		}
	}
	return err
}

// rangeHistory is the history that ends with a range, by the keys of its last plan.
type rangeHistory struct {
	rangePlan
	after *plan.Index
}

func (h rangeHistory) LastAct(ctx context.Context, key string) (plan.Act, error) {
	return h.rangePlan.LastAct(ctx, h.after.Find(key))
}
