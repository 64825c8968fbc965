package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// movesByAdapt assigns the status moves of a commit to its ADAPTs. In a squash, each ADAPT gets the moves of its own
// unit, and the last one the rest.
func (g *Reader) movesByAdapt(ctx context.Context, c repo.Commit, parts []parser.Part) (map[int][]plan.Move, error) {
	last := -1
	for i := range parts {
		if parts[i].Kind == parser.Adapt {
			last = i
		}
	}
	if last < 0 {
		return nil, nil
	}
	all, err := g.statusMoves(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("the statuses that commit %.12s moved cannot be known: %w", c.ID, err)
	}
	moves := map[int][]plan.Move{}
	for _, m := range all {
		part := last
		for i := range parts {
			if parts[i].Kind == parser.Adapt && parser.SameUnit(parts[i].Unit.Value, m.Key) {
				part = i
			}
		}
		moves[part] = append(moves[part], m)
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
	return g.planIn(ctx, c, path)
}
