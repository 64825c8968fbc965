package judge

import (
	"context"
	"fmt"
	"sync"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// Standing is where the work stands at HEAD: its plan, and what history says of the plan's units.
type Standing struct {
	Head repo.Commit
	// PlanPath is the plan's file, Intent the folder of what people asked for, from the top of the work tree.
	PlanPath, Intent string
	// Plan is HEAD's; nil where HEAD has none.
	Plan *plan.Unit

	subject *subject
}

// Stand reads where the work stands. A repository without a commit is repo.ErrUnborn,
// a policy that cannot be used a *ConfigError, a plan that cannot be read an error
// that wraps plan.Errors.
func Stand(ctx context.Context, r *repo.Repo, release string) (*Standing, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	tree := snapshot(r, head.Tree)
	p, err := readPolicy(ctx, &tree, release)
	if err != nil {
		return nil, err
	}
	s := &Standing{Head: head, PlanPath: p.Plan, Intent: p.Intent}
	data, err := readFile(ctx, tree, p.Plan)
	if err != nil {
		return nil, err
	}
	if data != nil {
		if s.Plan, err = plan.Parse(data); err != nil {
			return nil, fmt.Errorf("%s:%w", p.Plan, err)
		}
	}
	cache := newCache()
	s.subject = &subject{message: &parser.Message{}, tree: tree, base: &tree, policy: p, cache: cache, past: newPast(r, []repo.ID{head.ID}, p, cache)}
	s.subject.planBefore = sync.OnceValues(func() (*plan.Index, error) { return s.subject.readPlanBefore(ctx) })
	return s, nil
}

// LastAct tells of the last ACT of a unit, by its key, as the gate would of a commit on top of HEAD.
func (s *Standing) LastAct(ctx context.Context, key string) (plan.Act, error) {
	return s.subject.lastAct(ctx, key)
}

// Unadapted are the units that acted and had no ADAPT since, in the order of the
// plan, with their last ACT. What is complete is left out.
func (s *Standing) Unadapted(ctx context.Context) (units []*plan.Node, acts []plan.Act, err error) {
	x := plan.NewIndex(s.Plan)
	acted := map[*plan.Node]bool{}
	for c, err := range s.subject.past.here(ctx, "act:") {
		if err != nil {
			return nil, nil, err
		}
		for i := range c.message.Parts {
			if part := &c.message.Parts[i]; part.Kind == parser.Act {
				acted[x.Find(part.Unit.Value)] = true
			}
		}
	}
	for _, n := range x.Nodes {
		if !acted[n] || n.Status == plan.Complete {
			continue
		}
		last, err := s.subject.lastActHere(ctx, n.Key)
		if err != nil {
			return nil, nil, err
		}
		if last.Commit != "" && !last.Adapted {
			units, acts = append(units, n), append(acts, last)
		}
	}
	return units, acts, nil
}

// Reported is what the ACT of a unit in a commit says; nil where the commit has none.
func Reported(ctx context.Context, r *repo.Repo, commit, unit string) (*parser.Part, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	message, err := spoken(ctx, r, c)
	if err != nil {
		return nil, err
	}
	for i := len(message.Parts) - 1; i >= 0; i-- {
		if part := &message.Parts[i]; part.Kind == parser.Act && parser.SameUnit(part.Unit.Value, unit) {
			return part, nil
		}
	}
	return nil, nil
}
