package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
)

// findAct looks for the last ACT of a unit: in the message, else in the history behind it.
func (s *subject) findAct(ctx context.Context, q *ActSearch) (plan.Act, error) {
	if before, err := s.usablePlan(ctx); err != nil {
		return plan.Act{}, err
	} else if before != nil {
		if n := before.Find(q.Key); n != nil {
			q.Items = n.Checklist
		}
	}
	if s.message.IsSquash {
		after, err := s.planAfter(ctx)
		if err != nil {
			return plan.Act{}, err
		}
		if n := after.Find(q.Key); n != nil {
			q.Items = n.Checklist
		}
	}
	if a, found := q.InMessage(s.parts, s.message.IsSquash); found {
		return a, nil
	}
	return s.ancestors.LastAct(ctx, q, len(s.message.CherryPickedFrom) > 0)
}

func (s *subject) planBefore(ctx context.Context) (*plan.Index, error) {
	return s.answers.planBefore.get(func() (*plan.Index, error) {
		before, err := snapshot.Of(s.base).PlanIndex(ctx, s.policy.Plan, s.history.Plans)
		if malformed := (*snapshot.MalformedPlanError)(nil); errors.As(err, &malformed) {
			return nil, fmt.Errorf("the plan before this commit cannot be read: %w", err)
		}
		return before, err
	})
}

// planAfter is the plan after the commit; empty if it is missing or unreadable.
func (s *subject) planAfter(ctx context.Context) (*plan.Index, error) {
	after, err := snapshot.Of(&s.tree).PlanIndex(ctx, s.policy.Plan, s.history.Plans)
	if malformed := (*snapshot.MalformedPlanError)(nil); after == nil && err == nil || errors.As(err, &malformed) {
		return plan.NewIndex(nil), nil
	}
	return after, err
}

// usablePlan is the plan before the commit; nil if it is missing or unreadable.
func (s *subject) usablePlan(ctx context.Context) (*plan.Index, error) {
	before, err := s.planBefore(ctx)
	var malformed plan.Errors
	if errors.As(err, &malformed) {
		return nil, nil
	}
	return before, err
}
