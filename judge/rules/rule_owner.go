package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// Owner is the owner of a unit.
type Owner struct {
	// Unit is the key of the unit in question.
	Unit string
	// LeasedUnit is the unit that is leased: the same, or one above it.
	LeasedUnit string
	// Agent is the owner's name.
	Agent string
}

// UnitNotOwned is the id of the rule below.
const UnitNotOwned = "unit_not_owned"

func runUnitNotOwned(p *pass) {
	for _, o := range p.ownedUnits {
		switch actor := p.Part.Actor; {
		case actor.Value == o.Agent:
		case p.Part.Kind == parser.PlanBox:
			f := report.Finding{Path: parser.BoxFile(o.at.Value), Line: o.at.Span.Start.Line, Column: 1}
			f.Message = fmt.Sprintf("Task %s is owned by %s, but another actor ticked its box.", o.Unit, o.Agent)
			f.Hint = o.remedy()
			p.report(f)
		case actor.Value == "":
			p.reportText(o.at, fmt.Sprintf("Task %s is owned by %s, and the commit names no actor.", o.Unit, o.Agent),
				"add a line `Actor: NAME` to the report that says whose work it is")
		default:
			p.reportText(actor, fmt.Sprintf("Task %s is owned by %s, not %s.", o.Unit, o.Agent, actor.Value), o.remedy())
		}
	}
}

// remedy says what an actor who is not the owner can do.
func (o *Owner) remedy() string {
	return fmt.Sprintf("work on another task, or ask %s to release this one: acta plan release %s --actor %s", o.Agent,
		o.LeasedUnit, o.Agent)
}

// ownedUnit is a unit that a part works on and that has an owner; at is where the message names it.
type ownedUnit struct {
	*Owner
	at parser.Text
}

// gatherOwners finds the units that the part works on and somebody holds.
func (f *facts) gatherOwners(ctx context.Context) error {
	if f.isCherryPick() {
		return nil
	}
	units, err := f.ownerUnits(ctx)
	if err != nil {
		return err
	}
	for _, at := range units {
		o, err := f.Source.Owner(ctx, at.Value)
		if err != nil {
			return err
		}
		if o != nil && !slices.ContainsFunc(f.ownedUnits, func(h ownedUnit) bool { return h.Unit == o.Unit }) {
			f.ownedUnits = append(f.ownedUnits, ownedUnit{o, at})
		}
	}
	return nil
}

// ownerUnits are the units that only their owner may work on: the unit of an ACT or a ticked box, units that an ADAPT
// reopens, and the unit and its ancestors that an ADAPT completes. Observing and planning need no owner.
func (f *facts) ownerUnits(ctx context.Context) ([]parser.Text, error) {
	switch f.Part.Kind {
	case parser.Act, parser.PlanBox:
		return []parser.Text{f.Part.Unit}, nil
	case parser.Adapt:
		completed, err := f.completedUnits(ctx)
		return slices.Concat(f.Part.Reopen, completed), err
	}
	return nil, nil
}

// completedUnits are the units that the part completes, named at its own.
func (f *facts) completedUnits(ctx context.Context) ([]parser.Text, error) {
	if _, _, altered, err := f.ownChange(ctx, f.Policy.Plan); err != nil || !altered {
		return nil, err
	}
	before, err := f.planIn(ctx, f.Judge.Base)
	if err != nil {
		return nil, err
	}
	after, err := f.planIn(ctx, &f.Judge.Tree)
	if err != nil || after == nil {
		return nil, err
	}
	var units []parser.Text
	for n := plan.NewIndex(after).Find(f.Part.Unit.Value); n != nil && n.Parent != nil; n = n.Parent {
		var old *plan.Unit
		if before != nil {
			old = before.Find(n.Key)
		}
		if n.Status == plan.Complete && (old == nil || old.Status != plan.Complete) {
			units = append(units, parser.Text{Value: n.Key, Span: f.Part.Unit.Span})
		}
	}
	return units, nil
}

// UnitKey is the key of a unit, by its key or id; "" for the root, and for an unknown unit.
func UnitKey(x *plan.Index, name string) string {
	if n := x.Find(name); n != nil && n.Parent != nil {
		return n.Key
	}
	return ""
}
