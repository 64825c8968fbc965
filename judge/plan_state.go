package judge

import (
	"context"
	"errors"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// PlanState is HEAD's plan, and the history of its units.
type PlanState struct {
	Head repo.Commit
	// PlanPath is the plan's file, Intent the folder of the requests, relative to the top of the work tree.
	PlanPath, Intent string
	// Plan is HEAD's; nil if HEAD has none.
	Plan *plan.Unit

	index     *plan.Index // of Plan
	tree      evidence.Tree
	ancestors *Ancestors
}

// PlanState reads HEAD's plan. Without a commit it returns repo.ErrUnborn, for an unusable policy a
// *policy.ConfigError, for an unreadable plan a *snapshot.MalformedPlanError.
func (h *History) PlanState(ctx context.Context) (*PlanState, error) {
	s, err := h.headState(ctx)
	if err == nil {
		s.PlanPath, s.Plan, err = snapshot.Of(&s.tree).Plan(ctx)
		s.index = plan.NewIndex(s.Plan)
	}
	return s, err
}

// headState is PlanState without the plan.
func (h *History) headState(ctx context.Context) (*PlanState, error) {
	head, err := h.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	s := &PlanState{Head: head, tree: snapshot.Tree(h.repo, head.Tree)}
	p, err := snapshot.Of(&s.tree).Policy(ctx)
	if err != nil {
		return nil, err
	}
	s.Intent, s.ancestors = p.Intent, h.Behind([]repo.ID{head.ID}, p)
	return s, nil
}

// LastAct is the last ACT of a unit, by its key, for a commit on top of HEAD.
func (s *PlanState) LastAct(ctx context.Context, key string) (plan.Act, error) {
	return s.lastAct(ctx, key, &ActSearch{Current: &s.tree})
}

func (s *PlanState) lastAct(ctx context.Context, key string, q *ActSearch) (plan.Act, error) {
	q.Key = key
	if n := s.index.Find(key); n != nil {
		q.Items = n.Checklist
	}
	return s.ancestors.LastAct(ctx, q, false)
}

// UnadaptedUnits are the units that acted and had no ADAPT since, in the order of the
// plan, with their last ACT. What is complete is left out.
func (s *PlanState) UnadaptedUnits(ctx context.Context) (units []*plan.Node, acts []plan.Act, err error) {
	acted := map[*plan.Node]bool{}
	for c, err := range s.ancestors.commitsWith(ctx, true, "act:") {
		if err != nil {
			return nil, nil, err
		}
		for i := range c.message.Parts {
			if part := &c.message.Parts[i]; part.Kind == parser.Act {
				acted[s.index.Find(part.Unit.Value)] = true
			}
		}
	}
	for _, n := range s.index.Nodes {
		if !acted[n] || n.Status == plan.Complete {
			continue
		}
		last, err := s.lastAct(ctx, n.Key, &ActSearch{LocalOnly: true})
		if err != nil {
			return nil, nil, err
		}
		if last.Commit != "" && !last.IsAdapted {
			units, acts = append(units, n), append(acts, last)
		}
	}
	return units, acts, nil
}

// ActsOf is where last ACTs are looked for in the history of HEAD, as for an ADAPT on top of it. root is the plan with
// the items that the ACTs had to report.
func (h *History) ActsOf(root *plan.Unit) plan.History { return &headActs{history: h, root: root} }

type headActs struct {
	history *History
	root    *plan.Unit
	state   *PlanState // nil before it is asked
}

// LastAct is the last ACT of a unit, by its key; none before the first commit.
func (a *headActs) LastAct(ctx context.Context, key string) (act plan.Act, err error) {
	if a.state == nil {
		head, err := a.history.headState(ctx)
		if errors.Is(err, repo.ErrUnborn) {
			return act, nil
		}
		if err != nil {
			return act, err
		}
		a.state, head.index = head, plan.NewIndex(a.root)
	}
	return a.state.LastAct(ctx, key)
}

// AcceptancesBelow lists the items that ADAPTs accepted for complete tasks below a unit, newest first.
func (h *History) AcceptancesBelow(ctx context.Context, root *plan.Unit, unit string) ([]plan.ItemBasis, error) {
	s, err := h.headState(ctx)
	x, top := plan.NewIndex(root), plan.NewIndex(root).Find(unit)
	if err != nil || top == nil {
		return nil, err
	}
	var all []plan.ItemBasis
	var reopened []parser.Text
	for c, err := range s.ancestors.commitsWith(ctx, true, "accepted:", reopenText) {
		if err != nil {
			return nil, err
		}
		for i := range slices.Backward(c.message.Parts) {
			part := &c.message.Parts[i]
			n := x.Find(part.Unit.Value)
			if part.Kind == parser.Adapt && n != nil && n.IsBelow(top.ID) && n.Status == plan.Complete {
				if !rules.IsReopened(reopened, n.Key) {
					for _, a := range rules.AcceptancesOf(part) {
						all = append(all, plan.ItemBasis{Item: n.Key + ": " + a.Item, Kind: "accepted", Text: a.Reason})
					}
				}
			}
			reopened = append(reopened, part.Reopen...)
		}
	}
	return all, nil
}

// ActOf is the ACT of a unit in a commit; nil without one.
func ActOf(ctx context.Context, r *repo.Repo, commit, unit string) (*parser.Part, error) {
	c, err := readCommit(ctx, r, commit)
	if err != nil {
		return nil, err
	}
	for i := range slices.Backward(c.message.Parts) {
		if part := &c.message.Parts[i]; part.Kind == parser.Act && parser.SameUnit(part.Unit.Value, unit) {
			return part, nil
		}
	}
	return nil, nil
}
