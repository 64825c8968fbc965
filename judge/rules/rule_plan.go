package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// The rules of this file say who may change the plan, and what may change with it.

// runPlan reports what the guards of package plan found about moves or an ACT.
func runPlan(p *pass) {
	if p.IsWholeCommit {
		if p.rule.ID == scopeReduced {
			p.reportDroppedBoxes()
		}
		runGuard(p)
		return
	}
	runActGuard(p)
}

// scopeReduced is the id of the rule about reduced plans.
const scopeReduced = "scope_reduced"

func (p *pass) reportDroppedBoxes() {
	for _, d := range p.DroppedBoxes {
		f := report.Finding{
			Path: d.File, Line: d.Line, Column: 1, EndLine: d.Line, Unit: d.File + "/" + d.ID, Item: d.Text,
			Message: fmt.Sprintf("The ticked box of %s was removed: «%s».", d.ID, shorten(d.Text)),
			Hint:    "put it back, or explain its removal in the message",
		}
		if d.NewText != "" {
			f.Message = fmt.Sprintf("The ticked box of %s was reworded to «%s», from «%s».", d.ID,
				shorten(d.NewText), shorten(d.Text))
			f.Hint = "restore its words, or untick it"
		}
		p.report(f).IsRelative = false
	}
}

// PlanNotAlone is the id of the rule below.
const PlanNotAlone = "plan_not_alone"

// runPlanNotAlone checks that only an ADAPT changes the plan, and that it changes nothing else.
func runPlanNotAlone(p *pass) {
	hasAct, hasAdapt := p.Message.Has(parser.Act), p.Message.Has(parser.Adapt)
	switch {
	case p.isCherryPick() || hasAdapt && (hasAct || p.Message.IsSquash):
	case hasAdapt:
		p.reportOtherFiles()
	case hasAct && !p.Message.IsSquash:
		p.reportActOnPlan()
	default:
		p.reportPlanOutsideAdapt()
	}
}

func (f *gathering) gatherOtherFiles() {
	hasAct, hasAdapt := f.Message.Has(parser.Act), f.Message.Has(parser.Adapt)
	switch {
	case f.isCherryPick() || hasAct && !f.Message.IsSquash || hasAdapt && (hasAct || f.Message.IsSquash):
	case hasAdapt:
		f.otherFiles = f.findOtherFiles()
	case len(f.change.moves) > 0:
		f.changesOnlyPlan = f.isPlanOnly()
	}
}

func (p *pass) reportPlanOutsideAdapt() {
	c := &p.change
	if !c.isChanged || len(c.moves) == 0 || c.isRevert {
		return
	}
	f := findingIn(p.Policy.Plan, "This commit changes the plan but is not an ADAPT",
		quoteMoves(plan.MoveTexts(c.moves))+"; commit the plan alone, as «ADAPT: <task>»")
	movesStatus := slices.ContainsFunc(c.moves, func(m plan.Move) bool { return m.Kind == plan.StatusMoved })
	if !movesStatus && !c.isRemoved && p.changesOnlyPlan && len(p.Message.Reverts) == 0 {
		p.severity = report.Warning
		f.Message += "; it counts as an ADAPT of the root"
	}
	if len(p.Message.Reverts) > 0 {
		f.Hint = quoteMoves(plan.MoveTexts(c.moves)) +
			"; a revert must undo exactly what the reverted commit did to the plan, or leave the plan alone"
	}
	p.report(f)
}

// isPlanOnly reports whether a commit changes only the plan. A squash or a merge always counts, since it contains
// others' changes.
func (f *gathering) isPlanOnly() bool {
	return f.Message.IsSquash || len(f.merged()) > 0 ||
		!slices.ContainsFunc(f.changed(), func(path string) bool { return path != f.Policy.Plan })
}

