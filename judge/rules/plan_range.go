package rules

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
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
	path, found, err := p.completed(ctx)
	for _, v := range found {
		switch {
		case v.Undecided:
			p.cut = append(p.cut, v.Message)
			continue
		case v.Rule != p.rule.ID: // the commit that accepts an item says so
			continue
		}
		p.repeats = append(p.repeats, report.Finding{
			Rule: v.Rule, Severity: severity, Commit: p.Head, Unit: v.Unit,
			Path: path, Line: max(v.Line, 1), Column: max(v.Column, 1), EndLine: max(v.Line, 1),
			Message: v.Message, Hint: JoinHints(quoted(v.Moves), v.Hint),
		})
	}
	return err
}

// completed are the units that are complete at the end alone and rest on nothing, and the path of the plan.
func (p *RangePass) completed(ctx context.Context) (path string, found []*plan.Violation, err error) {
	if path, err = p.Plan.PlanPath(ctx); err != nil {
		return "", nil, err
	}
	entry, err := p.After.Stat(ctx, path)
	if err != nil || entry.Kind != evidence.File {
		return "", nil, err
	}
	now, err := p.Plans.Parse(entry.ID, func() ([]byte, error) { return p.After.Read(ctx, entry) })
	if isMalformed(err) {
		return "", nil, nil // the commit that brought it is told so
	}
	if err != nil {
		return "", nil, err
	}
	if !slices.ContainsFunc(now.Nodes, func(n *plan.Node) bool { return n.Status == plan.Complete }) {
		return "", nil, nil
	}
	before, err := p.Plan.PlanBefore(ctx)
	if err != nil || before == nil {
		return "", nil, err
	}
	c := plan.Change{Before: before.Nodes[0].Unit, After: now.Nodes[0].Unit}
	c.LastAct = func(key string) (plan.Act, error) { return p.Plan.LastAct(ctx, now.Find(key)) }
	found, err = plan.CheckCompleted(c)
	return path, found, err
}
