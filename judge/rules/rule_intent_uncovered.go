package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// uncovered is what people asked for and a plan lacks that the commit completes.
type uncovered struct {
	root    string
	missing []string // units of the intent
	late    []string // amendments that came after the plan's last change before this one
}

// gatherUncovered holds a plan that the commit completes to what was asked for.
func (f *facts) gatherUncovered(ctx context.Context) error {
	c := &f.change
	if f.picked() || c.undone || c.gone || !c.completes() {
		return nil
	}
	units, err := f.intended(ctx)
	if err != nil {
		return err
	}
	now, err := f.planIn(ctx, &f.Judge.Tree)
	if err != nil || now == nil {
		return err
	}
	f.uncovered.root = now.ID
	for _, u := range units {
		if !u.isHeld(now) {
			f.uncovered.missing = append(f.uncovered.missing, u.name())
		}
	}
	return f.lateAmendments(ctx)
}

func runIntentUncovered(p *pass) {
	defer p.comparing(len(p.findings))
	if u := &p.uncovered; len(u.missing) > 0 {
		p.report(report.Finding{
			Path: path.Join(p.Policy.Intent, intentFile), Line: 1, Column: 1, EndLine: 1, Unit: u.root,
			Message: "The plan is complete but lacks what was asked for: " + strings.Join(u.missing, ", "),
			Hint:    "add the missing work to the plan with an ADAPT, or say in its `Reason:` why it will not be done",
		})
	}
	for _, name := range p.uncovered.late {
		p.report(report.Finding{
			Path: name, Line: 1, Column: 1, EndLine: 1, Unit: p.uncovered.root,
			Message: "The plan is complete, but has not changed since this was asked for",
			Hint:    "first plan what it asks for with an ADAPT; if it asks for nothing new, ignore this warning",
		})
	}
}

// completes reports whether the change completes the root.
func (c *planChange) completes() bool {
	return slices.ContainsFunc(c.moves, func(m plan.Move) bool {
		return m.Kind == plan.StatusMoved && m.Unit == c.root && m.To == plan.Complete
	})
}

// wanted is a unit of what people asked for.
type wanted struct {
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Children    []wanted `json:"children"`
}

// intended are the units below the root of what people asked for. A file that is written in another way has none.
func (f *facts) intended(ctx context.Context) ([]wanted, error) {
	entry, err := f.Judge.Tree.Stat(ctx, path.Join(f.Policy.Intent, intentFile))
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	data, err := f.Judge.Tree.Read(ctx, entry)
	if err != nil {
		return nil, err
	}
	var root wanted
	if json.Unmarshal(data, &root) != nil {
		return nil, nil
	}
	return root.below(), nil
}

func (w wanted) below() []wanted {
	var all []wanted
	for _, c := range w.Children {
		if c.ID != "" {
			all = append(all, c)
		}
		all = append(all, c.below()...)
	}
	return all
}

// isHeld reports whether a plan has the unit, under its id or in its words.
func (w wanted) isHeld(root *plan.Unit) bool {
	words := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return slices.ContainsFunc(plan.NewIndex(root).Nodes, func(n *plan.Node) bool {
		return n.ID == w.ID || w.Description != "" && words(n.Description) == words(w.Description)
	})
}

func (w wanted) name() string {
	if w.Description == "" {
		return w.ID
	}
	return fmt.Sprintf("%s «%s»", w.ID, w.Description)
}

// lateAmendments finds the amendments that came after the plan's last change before this one.
func (f *facts) lateAmendments(ctx context.Context) error {
	if f.Message.Joined { // a squash may have planned with them
		return nil
	}
	planned, err := f.Source.PlanChanged(ctx)
	if err != nil || planned == nil {
		return err
	}
	all, err := f.Judge.Tree.Paths(ctx)
	if err != nil {
		return err
	}
	for _, name := range all {
		if !strings.HasPrefix(name, f.amendments()) {
			continue
		}
		before, err := planned.Stat(ctx, name)
		if err != nil {
			return err
		}
		after, err := f.Judge.Tree.Stat(ctx, name)
		if err != nil {
			return err
		}
		if !sameContent(before, after) {
			f.uncovered.late = append(f.uncovered.late, name)
		}
	}
	return nil
}
