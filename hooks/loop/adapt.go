package loop

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
)

// adapt assesses the unit and commits the navigator's tree. If assessor or navigator give two invalid replies, that
// counts as a failed ACT of a task: the loop itself makes the smallest ADAPT. A parent has no ACT that could fail, so
// the loop stops there.
func (w *run) adapt(ctx context.Context, t *turn) error {
	observations, err := w.assess(ctx, t)
	if isUnusable(err) {
		return w.giveUp(ctx, t, nil, assessor, err)
	}
	if err != nil {
		return err
	}
	err = w.navigate(ctx, t, observations)
	if isUnusable(err) {
		return w.giveUp(ctx, t, observations, navigator, err)
	}
	return err
}

// assess asks for observations on the unit, and adds those from history.
func (w *run) assess(ctx context.Context, t *turn) (observations []observation, err error) {
	var acted *result // nil for a parent
	if t.act.Commit != "" {
		part, err := judge.ActOf(ctx, t.repo, t.act.Commit, t.unit.Key)
		if err != nil {
			return nil, err
		}
		acted = resultOf(t.act, part)
	}
	request := map[string]any{"unit": t.unit.Unit, "key": t.unit.Key, "result": acted, "tree": t.Plan,
		"perspectives": perspectives}
	err = w.consult(ctx, t, assessor, w.Assessor, request, func(reply []byte) (err error) {
		observations, err = readObservations(reply)
		return err
	})
	if err == nil && acted != nil && acted.Failed {
		observations = append(observations, observation{"quality",
			fmt.Sprintf("the last ACT failed; its ADAPT raises failure_threshold by %v at least", plan.Step)})
	}
	return observations, err
}

func (w *run) navigate(ctx context.Context, t *turn, observations []observation) error {
	intent, err := t.intent(ctx)
	if err != nil {
		return err
	}
	request := map[string]any{
		"unit": t.unit.Unit, "key": t.unit.Key, "observations": observations, "tree": t.Plan, "intent": intent,
		"perspectives": strategies,
	}
	return w.consult(ctx, t, navigator, w.Navigator, request, func(reply []byte) error {
		tree, err := readTree(reply)
		if err != nil {
			return err
		}
		return w.commitAdapt(ctx, t, tree, observations)
	})
}

func (w *run) commitAdapt(ctx context.Context, t *turn, tree *plan.Unit, observations []observation) error {
	startAncestors(t.Plan, tree)
	change := plan.ReplaceTree(t.Plan, tree, t.unit.Key)
	if !t.unit.IsTask() && len(change.Moves()) == 0 {
		return unusable("the tree changes nothing, so %s would have its turn again: complete it, or plan what is "+
			"missing below it", t.unit.Key)
	}
	change.History = t
	found, err := plan.Check(ctx, change)
	if err != nil {
		return err
	}
	var violations []string
	for _, v := range found {
		if v.Rule == plan.RuleScopeReduced || v.Rule == plan.RuleAccepted || v.IsUndecided {
			continue
		}
		violations = append(violations, v.Error())
		if v.Hint != "" {
			violations = append(violations, "    "+v.Hint)
		}
	}
	if len(violations) > 0 {
		return unusable("the tree is not a legal ADAPT of %s:\n%s", t.unit.Key, strings.Join(violations, "\n"))
	}
	id, err := w.commitAlone(ctx, t, adaptMessage(t.unit.Key, change, observations, w.Caller), plan.Write(tree))
	if err != nil {
		return err
	}
	w.Witness.OnStep(Step{Title: "ADAPT", Unit: t.unit.Key, Commit: string(id), Moves: plan.MoveTexts(change.Moves())})
	return nil
}

// giveUp is the ADAPT for a role without a valid reply: it raises the threshold by one step, so that the unit is
// escalated in the end instead of asked for ever.
func (w *run) giveUp(ctx context.Context, t *turn, observations []observation, role string, cause error) error {
	if !t.unit.IsTask() {
		return &StuckError{fmt.Sprintf("%s has its turn, but the %s gave an invalid reply twice; the last error: %v",
			t.unit.Key, role, cause)}
	}
	tree := t.Plan.Clone()
	unit := plan.NewIndex(tree).Find(t.unit.Key)
	unit.FailureThreshold = math.Min(plan.Escalated, unit.FailureThreshold+plan.Step)
	first, _, _ := strings.Cut(cause.Error(), "\n")
	observations = append(observations, observation{"quality", fmt.Sprintf("no reply of the %s is valid: %s", role,
		strings.TrimSuffix(first, ":"))})
	if err := w.commitAdapt(ctx, t, tree, observations); err != nil {
		return fmt.Errorf("the ADAPT of %s that raises its threshold was not committed, since %s: %w", t.unit.Key, cause, err)
	}
	return nil
}

// startAncestors sets pending ancestors of a completed or reopened unit to in progress, as `acta plan complete` does.
func startAncestors(before, after *plan.Unit) {
	was := plan.NewIndex(before)
	for _, n := range plan.NewIndex(after).Nodes {
		old := was.Find(n.ID)
		if old == nil || (old.Status == plan.Complete) == (n.Status == plan.Complete) {
			continue
		}
		for p := n.Parent; p != nil; p = p.Parent {
			if p.Status == plan.Pending {
				p.Status = plan.InProgress
			}
		}
	}
}
