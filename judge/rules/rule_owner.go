package rules

import (
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

func (f *gathering) gatherOwners() {
	if f.isCherryPick() {
		return
	}
	for _, at := range f.ownerUnits() {
		o, err := f.Source.Owner(f.Ctx, at.Value)
		f.Note(err)
		if o != nil && !slices.ContainsFunc(f.ownedUnits, func(h ownedUnit) bool { return h.Unit == o.Unit }) {
			f.ownedUnits = append(f.ownedUnits, ownedUnit{o, at})
		}
	}
}

// ownerUnits are the units that only their owner may work on: the unit of an ACT or a ticked box, units that an ADAPT
// reopens, and the unit and its ancestors that an ADAPT completes. Observing and planning need no owner.
func (f *gathering) ownerUnits() []parser.Text {
	switch f.Part.Kind {
	case parser.Act, parser.PlanBox:
		return []parser.Text{f.Part.Unit}
	case parser.Adapt:
		return slices.Concat(f.Part.Reopen, f.completedUnits())
	}
	return nil
}

// completedUnits are the units that the part completes, named at its own.
func (f *gathering) completedUnits() (units []parser.Text) {
	if _, _, isAltered := f.ownChange(f.Policy.Plan); !isAltered {
		return nil
	}
	before, after := f.planIn(f.Judge.Base), f.planIn(&f.Judge.Tree)
	if after == nil {
		return nil
	}
	for n := after.Find(f.Part.Unit.Value); n != nil && n.Parent != nil; n = n.Parent {
		var old *plan.Node
		if before != nil {
			old = before.Find(n.Key)
		}
		if n.Status == plan.Complete && (old == nil || old.Status != plan.Complete) {
			units = append(units, parser.Text{Value: n.Key, Span: f.Part.Unit.Span})
		}
	}
	return units
}

// UnitKey is the key of a unit, by its key or id; "" for the root, and for an unknown unit.
func UnitKey(x *plan.Index, name string) string {
	if n := x.Find(name); n != nil && n.Parent != nil {
		return n.Key
	}
	return ""
}
