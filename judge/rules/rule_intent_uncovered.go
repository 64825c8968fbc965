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
)

// missingIntent are the requests that a plan lacks when the commit completes it.
type missingIntent struct {
	rootID         string
	units          []string // units of the intent
	lateAmendments []string // amendments newer than the plan's last change
}

// gatherMissingIntent compares a plan that the commit completes with the requests.
func (f *facts) gatherMissingIntent(ctx context.Context) error {
	c := &f.change
	if f.isCherryPick() || c.isRevert || c.isRemoved || !c.completesRoot() {
		return nil
	}
	units, err := f.intentUnits(ctx)
	if err != nil {
		return err
	}
	current, err := f.planIn(ctx, &f.Judge.Tree)
	if err != nil || current == nil {
		return err
	}
	f.missingIntent.rootID = current.ID
	for _, u := range units {
		if !u.isIn(current) {
			f.missingIntent.units = append(f.missingIntent.units, u.name())
		}
	}
	return f.findLateAmendments(ctx)
}

func runIntentUncovered(p *pass) {
	defer p.markComparisons(len(p.findings))
	if u := &p.missingIntent; len(u.units) > 0 {
		f := findingIn(path.Join(p.Policy.Intent, intentFile),
			"The plan is complete but lacks what was asked for: "+strings.Join(u.units, ", "),
			"add the missing work to the plan with an ADAPT, or say in its `Reason:` why it will not be done")
		f.Unit = u.rootID
		p.report(f)
	}
	for _, name := range p.missingIntent.lateAmendments {
		f := findingIn(name, "The plan is complete, but has not changed since this was asked for",
			"first plan what it asks for with an ADAPT; if it asks for nothing new, ignore this warning")
		f.Unit = p.missingIntent.rootID
		p.report(f)
	}
}

// completesRoot reports whether the change completes the root.
func (c *planChange) completesRoot() bool {
	return slices.ContainsFunc(c.moves, func(m plan.Move) bool {
		return m.Kind == plan.StatusMoved && m.Unit == c.rootID && m.To == plan.Complete
	})
}

// intentUnit is a requested unit.
type intentUnit struct {
	ID          string       `json:"id"`
	Description string       `json:"description"`
	Children    []intentUnit `json:"children"`
}

// intentUnits are the requested units below the root. A file in another form has none.
func (f *facts) intentUnits(ctx context.Context) ([]intentUnit, error) {
	entry, err := f.Judge.Tree.Stat(ctx, path.Join(f.Policy.Intent, intentFile))
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	data, err := f.Judge.Tree.Read(ctx, entry)
	if err != nil {
		return nil, err
	}
	var root intentUnit
	if json.Unmarshal(data, &root) != nil {
		return nil, nil
	}
	return root.descendants(), nil
}

func (w intentUnit) descendants() []intentUnit {
	var all []intentUnit
	for _, c := range w.Children {
		if c.ID != "" {
			all = append(all, c)
		}
		all = append(all, c.descendants()...)
	}
	return all
}

// isIn reports whether a plan has the unit, under its id or in its words.
func (w intentUnit) isIn(root *plan.Unit) bool {
	words := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return slices.ContainsFunc(plan.NewIndex(root).Nodes, func(n *plan.Node) bool {
		return n.ID == w.ID || w.Description != "" && words(n.Description) == words(w.Description)
	})
}

func (w intentUnit) name() string {
	if w.Description == "" {
		return w.ID
	}
	return fmt.Sprintf("%s «%s»", w.ID, w.Description)
}

// findLateAmendments finds the amendments that came after the plan's last change before this one.
func (f *facts) findLateAmendments(ctx context.Context) error {
	if f.Message.IsSquash { // a squash may have planned with them
		return nil
	}
	planned, err := f.Source.LastPlanChange(ctx)
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
		if !equalContent(before, after) {
			f.missingIntent.lateAmendments = append(f.missingIntent.lateAmendments, name)
		}
	}
	return nil
}
