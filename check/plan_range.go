package check

import (
	"context"
	"slices"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/plan"
)

// completedInRange holds the plan at the end of a range against that at its
// beginning: whatever is complete only since rests on an ACT, and on what stands
// below it. No commit answers for what a merge takes from another history, or a
// revert from a commit that is none of this one's.
func completedInRange(ctx context.Context, p *RangePass) error {
	severity := p.rule.severity(p.Policy, p.Policy.DefaultTier)
	if p.Plan == nil || p.After == nil || severity == 0 {
		return nil
	}
	if !p.planDone {
		if err := p.completed(ctx); err != nil {
			return err
		}
		p.planDone = true
	}
	for _, v := range p.plan {
		switch {
		case v.Rule != p.rule.ID:
		case v.Undecided:
			p.cut = append(p.cut, v.Message)
		default:
			p.findings = append(p.findings, diag.Finding{
				Rule: v.Rule, Severity: severity, Commit: p.Head, Unit: v.Unit,
				Path: p.planPath, Line: max(v.Line, 1), Column: max(v.Column, 1), EndLine: max(v.Line, 1),
				Message: v.Message, Hint: joinHints(quoted(v.Moves), v.Hint),
			})
		}
	}
	return nil
}

func (p *RangePass) completed(ctx context.Context) error {
	var err error
	if p.planPath, err = p.Plan.PlanPath(ctx); err != nil {
		return err
	}
	entry, err := p.After.Stat(ctx, p.planPath)
	if err != nil || entry.Kind != evidence.File {
		return err
	}
	now, err := p.Plans.Parse(entry.ID, func() ([]byte, error) { return p.After.Read(ctx, entry) })
	if isMalformed(err) {
		return nil // the commit that brought it is told so
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(now.Nodes, func(n *plan.Node) bool { return n.Status == plan.Complete }) {
		return nil
	}
	before, err := p.Plan.PlanBefore(ctx)
	if err != nil || before == nil {
		return err
	}
	c := plan.Change{Before: before.Nodes[0].Unit, After: now.Nodes[0].Unit}
	c.LastAct = func(key string) (plan.Act, error) { return p.Plan.LastAct(ctx, now.Find(key)) }
	p.plan, err = plan.CheckCompleted(c)
	return err
}