func (p *pass) reportActOnPlan() {
	c := &p.change
	if !c.isChanged || len(c.moves) == 0 {
		return
	}
	p.report(findingIn(p.Policy.Plan, "This ACT changes the plan, and an ACT must not",
		quoteMoves(plan.MoveTexts(c.moves))+"; remove the plan from this commit, and change it afterwards in an ADAPT"))
}

// findOtherFiles are the files beside the plan that an ADAPT changes; none if there was no plan before.
func (f *gathering) findOtherFiles() (others []string) {
	if f.planBefore() == nil {
		return nil
	}
	for _, path := range f.changed() {
		if path == f.Policy.Plan || strings.HasPrefix(path, f.amendments()) {
			continue
		}
		if _, _, isAltered := f.ownChange(path); isAltered {
			others = append(others, path)
		}
	}
	return others
}

func (p *pass) reportOtherFiles() {
	if len(p.otherFiles) == 0 {
		return
	}
	p.report(findingIn(p.otherFiles[0],
		fmt.Sprintf("This ADAPT changes %s, and an ADAPT may change only the plan", report.EnumerateFirst(1, p.otherFiles)),
		"commit the other files first, in an ACT or with «For: <task>», and the plan alone afterwards"))
}

// The rules of this file say which unit may act, and which ACT a complete task needs.

// runForUnitUnknown checks the plan before the commit and the one after it, since a squash adds units with their work.
func runForUnitUnknown(p *pass) {
	unit := p.Part.Unit
	if p.Part.Kind != parser.For || p.isCherryPick() || unit.Value == "" || !p.hasPlan || p.unit != nil {
		return
	}
	p.reportText(unit, fmt.Sprintf("Task %s is not in the plan.", unit.Value),
		"name a task that `acta plan show` lists, by its id (T02) or its key (M01/S01/T02); to add a missing one, "+
			"commit an ADAPT first")
}

func runActGuard(p *pass) {
	if v := p.actViolation; v != nil && v.Rule == p.rule.ID {
		p.reportText(p.Part.Unit, v.Message, v.Hint)
	}
}

func (f *gathering) gatherActViolation() {
	if f.IsWholeCommit || f.Part.Kind != parser.Act || f.isCherryPick() || f.Part.Unit.Value == "" {
		return
	}
	before := f.planBefore()
	if before == nil {
		return
	}
	var last plan.History
	if !f.Message.IsSquash {
		last = f.Source
	}
	found, err := plan.CheckAct(f.Ctx, before, f.Part.Unit.Value, last)
	f.Note(err)
	if found != nil && (!f.Message.IsSquash && len(f.merged()) == 0 || f.holdsAfter(found)) {
		f.actViolation = found
	}
}

// holdsAfter reports whether a violation also holds in the plan after a squash or a merge, since the plan may have
// changed in between.
func (f *gathering) holdsAfter(v *plan.Violation) bool {
	current := f.planIn(&f.Judge.Tree)
	if current == nil {
		return false
	}
	after, err := plan.CheckAct(f.Ctx, current, f.Part.Unit.Value, nil)
	f.Note(err)
	switch v.Guard {
	case plan.GuardActBeforeAdapt: // history says it, and no plan
		return true
	case plan.GuardActOnComplete:
		if slices.ContainsFunc(f.Message.Parts, func(p *parser.Part) bool { return IsReopened(p.Reopen, v.Unit) }) {
			return false
		}
	case plan.GuardActDependencyOpen, plan.GuardActBelowComplete:
		if slices.ContainsFunc(f.Message.Parts, func(part *parser.Part) bool { return len(part.Reopen) > 0 }) {
			return false
		}
	}
	return after != nil && after.Rule == v.Rule && after.Guard == v.Guard
}

// IsReopened reports whether Reopen trailers name a unit, by its key, or one above it.
func IsReopened(reopen []parser.Text, key string) bool {
	return slices.ContainsFunc(reopen, func(t parser.Text) bool {
		for at := key; at != ""; at = plan.KeyAbove(at) {
			if parser.SameUnit(UnitOf(t), at) {
				return true
			}
		}
		return false
	})
}
