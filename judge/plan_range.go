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

// rangePlan answers what the rules ask of what the range makes of the plan.
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

// PlanBefore is the plan that the range begins with; where that has none, the last
// one that there was before: a plan that was taken away does not land for the
// first time when it comes back. nil where there never was one, or none that can be read.
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
	if repo.IsAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.planIn(ctx, last, p.policy.Plan)
}

// planIn is the plan at a path of a commit; nil where there is none, or none that can be read.
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

// planPath is where the plan lies under the policy of a tree: the base's where that cannot be read.
func planPath(ctx context.Context, tree *evidence.Tree, base *policy.Policy) (string, error) {
	path, err := snapshot.Of(tree).PlanPath(ctx, base.Plan)
	return cmp.Or(path, base.Plan), err
}

// LastPlanChange is the snapshot of the last commit behind that changed the plan; nil where a shallow clone has none.
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
