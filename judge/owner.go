package judge

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// Leases know the owners of units.
type Leases interface {
	// Owner is the owner of a unit, by its key; nil if it has none.
	Owner(ctx context.Context, key string) (*rules.Owner, error)
}

// Owner is the owner of a unit; nil without leases. An id is resolved in the plan before the commit; an unknown unit
// keeps its name.
func (s *subject) Owner(ctx context.Context, unit string) (*rules.Owner, error) {
	if s.leases == nil {
		return nil, nil
	}
	if parser.BoxFile(unit) != "" {
		return s.boxOwner(ctx, unit)
	}
	if s.base == nil || unit == "" || strings.Contains(unit, "/") {
		return s.leases.Owner(ctx, unit)
	}
	before, err := s.PlanBefore(ctx)
	if err != nil {
		return nil, err
	}
	if before != nil {
		unit = cmp.Or(rules.UnitKey(before, unit), unit)
	}
	return s.leases.Owner(ctx, unit)
}

// boxOwner is Owner of the task of a box, which is leased by its place in the tree of boxes.
func (s *subject) boxOwner(ctx context.Context, unit string) (*rules.Owner, error) {
	_, root, err := snapshot.Of(s.base).Plan(ctx)
	if err != nil || root == nil {
		return nil, err
	}
	for _, n := range plan.NewIndex(root).Nodes {
		if snapshot.BoxUnit(n) == unit {
			return s.leases.Owner(ctx, n.Key)
		}
	}
	return nil, nil
}

// UnknownUnitError is a unit that the plan does not have.
type UnknownUnitError struct{ Unit, Plan string }

// Error names the unit and the plan that was looked in.
func (e *UnknownUnitError) Error() string {
	return fmt.Sprintf("there is no task %s below the root of %s", e.Unit, e.Plan)
}

// UnitKey resolves the key or id of a unit in the plan of the work tree, which may be newer than HEAD's. Without a plan
// it returns the name; an unknown unit is an *UnknownUnitError.
func UnitKey(ctx context.Context, r *repo.Repo, unit string) (string, error) {
	path, root, err := snapshot.WorkPlan(ctx, r)
	if err != nil || root == nil {
		return unit, err
	}
	key := rules.UnitKey(plan.NewIndex(root), unit)
	if key == "" {
		return "", &UnknownUnitError{unit, path}
	}
	return key, nil
}
