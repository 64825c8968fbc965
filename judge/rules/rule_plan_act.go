package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

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
	for _, v := range p.actViolations {
		if v.Rule == p.rule.ID {
			p.reportText(p.Part.Unit, v.Message, v.Hint)
		}
	}
}

func (f *gathering) gatherActViolations() {
	if f.IsWholeCommit || f.Part.Kind != parser.Act || f.isCherryPick() || f.Part.Unit.Value == "" {
		return
	}
	before := f.planBefore()
	if before == nil {
		return
	}
	var last plan.History
	if !f.Message.IsSquash {
		last = f.Source.LastAct
	}
	found, err := plan.CheckAct(f.Ctx, before, f.Part.Unit.Value, last)
	f.Note(err)
	if f.actViolations = found; len(found) > 0 && (f.Message.IsSquash || len(f.merged()) > 0) {
		f.actViolations = f.holdAfter(found)
	}
}

// holdAfter keeps the violations that also hold in the plan after a squash or a merge, since the plan may have changed
// in between.
func (f *gathering) holdAfter(found []*plan.Violation) []*plan.Violation {
	current := f.planIn(&f.Judge.Tree)
	if current == nil {
		return nil
	}
	after, err := plan.CheckAct(f.Ctx, current, f.Part.Unit.Value, nil)
	f.Note(err)
	return slices.DeleteFunc(found, func(v *plan.Violation) bool {
		switch v.Guard {
		case plan.GuardActBeforeAdapt: // history says it, and no plan
			return false
		case plan.GuardActOnComplete:
			if f.isReopened(v.Unit) {
				return true
			}
		case plan.GuardActDependencyOpen, plan.GuardActBelowComplete:
			if slices.ContainsFunc(f.Message.Parts, func(part parser.Part) bool { return len(part.Reopen) > 0 }) {
				return true
			}
		}
		return !slices.ContainsFunc(after, func(o *plan.Violation) bool { return o.Rule == v.Rule && o.Guard == v.Guard })
	})
}

func (f *facts) isReopened(unit string) bool {
	for i := range f.Message.Parts {
		for _, name := range unitsOf(f.Message.Parts[i].Reopen) {
			if parser.SameUnit(name, unit) || isAbove(name, unit) {
				return true
			}
		}
	}
	return false
}

// isAbove reports whether a unit, by key or id, is an ancestor of another.
func isAbove(name, key string) bool {
	ids := strings.Split(key, "/")
	for i := 1; i < len(ids); i++ {
		if parser.SameUnit(name, strings.Join(ids[:i], "/")) {
			return true
		}
	}
	return false
}
