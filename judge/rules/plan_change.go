package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// planChange is the commit's change of the plan. Each rule about plans reports a part of it.
type planChange struct {
	// isChanged: the plan differs from that of every parent, and had landed before.
	isChanged bool
	isRemoved bool   // there is no plan any more
	rootID    string // the id of the root before
	moves     []plan.Move
	// violations are found by the guards: for the commit's ADAPTs, or for a plain edit as an ADAPT of the root.
	violations []*plan.Violation
	// isRevert: the moves exactly undo those of the commits that the message reverts.
	isRevert bool
}

// partKinds reports whether the message has ACTs and ADAPTs.
func (f *facts) partKinds() (hasAct, hasAdapt bool) {
	for i := range f.Message.Parts {
		hasAct = hasAct || f.Message.Parts[i].Kind == parser.Act
		hasAdapt = hasAdapt || f.Message.Parts[i].Kind == parser.Adapt
	}
	return hasAct, hasAdapt
}

// gatherChange compares the plan before and after the commit. Without a message it does nothing. If the plan before was
// unreadable, only the form of the new one is checked.
func (f *facts) gatherChange(ctx context.Context) error {
	_, hasAdapt := f.partKinds()
	base, entry, altered, err := f.ownChange(ctx, f.Policy.Plan)
	if err != nil || !altered && !hasAdapt || len(f.Message.Parts) == 0 {
		return err
	}
	before, err := f.Source.PlanBefore(ctx)
	if err != nil {
		return err
	}
	if before == nil {
		if altered && base.Kind == evidence.Missing && entry.Kind == evidence.File {
			return f.checkFirstPlan(ctx, entry)
		}
		return nil
	}
	if altered && entry.Kind == evidence.Missing {
		if entry, err = f.movedPlan(ctx, entry); err != nil {
			return err
		}
	}
	parent := before.Nodes[0].Unit
	current := parent
	if altered {
		if current, parent, err = f.planAfter(ctx, parent, entry); err != nil || current == nil {
			return err
		}
	}
	if parent == nil { // a merge of histories that share no unit
		return nil
	}
	f.change.isRemoved = entry.Kind != evidence.File
	f.change.isChanged, f.change.moves, f.change.rootID = altered, plan.Diff(parent, current), parent.ID
	return f.checkGuards(ctx, plan.Change{Before: parent, After: current})
}

// checkFirstPlan runs the guards over a plan that lands for the first time, and not by a revert, cherry-pick or merge.
func (f *facts) checkFirstPlan(ctx context.Context, entry evidence.Entry) error {
	if f.isCherryPick() || len(f.Message.Reverts) > 0 {
		return nil
	}
	if merged, err := f.Source.Merged(ctx); err != nil || len(merged) > 0 {
		return err
	}
	x, err := f.readPlan(ctx, &f.Judge.Tree, entry)
	if isMalformed(err) {
		return nil
	}
	if err != nil {
		return err
	}
	f.change.violations, err = plan.Check(ctx, plan.Change{After: x.Nodes[0].Unit, IsSquash: f.Message.IsSquash})
	return err
}

// movedPlan is the plan at the path in the commit's own policy if the plan left its old path; else the given entry.
func (f *facts) movedPlan(ctx context.Context, removed evidence.Entry) (evidence.Entry, error) {
	to, err := f.Source.PlanPath(ctx)
	if err != nil || to == removed.Path {
		return removed, err
	}
	moved, err := f.Judge.Tree.Stat(ctx, to)
	if err != nil || moved.Kind != evidence.File {
		return removed, err
	}
	return moved, nil
}

