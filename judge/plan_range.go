package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// askPlan lets the rules ask what the range makes of the plan.
func (g *gatherer) askPlan(in *check.RangeInput) {
	in.Head, in.Plans = string(g.head.ID), g.cache.plans
	in.PlanPath = func(ctx context.Context) (string, error) { return planPath(ctx, *in.After, g.policy) }
	in.PlanBefore = g.planBefore
	p := newPast(g.repo, []repo.ID{g.head.ID}, g.policy, g.cache)
	in.LastAct = func(ctx context.Context, unit *plan.Node) (plan.Act, error) {
		return p.lastAct(ctx, &actSearch{unit: unit.Key, items: unit.Checklist}, true)
	}
}

// planBefore is the plan that the range begins with; where that has none, the last
// one that there was before: a plan that was taken away does not land for the
// first time when it comes back. nil where there never was one, or none that can be read.
func (g *gatherer) planBefore(ctx context.Context) (*plan.Index, error) {
	x, err := g.planAt(ctx, g.base)
	if x != nil || err != nil {
		return x, err
	}
	ids, err := g.repo.Touching(ctx, "", g.base.ID, []string{g.policy.Plan})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	removal, err := g.repo.Commit(ctx, string(ids[len(ids)-1]))
	if err != nil || len(removal.Parents) == 0 {
		return nil, err
	}
	last, err := g.repo.Commit(ctx, string(removal.Parents[0]))
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrShallow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return g.planAt(ctx, last)
}

// planAt is the plan of a commit; nil where there is none, or none that can be read.
func (g *gatherer) planAt(ctx context.Context, c repo.Commit) (*plan.Index, error) {
	return g.planIn(ctx, c, g.policy.Plan)
}

// planIn is planAt for a plan that lies elsewhere.
func (g *gatherer) planIn(ctx context.Context, c repo.Commit, path string) (*plan.Index, error) {
	tree := snapshot(g.repo, c.Tree)
	entry, err := tree.Stat(ctx, path)
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	x, err := g.cache.plans.Parse(entry.ID, func() ([]byte, error) { return tree.Read(ctx, entry) })
	var malformed plan.Errors
	if errors.As(err, &malformed) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the plan of commit %.12s cannot be read: %w", c.ID, err)
	}
	return x, nil
}

// planChanged is the snapshot of the last commit behind that changed the plan; nil where a shallow clone has none.
func (p *past) planChanged(ctx context.Context) (*evidence.Tree, error) {
	if len(p.from) == 0 {
		return nil, nil
	}
	ids, err := p.repo.Touching(ctx, "", p.from[0], []string{p.policy.Plan})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	c, err := p.repo.Commit(ctx, string(ids[len(ids)-1]))
	if err != nil {
		return nil, err
	}
	tree := snapshot(p.repo, c.Tree)
	return &tree, nil
}

// planPath is where the plan lies under the policy of a snapshot: the base's where that cannot be read.
func planPath(ctx context.Context, tree evidence.Tree, base *policy.Policy) (string, error) {
	data, err := readFile(ctx, tree, policy.Path)
	if err != nil || data == nil {
		return base.Plan, err
	}
	own, err := policy.Read(data, check.IDs(), check.Waivable)
	if err != nil {
		return base.Plan, nil // policy_invalid tells of it
	}
	return own.Plan, nil
}
