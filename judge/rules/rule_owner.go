package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// Owner is who holds a unit.
type Owner struct {
	// Unit is the key of the unit that was asked for.
	Unit string
	// Claimed is the unit that is leased: the same, or one above it.
	Claimed string
	// Agent is who holds it.
	Agent string
}

// UnitNotOwned is the id of the rule below, for whoever asks about its findings.
const UnitNotOwned = "unit_not_owned"

func runUnitNotOwned(ctx context.Context, p *Pass) error {
	held, err := p.owned(ctx)
	for _, o := range held {
		switch actor := p.Part.Actor; {
		case actor.Value == o.Agent:
		case p.Part.Kind == parser.Ticked:
			f := report.Finding{Path: parser.BoxFile(o.at.Value), Line: o.at.Span.Start.Line, Column: 1}
			f.Message, f.Hint = fmt.Sprintf("Task %s is owned by %s, who has not ticked its box.", o.Unit, o.Agent), o.remedy()
			p.report(f)
		case actor.Value == "":
			p.reportText(o.at, fmt.Sprintf("Task %s is owned by %s, and the commit names no actor.", o.Unit, o.Agent),
				"add a line `Actor: NAME` to the report that says whose work it is")
		default:
			p.reportText(actor, fmt.Sprintf("Task %s is owned by %s, not %s.", o.Unit, o.Agent, actor.Value), o.remedy())
		}
	}
	return err
}

// remedy is what the actor who is not the owner can do.
func (o *Owner) remedy() string {
	return fmt.Sprintf("work on another task, or ask %s to release this one: acta plan release %s --actor %s", o.Agent,
		o.Claimed, o.Agent)
}

// ownedUnit is a unit that a part works on and somebody holds; at is where the message names it.
type ownedUnit struct {
	*Owner
	at parser.Text
}

// owned are the units that the part works on and somebody holds.
func (p *Pass) owned(ctx context.Context) ([]ownedUnit, error) {
	if p.Leases == nil || p.picked() {
		return nil, nil
	}
	units, err := p.workedOn(ctx)
	if err != nil {
		return nil, err
	}
	var held []ownedUnit
	for _, at := range units {
		o, err := p.Leases.Owner(ctx, at.Value)
		if err != nil {
			return nil, err
		}
		if o != nil && !slices.ContainsFunc(held, func(h ownedUnit) bool { return h.Unit == o.Unit }) {
			held = append(held, ownedUnit{o, at})
		}
	}
	return held, nil
}

// workedOn are the units that only their owner may work on: that of an ACT or of a ticked box, those
// that an ADAPT reopens, and of its own unit and those above it the ones that it
// completes. Whoever else observes, plans or re-plans is not asked.
func (p *Pass) workedOn(ctx context.Context) ([]parser.Text, error) {
	switch p.Part.Kind {
	case parser.Act, parser.Ticked:
		return []parser.Text{p.Part.Unit}, nil
	case parser.Adapt:
		completed, err := p.completed(ctx)
		return slices.Concat(p.Part.Reopen, completed), err
	}
	return nil, nil
}

// completed are the units that the part completes, named at its own.
func (p *Pass) completed(ctx context.Context) ([]parser.Text, error) {
	if _, _, altered, err := p.altered(ctx, p.Policy.Plan); err != nil || !altered {
		return nil, err
	}
	was, err := p.planIn(ctx, p.Judge.Base)
	if err != nil {
		return nil, err
	}
	is, err := p.planIn(ctx, &p.Judge.Tree)
	if err != nil || is == nil {
		return nil, err
	}
	var units []parser.Text
	for n := plan.NewIndex(is).Find(p.Part.Unit.Value); n != nil && n.Parent != nil; n = n.Parent {
		var old *plan.Unit
		if was != nil {
			old = was.Find(n.Key)
		}
		if n.Status == plan.Complete && (old == nil || old.Status != plan.Complete) {
			units = append(units, parser.Text{Value: n.Key, Span: p.Part.Unit.Span})
		}
	}
	return units, nil
}

// UnitKey is the key of a unit that is named by its key or its id; "" for the root, and for what the plan does not
// know.
func UnitKey(x *plan.Index, name string) string {
	if n := x.Find(name); n != nil && n.Parent != nil {
		return n.Key
	}
	return ""
}
