package judge

import (
	"context"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// HeadPlan reads the plan of HEAD, as far as it can be used, and says where it lies; nil where there is none.
func HeadPlan(ctx context.Context, r *repo.Repo, release string) (path string, root *plan.Unit, err error) {
	head, err := r.Head(ctx)
	if isUnborn(err) {
		p, err := readPolicy(ctx, nil, release)
		if err != nil {
			return "", nil, err
		}
		return p.Plan, nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	return planOf(ctx, r, head, release)
}

// PlanAt reads the plan of a commit, as HeadPlan does that of HEAD. repo.ErrNotFound where rev names no commit.
func PlanAt(ctx context.Context, r *repo.Repo, rev, release string) (path string, root *plan.Unit, err error) {
	c, err := r.Commit(ctx, rev)
	if err != nil {
		return "", nil, err
	}
	return planOf(ctx, r, c, release)
}

func planOf(ctx context.Context, r *repo.Repo, c repo.Commit, release string) (path string, root *plan.Unit, err error) {
	tree := snapshot(r, c.Tree)
	p, err := readPolicy(ctx, &tree, release)
	if err != nil {
		return "", nil, err
	}
	data, err := readFile(ctx, tree, p.Plan)
	if err != nil || data == nil {
		return p.Plan, nil, err
	}
	if root, err = plan.Parse(data); err != nil {
		return p.Plan, nil, &MalformedPlanError{p.Plan, err}
	}
	return p.Plan, root, nil
}

// MalformedPlanError is a plan file that cannot be read; Err is plan.Errors.
type MalformedPlanError struct {
	// Path is where it lies, relative to the top.
	Path string
	Err  error
}

func (e *MalformedPlanError) Error() string { return e.Path + ":" + e.Err.Error() }
func (e *MalformedPlanError) Unwrap() error { return e.Err }

// LastAct asks the history of HEAD for the last ACT of a unit, by its key, as the gate does for an ADAPT that is made
// on top of it. root is the plan that says which items that ACT had to report.
func LastAct(ctx context.Context, r *repo.Repo, release string, root *plan.Unit) (func(key string) (plan.Act, error), error) {
	head, err := r.Head(ctx)
	if isUnborn(err) {
		return func(string) (plan.Act, error) { return plan.Act{}, nil }, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := HeadPolicy(ctx, r, release)
	if err != nil {
		return nil, err
	}
	now := snapshot(r, head.Tree)
	history := newPast(r, []repo.ID{head.ID}, p, newCache())
	return func(key string) (plan.Act, error) {
		q := &actSearch{unit: key, now: &now}
		if n := root.Find(key); n != nil {
			q.items = n.Checklist
		}
		return history.lastAct(ctx, q, false)
	}, nil
}

// HeadPolicy is the policy of HEAD, the default one where there is no commit yet.
func HeadPolicy(ctx context.Context, r *repo.Repo, release string) (*policy.Policy, error) {
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
	_, root, err := HeadPlan(ctx, r, release)
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
