package judge

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// headPlan reads the plan of HEAD and says where it lies; nil where there is none.
func headPlan(ctx context.Context, r *repo.Repo, release string) (path string, root *plan.Unit, err error) {
	head, err := r.Head(ctx)
	if isUnborn(err) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	tree := snapshot(r, head.Tree)
	p, err := readPolicy(ctx, &tree, release)
	if err != nil {
		return "", nil, err
	}
	data, err := readFile(ctx, tree, p.Plan)
	if err != nil || data == nil {
		return p.Plan, nil, err
	}
	if root, err = plan.Parse(data); err != nil {
		return p.Plan, nil, fmt.Errorf("%s:%w", p.Plan, err)
	}
	return p.Plan, root, nil
}

// headPolicy is the policy of HEAD, the default one where there is no commit yet.
func headPolicy(ctx context.Context, r *repo.Repo, release string) (*policy.Policy, error) {
	head, err := r.Head(ctx)
	if isUnborn(err) {
		return readPolicy(ctx, nil, release)
	}
	if err != nil {
		return nil, err
	}
	tree := snapshot(r, head.Tree)
	return readPolicy(ctx, &tree, release)
}

// Checklist returns the items of a unit in the plan of HEAD; none where there is no plan or no such unit.
func Checklist(ctx context.Context, r *repo.Repo, release, unit string) ([]string, error) {
	_, root, err := headPlan(ctx, r, release)
	if err != nil || root == nil {
		return nil, err
	}
	u := root.Find(unit)
	if u == nil {
		return nil, nil
	}
	var items []string
	for _, i := range u.Checklist {
		items = append(items, i.Text)
	}
	return items, nil
}