// planAfter reads the plan after the commit; nil if it is malformed, which another rule reports. For a merge, before is
// the plan that results from the changes of its parents.
func (f *facts) planAfter(ctx context.Context, parent *plan.Unit, entry evidence.Entry) (
	current, before *plan.Unit, err error,
) {
	if entry.Kind != evidence.File {
		// The plan is gone, and all units with it.
		return &plan.Unit{ID: parent.ID, Type: plan.Parent, Status: parent.Status}, parent, nil
	}
	x, err := f.readPlan(ctx, &f.Judge.Tree, entry)
	if isMalformed(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	current = x.Nodes[0].Unit
	merged, err := f.Source.Merged(ctx)
	if err != nil || len(merged) == 0 {
		return current, parent, err
	}
	parents := []*plan.Unit{parent}
	for i := range merged {
		other, err := f.planIn(ctx, &merged[i])
		if err != nil {
			return nil, nil, err
		}
		if other != nil {
			parents = append(parents, other)
		}
	}
	return current, plan.UntouchedMerge(current, parents...), nil
}

// planIn reads the plan of a snapshot; nil if it is missing or unusable.
func (f *facts) planIn(ctx context.Context, tree *evidence.Tree) (*plan.Unit, error) {
	if tree == nil {
		return nil, nil
	}
	entry, err := tree.Stat(ctx, f.Policy.Plan)
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	x, err := f.Plans.Parse(entry.ID, func() ([]byte, error) { return tree.Read(ctx, entry) })
	if isMalformed(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return x.Nodes[0].Unit, nil
}

// readPlan reads the plan at an entry of a snapshot. What is malformed is a plan.Errors.
func (f *facts) readPlan(ctx context.Context, tree *evidence.Tree, entry evidence.Entry) (*plan.Index, error) {
	return f.Plans.Read(entry.ID, func() ([]byte, error) { return tree.Read(ctx, entry) })
}

func isMalformed(err error) bool {
	var bad plan.Errors
	return errors.As(err, &bad)
}

// checkGuards runs the guards over the change.
func (f *facts) checkGuards(ctx context.Context, c plan.Change) error {
	if f.change.isChanged && len(f.Message.Reverts) > 0 {
		isRevert, err := f.isPlanReverted(ctx)
		if err != nil || isRevert {
			f.change.isRevert = isRevert
			return err
		}
	}
	for i := range f.Message.Parts {
		if part := &f.Message.Parts[i]; part.Kind == parser.Adapt && part.Unit.Value != "" {
			c.Adapts = append(c.Adapts, part.Unit.Value)
			c.Reopen = append(c.Reopen, unitsOf(part.Reopen)...)
			c.Replan = append(c.Replan, planPairs(part.Replan)...)
			c.Reassess = append(c.Reassess, planPairs(part.Reassess)...)
			c.Acceptances = append(c.Acceptances, AcceptancesOf(part)...)
		}
	}
	c.IsSquash = f.Message.IsSquash
	if len(c.Adapts) == 0 {
		c.Adapts = []string{c.Before.ID}
	}
	c.History = f.Source
	check := plan.Check
	if f.isCherryPick() { // a cherry-pick completes nothing
		check = plan.CheckCompleted
	}
	found, err := check(ctx, c)
	if _, hasAdapt := f.partKinds(); !hasAdapt { // plan_not_alone says it
		found = slices.DeleteFunc(found, func(v *plan.Violation) bool { return v.Guard == plan.GuardStatusElsewhere })
	}
	f.change.violations = found
	return err
}

func unitsOf(texts []parser.Text) []string {
	var all []string
	for _, t := range texts {
		if v := UnitOf(t); v != "" {
			all = append(all, v)
		}
	}
	return all
}

// AcceptancesOf are the items that an ADAPT accepts for a valid reason.
func AcceptancesOf(part *parser.Part) (all []plan.Acceptance) {
	for _, a := range part.Acceptances {
		if a.Err == "" && reasonProblem(a.Reason.Value) == "" {
			all = append(all, plan.Acceptance{Unit: part.Unit.Value, Item: a.Subject.Value, Reason: a.Reason.Value})
		}
	}
	return all
}

// UnitOf is the unit that the value of a Reopen, Replan or Reassess trailer names: its first word.
func UnitOf(t parser.Text) string {
	first, _, _ := strings.Cut(strings.TrimSpace(strings.Trim(t.Value, "`")), " ")
	return strings.Trim(first, "`,")
}

func planPairs(all []parser.Pair) []plan.Pair {
	var out []plan.Pair
	for _, p := range all {
		if unit, other := UnitOf(p.First), UnitOf(p.Second); unit != "" && other != "" {
			out = append(out, plan.Pair{Unit: unit, Other: other})
		}
	}
	return out
}

// isPlanReverted reports whether the change exactly undoes the reverted commits' changes of the plan.
func (f *facts) isPlanReverted(ctx context.Context) (bool, error) {
	reverted, err := f.Source.RevertedCommits(ctx)
	if err != nil || len(reverted) == 0 {
		return false, err
	}
	var undo []plan.Move
	for i := range reverted {
		if reverted[i].IsUnknown {
			continue
		}
		before, err1 := f.planIn(ctx, reverted[i].Before)
		after, err2 := f.planIn(ctx, &reverted[i].After)
		if err1 != nil || err2 != nil {
			return false, fmt.Errorf("the plan of a reverted commit cannot be read: %w", cmp.Or(err1, err2))
		}
		undo = append(undo, plan.Diff(after, before)...)
	}
	return equalMoves(f.change.moves, undo), nil
}

// equalMoves compares moves without their order, and without that of siblings.
func equalMoves(a, b []plan.Move) bool {
	count := map[plan.Move]int{}
	for _, m := range a {
		if m.Kind != plan.Reordered {
			count[m]++
		}
	}
	for _, m := range b {
		if m.Kind != plan.Reordered {
			count[m]--
		}
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// runGuard reports the violations of the running rule.
func runGuard(p *pass) {
	defer p.markComparisons(len(p.findings))
	for _, v := range p.change.violations {
		switch {
		case v.Rule != p.rule.ID:
		case v.IsUndecided:
			p.undecided = append(p.undecided, v.Message)
		default:
			p.reportViolation(v)
		}
	}
}

// reportViolation places a violation in the plan, or in the message where it is about a unit that is not there.
func (p *pass) reportViolation(v *plan.Violation) {
	f := report.Finding{
		Path: p.Policy.Plan, Line: max(v.Line, 1), Column: max(v.Column, 1), EndLine: max(v.Line, 1),
		Unit: v.Unit, Message: v.Message, Hint: JoinHints(quoteMoves(v.Moves), v.Hint),
	}
	if at := p.placeOfUnit(v.Unit); v.Rule == plan.RuleUnitUnknown && at != nil {
		f.Path, f.Line, f.Column, f.EndLine = "", at.Span.Start.Line, at.Span.Start.Column, at.Span.End.Line
	}
	p.report(f)
}

// placeOfUnit is where the message names a unit.
func (p *pass) placeOfUnit(unit string) *parser.Text {
	for i := range p.Message.Parts {
		part := &p.Message.Parts[i]
		texts := append([]parser.Text{part.Unit}, part.Reopen...)
		for _, pair := range slices.Concat(part.Replan, part.Reassess) {
			texts = append(texts, pair.First, pair.Second)
		}
		for j := range texts {
			if UnitOf(texts[j]) == unit {
				return &texts[j]
			}
		}
	}
	return nil
}

// maxQuoted is how many moves a finding quotes.
const maxQuoted = 4

// quoteMoves are moves in words: «T03: pending → complete».
func quoteMoves(moves []string) string {
	var all []string
	for _, m := range moves[:min(len(moves), maxQuoted)] {
		all = append(all, "«"+m+"»")
	}
	if n := len(moves) - maxQuoted; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}
