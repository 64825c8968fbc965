package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
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
	s := &PlanState{Head: head, tree: *h.tree(head.Tree)}
	p, err := snapshot.Of(&s.tree).Policy(ctx)
	if err != nil {
		return nil, err
	}
	s.Intent, s.ancestors = p.Intent, h.Behind([]repo.ID{head.ID}, p)
	return s, nil
}

// LastAct is the last ACT of a unit, by its key, for a commit on top of HEAD.
func (s *PlanState) LastAct(ctx context.Context, key string) (plan.Act, error) {
	return s.ancestors.LastAct(ctx, &ActSearch{Key: key, Current: &s.tree}, false)
}

// UnadaptedUnits are the units that acted and had no ADAPT since, in the order of the
// plan, with their last ACT. What is complete is left out.
func (s *PlanState) UnadaptedUnits(ctx context.Context) (units []*plan.Node, acts []plan.Act, err error) {
	acted := map[*plan.Node]bool{}
	for c, err := range s.ancestors.commitsWith(ctx, true, "act:") {
		if err != nil {
			return nil, nil, err
		}
		for _, part := range c.message.Of(parser.Act) {
			acted[s.index.Find(part.Unit.Value)] = true
		}
	}
	for _, n := range s.index.Nodes {
		if !acted[n] || n.Status == plan.Complete {
			continue
		}
		last, err := s.ancestors.LastAct(ctx, &ActSearch{Key: n.Key, LocalOnly: true}, false)
		if err != nil {
			return nil, nil, err
		}
		if last.Commit != "" && !last.IsAdapted {
			units, acts = append(units, n), append(acts, last)
		}
	}
	return units, acts, nil
}

// LastAct is PlanState.LastAct of HEAD; none before the first commit.
func (h *History) LastAct(ctx context.Context, key string) (plan.Act, error) {
	s, err := h.headState(ctx)
	if errors.Is(err, repo.ErrUnborn) {
		return plan.Act{}, nil
	}
	if err != nil {
		return plan.Act{}, err
	}
	return s.LastAct(ctx, key)
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
		for _, part := range slices.Backward(c.message.Parts) {
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
	for _, part := range slices.Backward(c.message.Of(parser.Act)) {
		if parser.SameUnit(part.Unit.Value, unit) {
			return part, nil
		}
	}
	return nil, nil
}

// rangePlan tells rules how a range changes the plan.
type rangePlan struct {
	*Reader
	after     *evidence.Tree
	ancestors *Ancestors
}

func (p rangePlan) PlanPath(ctx context.Context) (string, error) {
	return planPath(ctx, p.after, p.policy)
}

func (p rangePlan) LastAct(ctx context.Context, key string) (plan.Act, error) {
	return p.ancestors.LastAct(ctx, &ActSearch{Key: key}, true)
}

// PlanBefore is the plan before the range. If there is none, it is the last plan that was removed earlier, so a
// restored plan is not new. nil if there never was a readable plan.
func (p rangePlan) PlanBefore(ctx context.Context) (*plan.Index, error) {
	x, err := p.planAt(ctx, p.base, p.policy.Plan)
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
	return p.planAt(ctx, last, p.policy.Plan)
}

// planAt is planIn of a commit.
func (g *Reader) planAt(ctx context.Context, c repo.Commit, path string) (*plan.Index, error) {
	x, err := g.planIn(ctx, g.tree(c.Tree), path)
	if err != nil {
		err = fmt.Errorf("the plan of commit %.12s cannot be read: %w", c.ID, err)
	}
	return x, err
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
	return p.history.tree(c.Tree), err
}

// movesByAdapt assigns the status moves of a commit to its ADAPTs. In a squash, each ADAPT gets the moves of its own
// unit, and the last one the rest.
func (g *Reader) movesByAdapt(
	ctx context.Context, c repo.Commit, adapts []*parser.Part,
) (map[*parser.Part][]plan.Move, error) {
	if len(adapts) == 0 {
		return nil, nil
	}
	all, err := g.statusMoves(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("the statuses that commit %.12s moved cannot be known: %w", c.ID, err)
	}
	moves := map[*parser.Part][]plan.Move{}
	for _, m := range all {
		by := adapts[len(adapts)-1]
		for _, p := range adapts {
			if parser.SameUnit(p.Unit.Value, m.Key) {
				by = p
			}
		}
		moves[by] = append(moves[by], m)
	}
	return moves, nil
}

// statusMoves are the statuses that a commit moved in the plan. A first plan moves none, and an unreadable plan counts
// as none. A merge moved what differs from all of its parents.
func (g *Reader) statusMoves(ctx context.Context, c repo.Commit) ([]plan.Move, error) {
	after, err := g.planOf(ctx, c)
	if err != nil || after == nil {
		return nil, err
	}
	var parents []*plan.Unit
	for i, id := range c.Parents {
		parent, err := g.repo.Commit(ctx, string(id))
		if errors.Is(err, repo.ErrShallow) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		before, err := g.planOf(ctx, parent)
		if err != nil || before == nil && i == 0 {
			return nil, err
		}
		if before != nil {
			parents = append(parents, before.Nodes[0].Unit)
		}
	}
	if len(parents) == 0 {
		return nil, nil
	}
	before, current := parents[0], after.Nodes[0].Unit
	if len(parents) > 1 {
		before = plan.UntouchedMerge(current, parents...)
	}
	return slices.DeleteFunc(plan.Diff(before, current), func(m plan.Move) bool { return m.Kind != plan.StatusMoved }), nil
}

// planOf is the plan of a commit at the path in its own policy; nil if either is missing or unusable. So the answer
// does not depend on the commit that asks.
func (g *Reader) planOf(ctx context.Context, c repo.Commit) (*plan.Index, error) {
	path := ""
	p, err := g.PolicyOf(ctx, c.ID)
	if config := (*policy.ConfigError)(nil); errors.As(err, &config) { // it may need another release
		path, err = snapshot.At(g.repo, string(c.ID)).PlanPath(ctx, "")
	} else if err == nil {
		path = p.Plan
	}
	if err != nil || path == "" {
		return nil, err
	}
	return g.planAt(ctx, c, path)
}
