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

func runIntentUncovered(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	c, err := p.planned(ctx)
	if err != nil || p.picked() || c.undone || c.gone || !c.completes() {
		return err
	}
	project := path.Join(p.Policy.Intent, "project.json")
	units, err := p.intended(ctx, project)
	if err != nil {
		return err
	}
	now, err := p.planIn(ctx, &p.Judge.Tree)
	if err != nil || now == nil {
		return err
	}
	var missing []string
	for _, u := range units {
		if !u.isHeld(now) {
			missing = append(missing, u.name())
		}
	}
	if len(missing) > 0 {
		p.report(report.Finding{
			Path: project, Line: 1, Column: 1, EndLine: 1, Unit: now.ID,
			Message: "The plan is complete but lacks what was asked for: " + strings.Join(missing, ", "),
			Hint:    "add the missing work to the plan with an ADAPT, or say in its `Reason:` why it will not be done",
		})
	}
	return p.lateAmendments(ctx, now.ID)
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
func (p *Pass) intended(ctx context.Context, project string) ([]wanted, error) {
	entry, err := p.Judge.Tree.Stat(ctx, project)
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	data, err := p.Judge.Tree.Read(ctx, entry)
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

// lateAmendments reports the amendments that came after the plan's last change before this one.
func (p *Pass) lateAmendments(ctx context.Context, root string) error {
	if p.Message.Joined { // a squash may have planned with them
		return nil
	}
	planned, err := p.PlanChanged(ctx)
	if err != nil || planned == nil {
		return err
	}
	all, err := p.Judge.Tree.Paths(ctx)
	if err != nil {
		return err
	}
	for _, name := range all {
		if !strings.HasPrefix(name, p.amendments()) {
			continue
		}
		before, err := planned.Stat(ctx, name)
		if err != nil {
			return err
		}
		after, err := p.Judge.Tree.Stat(ctx, name)
		if err != nil {
			return err
		}
		if !sameContent(before, after) {
			p.report(report.Finding{
				Path: name, Line: 1, Column: 1, EndLine: 1, Unit: root,
				Message: "The plan is complete, but has not changed since this was asked for",
				Hint:    "first plan what it asks for with an ADAPT; if it asks for nothing new, ignore this warning",
			})
		}
	}
	return nil
}
