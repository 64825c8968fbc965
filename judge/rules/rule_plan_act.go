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
		last = f.Source
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
			if slices.ContainsFunc(f.Message.Parts, func(p parser.Part) bool { return IsReopened(p.Reopen, v.Unit) }) {
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

// IsReopened reports whether Reopen trailers name a unit, by its key, or one above it.
func IsReopened(reopen []parser.Text, key string) bool {
	return slices.ContainsFunc(reopen, func(t parser.Text) bool {
		for at := key; ; {
			if parser.SameUnit(UnitOf(t), at) {
				return true
			}
			cut := strings.LastIndexByte(at, '/')
			if cut < 0 {
				return false
			}
			at = at[:cut]
		}
	})
}
