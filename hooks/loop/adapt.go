package loop

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
)

// adapt assesses the unit and commits the tree that the navigator makes of it.
// Where assessor or navigator give twice what does not fit, that counts as a failed
// ACT of a task: the loop itself makes the least ADAPT that says so. A parent has
// no ACT that could fail, and the loop stops there.
func (w *run) adapt(ctx context.Context, t *turn) error {
	seen, err := w.assess(ctx, t)
	if isUnusable(err) {
		return w.giveUp(ctx, t, nil, assessor, err)
	}
	if err != nil {
		return err
	}
	err = w.navigate(ctx, t, seen)
	if isUnusable(err) {
		return w.giveUp(ctx, t, seen, navigator, err)
	}
	return err
}

// assess asks what is to be seen of the unit, and adds what history says.
func (w *run) assess(ctx context.Context, t *turn) (seen []observation, err error) {
	var acted *result // of a parent there is none
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
		seen, err = readObservations(reply)
		return err
	})
	if err == nil && acted != nil && acted.Failed {
		seen = append(seen, observation{"quality",
			fmt.Sprintf("the last ACT failed; its ADAPT raises failure_threshold by %v at least", plan.Step)})
	}
	return seen, err
}

// navigate asks for the tree as it is to be, and commits it.
func (w *run) navigate(ctx context.Context, t *turn, seen []observation) error {
	asked, err := t.intent(ctx)
	if err != nil {
		return err
	}
	if seen == nil {
		seen = []observation{}
	}
	request := map[string]any{
		"unit": t.unit.Unit, "key": t.unit.Key, "observations": seen, "tree": t.Plan, "intent": asked,
		"perspectives": strategies,
	}
	return w.consult(ctx, t, navigator, w.Navigator, request, func(reply []byte) error {
		tree, err := readTree(reply)
		if err != nil {
			return err
		}
		return w.commitAdapt(ctx, t, tree, seen)
	})
}

// commitAdapt asks the guards about a tree, and commits it as the unit's ADAPT.
func (w *run) commitAdapt(ctx context.Context, t *turn, tree *plan.Unit, seen []observation) error {
	beginAbove(t.Plan, tree)
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
	var wrong []string
	for _, v := range found {
		if v.Rule == plan.RuleScopeReduced || v.Rule == plan.RuleAccepted || v.IsUndecided {
			continue
		}
		wrong = append(wrong, v.Error())
		if v.Hint != "" {
			wrong = append(wrong, "    "+v.Hint)
		}
	}
	if len(wrong) > 0 {
		return unusable("the tree is not a legal ADAPT of %s:\n%s", t.unit.Key, strings.Join(wrong, "\n"))
	}
	id, err := w.commitAlone(ctx, t, adaptMessage(t.unit.Key, change, seen, w.By), plan.Write(tree))
	if err != nil {
		return err
	}
	w.did(Step{Title: "ADAPT", Unit: t.unit.Key, Commit: string(id), Moves: plan.MoveTexts(change.Moves())})
	return nil
}

// giveUp is the ADAPT for a role that gave no reply that fits: it raises the threshold
// by one step, so that nobody is asked for ever, and in the end the unit is escalated.
func (w *run) giveUp(ctx context.Context, t *turn, seen []observation, role string, why error) error {
	if !t.unit.IsTask() {
		return &StuckError{fmt.Sprintf("%s has its turn, but the %s gave an invalid reply twice; the last error: %v",
			t.unit.Key, role, why)}
	}
	tree := t.Plan.Clone()
	unit := plan.NewIndex(tree).Find(t.unit.Key)
	unit.FailureThreshold = math.Min(plan.Escalated, unit.FailureThreshold+plan.Step)
	first, _, _ := strings.Cut(why.Error(), "\n")
	seen = append(seen, observation{"quality", fmt.Sprintf("no reply of the %s is valid: %s", role,
		strings.TrimSuffix(first, ":"))})
	if err := w.commitAdapt(ctx, t, tree, seen); err != nil {
		return fmt.Errorf("the ADAPT of %s that raises its threshold was not committed, since %s: %w", t.unit.Key, why, err)
	}
	return nil
}

// beginAbove sets what is pending above a unit that was completed or reopened in progress, as `acta plan complete`
// does.
func beginAbove(before, after *plan.Unit) {
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
