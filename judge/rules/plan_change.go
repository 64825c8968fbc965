package rules

import (
	"errors"
	"fmt"
	"maps"
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

// gatherChange compares the plan before and after the commit. Without a message it does nothing. If the plan before was
// unreadable, only the form of the new one is checked.
func (f *gathering) gatherChange() {
	base, entry, isAltered := f.ownChange(f.Policy.Plan)
	if !isAltered && !f.Message.Has(parser.Adapt) || len(f.Message.Parts) == 0 {
		return
	}
	before := f.planBefore()
	if before == nil {
		if isAltered && base.Kind == evidence.Missing && entry.Kind == evidence.File {
			f.checkFirstPlan(entry)
		}
		return
	}
	if isAltered && entry.Kind == evidence.Missing {
		entry = f.movedPlan(entry)
	}
	parent := before.Nodes[0].Unit
	current := parent
	if isAltered {
		current, parent = f.planAfter(parent, entry)
	}
	if current == nil || parent == nil { // malformed, or a merge of histories that share no unit
		return
	}
	f.change.isRemoved = entry.Kind != evidence.File
	f.change.isChanged, f.change.moves, f.change.rootID = isAltered, plan.Diff(parent, current), parent.ID
	f.checkGuards(plan.Change{Before: parent, After: current})
}

// checkFirstPlan runs the guards over a plan that lands for the first time, and not by a revert, cherry-pick or merge.
func (f *gathering) checkFirstPlan(entry evidence.Entry) {
	if f.isCherryPick() || len(f.Message.Reverts) > 0 || len(f.merged()) > 0 {
		return
	}
	if x, _ := f.readPlan(entry); x != nil {
		found, err := plan.Check(f.Ctx, plan.Change{After: x.Nodes[0].Unit, IsSquash: f.Message.IsSquash})
		f.change.violations = found
		f.Note(err)
	}
}

// movedPlan is the plan at the path in the commit's own policy if the plan left its old path; else the given entry.
func (f *gathering) movedPlan(removed evidence.Entry) evidence.Entry {
	if to := f.nextPlanPath(); to != removed.Path {
		if moved := f.Stat(&f.Judge.Tree, to); moved.Kind == evidence.File {
			return moved
		}
	}
	return removed
}

// planAfter reads the plan after the commit; nil if it is malformed, which another rule reports. For a merge, before is
// the plan that results from the changes of its parents.
func (f *gathering) planAfter(parent *plan.Unit, entry evidence.Entry) (current, before *plan.Unit) {
	if entry.Kind != evidence.File {
		// The plan is gone, and all units with it.
		return &plan.Unit{ID: parent.ID, Type: plan.Parent, Status: parent.Status}, parent
	}
	x, _ := f.readPlan(entry)
	merged := f.merged()
	if x == nil || len(merged) == 0 {
		return rootOf(x), parent
	}
	parents := []*plan.Unit{parent}
	for i := range merged {
		if other := f.planIn(&merged[i]); other != nil {
			parents = append(parents, rootOf(other))
		}
	}
	return rootOf(x), plan.UntouchedMerge(rootOf(x), parents...)
}

func rootOf(x *plan.Index) *plan.Unit {
	if x == nil {
		return nil
	}
	return x.Nodes[0].Unit
}

// planIn reads the plan of a snapshot; nil if it is missing or unusable.
func (f *gathering) planIn(tree *evidence.Tree) *plan.Index {
	return f.planAt(tree, f.Policy.Plan, f.Plans)
}

// readPlan reads the plan at an entry of the commit's snapshot; nil if it is malformed.
func (f *gathering) readPlan(entry evidence.Entry) (x *plan.Index, malformed plan.Errors) {
	x, err := f.Plans.Read(entry.ID, func() ([]byte, error) { return f.Judge.Tree.Read(f.Ctx, entry) })
	if !errors.As(err, &malformed) {
		f.Note(err)
	}
	return x, malformed
}

func (f *gathering) checkGuards(c plan.Change) {
	if f.change.isChanged && len(f.Message.Reverts) > 0 {
		if f.change.isRevert = f.isPlanReverted(); f.change.isRevert {
			return
		}
	}
	for _, part := range f.Message.Of(parser.Adapt) {
		if part.Unit.Value != "" {
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
	found, err := check(f.Ctx, c)
	f.Note(err)
	if !f.Message.Has(parser.Adapt) { // plan_not_alone says it
		found = slices.DeleteFunc(found, func(v *plan.Violation) bool { return v.Guard == plan.GuardStatusElsewhere })
	}
	f.change.violations = found
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
func (f *gathering) isPlanReverted() bool {
	reverted := answer(f.inquiry, f.Source.RevertedCommits)
	if len(reverted) == 0 {
		return false
	}
	var undo []plan.Move
	for i := range reverted {
		if !reverted[i].IsUnknown {
			undo = append(undo, plan.Diff(rootOf(f.planIn(&reverted[i].After)), rootOf(f.planIn(reverted[i].Before)))...)
		}
	}
	return equalMoves(f.change.moves, undo)
}

// equalMoves compares moves without their order, and without that of siblings.
func equalMoves(a, b []plan.Move) bool {
	count := func(moves []plan.Move) map[plan.Move]int {
		all := map[plan.Move]int{}
		for _, m := range moves {
			if m.Kind != plan.Reordered {
				all[m]++
			}
		}
		return all
	}
	return maps.Equal(count(a), count(b))
}

func runGuard(p *pass) {
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
	f := violationFinding(v, p.Policy.Plan)
	if at := p.placeOfUnit(v.Unit); v.Rule == plan.RuleUnitUnknown && at != nil {
		f.Path, f.Line, f.Column, f.EndLine = "", at.Span.Start.Line, at.Span.Start.Column, at.Span.End.Line
	}
	p.report(f)
}

func violationFinding(v *plan.Violation, planPath string) report.Finding {
	return report.Finding{
		Path: planPath, Line: max(v.Line, 1), Column: max(v.Column, 1), EndLine: max(v.Line, 1),
		Unit: v.Unit, Message: v.Message, Hint: JoinHints(quoteMoves(v.Moves), v.Hint),
	}
}

func (p *pass) placeOfUnit(unit string) *parser.Text {
	for _, part := range p.Message.Parts {
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
	all := report.Map(moves[:min(len(moves), maxQuoted)], func(m string) string { return "«" + m + "»" })
	if n := len(moves) - maxQuoted; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}
