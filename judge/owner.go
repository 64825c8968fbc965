package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// Owners says who holds a unit, named by its key; nil where nobody does. Nil Owners know of no claims at all.
type Owners func(key string) *check.Owner

// ownerOf finds the key of a unit that is named by its id in the plan before the
// commit. Where that has no such unit the name stands for itself.
func (s *subject) ownerOf(ctx context.Context, unit string) (*check.Owner, error) {
	if s.base == nil || unit == "" || strings.Contains(unit, "/") {
		return s.owner(unit), nil
	}
	before, err := s.usablePlan(ctx)
	if err != nil || before == nil {
		return s.owner(unit), err
	}
	if key := check.UnitKey(before, unit); key != "" {
		unit = key
	}
	return s.owner(unit), nil
}

// UnknownUnitError is a unit that the plan does not have.
type UnknownUnitError struct{ Unit, Plan string }

func (e *UnknownUnitError) Error() string {
	return fmt.Sprintf("there is no unit %s below the root of %s", e.Unit, e.Plan)
}

// UnitKey is the key of a unit, named by its key or its id, in the plan of the work
// tree, which may be ahead of HEAD's. Where there is no plan the name stands for
// itself; a unit that the plan does not have is an *UnknownUnitError.
func UnitKey(ctx context.Context, r *repo.Repo, release, unit string) (string, error) {
	path, root, err := WorkPlan(ctx, r, release)
	if err != nil || root == nil {
		return unit, err
	}
	key := check.UnitKey(plan.NewIndex(root), unit)
	if key == "" {
		return "", &UnknownUnitError{unit, path}
	}
	return key, nil
}

// WorkPlan reads the plan of the work tree, else of HEAD, and says where it lies; nil
// where there is none. One that cannot be read is a *MalformedPlanError.
func WorkPlan(ctx context.Context, r *repo.Repo, release string) (path string, root *plan.Unit, err error) {
	path, root, err = WorkTreePlan(ctx, r, release)
	if err != nil || root != nil {
		return path, root, err
	}
	return HeadPlan(ctx, r, release)
}

// WorkTreePlan is WorkPlan for the work tree alone.
func WorkTreePlan(ctx context.Context, r *repo.Repo, release string) (path string, root *plan.Unit, err error) {
	path, data, err := WorkPlanFile(ctx, r, release)
	if err != nil || data == nil {
		return path, nil, err
	}
	if root, err = plan.Read(data); err != nil {
		return path, nil, &MalformedPlanError{path, err}
	}
	return path, root, nil
}

// WorkPlanFile reads the plan file of the work tree and says where it lies, relative to the top; nil where there is none.
// What a link leads to outside of the work tree is no plan, as git has it.
func WorkPlanFile(ctx context.Context, r *repo.Repo, release string) (path string, data []byte, err error) {
	p, err := HeadPolicy(ctx, r, release)
	if err != nil {
		return "", nil, err
	}
	g, err := r.Geometry(ctx)
	if err != nil || g.Top == "" {
		return p.Plan, nil, err
	}
	if leaves := (*repo.LeavesError)(nil); errors.As(repo.StaysIn(g.Top, p.Plan), &leaves) {
		return p.Plan, nil, nil
	}
	data, err = os.ReadFile(filepath.Join(g.Top, filepath.FromSlash(p.Plan)))
	if os.IsNotExist(err) {
		return p.Plan, nil, nil
	}
	if data == nil && err == nil {
		data = []byte{}
	}
	return p.Plan, data, err
}
