package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// rangePlan tells rules how a range changes the plan.
type rangePlan struct {
	*Reader
	after     *evidence.Tree
	ancestors *Ancestors
}

func (p rangePlan) PlanPath(ctx context.Context) (string, error) {
	return planPath(ctx, p.after, p.policy)
}

func (p rangePlan) LastAct(ctx context.Context, unit *plan.Node) (plan.Act, error) {
	return p.ancestors.LastAct(ctx, &ActSearch{Key: unit.Key, Items: unit.Checklist}, true)
}

// PlanBefore is the plan before the range. If there is none, it is the last plan that was removed earlier, so a
// restored plan is not new. nil if there never was a readable plan.
func (p rangePlan) PlanBefore(ctx context.Context) (*plan.Index, error) {
	x, err := p.planIn(ctx, p.base, p.policy.Plan)
	if x != nil || err != nil {
		return x, err
	}
	ids, err := p.repo.CommitsTouching(ctx, "", p.base.ID, []string{p.policy.Plan})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	removal, err := p.repo.Commit(ctx, string(ids[len(ids)-1]))
	if err != nil || len(removal.Parents) == 0 {
		return nil, err
	}
	last, err := p.repo.Commit(ctx, string(removal.Parents[0]))
	if err != nil {
		return nil, ignoreAbsent(err)
	}
	return p.planIn(ctx, last, p.policy.Plan)
}

// planIn is the plan at a path of a commit; nil if it is missing or unreadable.
func (g *Reader) planIn(ctx context.Context, c repo.Commit, path string) (*plan.Index, error) {
	tree := snapshot.Tree(g.repo, c.Tree)
	x, err := snapshot.Of(&tree).PlanIndex(ctx, path, g.Plans)
	if malformed := (*snapshot.MalformedPlanError)(nil); errors.As(err, &malformed) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the plan of commit %.12s cannot be read: %w", c.ID, err)
	}
	return x, nil
}

// planPath is the plan's path in the policy of a tree; in the base's if that policy is unreadable.
func planPath(ctx context.Context, tree *evidence.Tree, base *policy.Policy) (string, error) {
	path, err := snapshot.Of(tree).PlanPath(ctx, base.Plan)
	return cmp.Or(path, base.Plan), err
}

// LastPlanChange is the snapshot of the last earlier commit that changed the plan; nil if a shallow clone has none.
func (p *Ancestors) LastPlanChange(ctx context.Context) (*evidence.Tree, error) {
	if len(p.parents) == 0 {
		return nil, nil
	}
	ids, err := p.repo.CommitsTouching(ctx, "", p.parents[0], []string{p.policy.Plan})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	c, err := p.repo.Commit(ctx, string(ids[len(ids)-1]))
	if err != nil {
		return nil, err
	}
	tree := snapshot.Tree(p.repo, c.Tree)
	return &tree, nil
}
