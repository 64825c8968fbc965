package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

// ReportedItem is an item as an ACT reports it.
type ReportedItem struct {
	Item
	// Basis is its evidence or, where Skipped, why it is skipped.
	Basis     string
	IsSkipped bool
	// Problem says why it is not verified, in words; "" where it is, or is skipped.
	Problem string
}

// Acceptance is an item that a task is complete without, as `Accepted:` says.
type Acceptance struct{ Unit, Item, Reason string }

// ItemBasis is an item of a task, and the basis of its completion.
type ItemBasis struct {
	Item string
	// Kind is verified, skipped or accepted; "" without a basis.
	Kind string
	// Text is the evidence or the reason; without a basis, why there is none.
	Text string
}

// Words are the rest as a command prints it.
func (r ItemBasis) Words() string { return fmt.Sprintf("%-8s  %s: %s", r.Kind, r.Item, r.Text) }

// CountBases counts items by basis: «2 items verified, 1 accepted».
func CountBases(bases []ItemBasis) string {
	counts := map[string]int{}
	for _, r := range bases {
		counts[r.Kind]++
	}
	var all []string
	for _, how := range []string{"verified", "skipped", "accepted"} {
		if n := counts[how]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, how))
		}
	}
	return "items of the last ACT: " + strings.Join(all, ", ")
}

// Bases are the items that a task needs to be complete, each with its basis: the required items of checklists; without
// any, all items of the ACT. A skipped item needs a verified one beside it.
func (a *Act) Bases(
	ctx context.Context, accepted []Acceptance, checklists ...[]Item,
) (bases []ItemBasis, isComplete bool, err error) {
	items := slices.DeleteFunc(slices.Concat(checklists...), func(i Item) bool { return i.IsOptional })
	if len(items) == 0 {
		items = a.items()
	}
	if accepted = append(slices.Clone(a.Acceptances), accepted...); a.IsStrict {
		accepted = nil
	}
	verified, names := false, NameItems(a.items())
	seen := map[string]bool{}
	for _, i := range items {
		if seen[ItemText(i.Text)] {
			continue
		}
		seen[ItemText(i.Text)] = true
		r, err := a.basis(ctx, i, names.Find(i.Text))
		if err != nil {
			return nil, false, err
		}
		verified = verified || r.Kind == "verified"
		bases = append(bases, r)
	}
	isComplete = len(bases) > 0
	for k := range bases {
		r := &bases[k]
		if r.Kind == "skipped" && !verified {
			r.Kind, r.Text = "", "it is skipped, and no item is verified"
		}
		for _, w := range accepted {
			if r.Kind == "" && NameItems([]Item{{Text: r.Item}}).Find(w.Item) == 0 {
				r.Kind, r.Text = "accepted", w.Reason+" ("+r.Text+")"
			}
		}
		isComplete = isComplete && r.Kind != ""
	}
	return bases, isComplete, nil
}

// basis is the basis of one item; n is its index in the report.
func (a *Act) basis(ctx context.Context, i Item, n int) (r ItemBasis, err error) {
	r.Item = i.Text
	if n < 0 {
		r.Text = "it is not reported"
		return r, nil
	}
	reported := &a.Items[n]
	switch r.Text = reported.Problem; {
	case r.Text != "":
		return r, nil
	case reported.IsSkipped:
		return ItemBasis{i.Text, "skipped", reported.Basis}, nil
	case a.Evidence != nil:
		if r.Text, err = a.Evidence.LossReason(ctx, n); r.Text != "" || err != nil {
			return r, err
		}
	}
	return ItemBasis{i.Text, "verified", fmt.Sprintf("%s (%.12s)", reported.Basis, a.Commit)}, nil
}

func (a *Act) items() []Item { return report.Map(a.Items, func(i ReportedItem) Item { return i.Item }) }

// describeUnshown is a message about a task's items without a basis; "" if there are none. The items are those of the
// plan after the change, and of that before it, unless the change sums up several. An accepted item is legal, but
// reported.
func (g *guards) describeUnshown(n *Node, a *Act) string {
	var accepted []Acceptance
	for _, w := range g.Acceptances {
		if g.after.Find(w.Unit) == n {
			accepted = append(accepted, w)
		}
	}
	var earlier []Item
	if old := g.before.byID[n.ID]; old != nil && !g.IsSquash {
		earlier = old.Checklist
	}
	bases, complete, err := a.Bases(g.ctx, accepted, earlier, n.Checklist)
	if g.err = err; err != nil {
		return ""
	}
	var lacking []string
	for _, r := range bases {
		switch r.Kind {
		case "":
			lacking = append(lacking, fmt.Sprintf("«%s» (%s)", r.Item, r.Text))
		case "accepted":
			v := &Violation{Rule: RuleAccepted, Unit: n.Key, Line: n.Pos.Line, Column: n.Pos.Column}
			v.Message = fmt.Sprintf("Item «%s» of %s is accepted without being verified", r.Item, n.label())
			v.Hint = r.Text
			g.violations = append(g.violations, v)
		}
	}
	switch {
	case complete:
		return ""
	case len(bases) == 0:
		return fmt.Sprintf("its last ACT, %.12s, reports no item", a.Commit)
	}
	return fmt.Sprintf("its last ACT, %.12s, does not show %s", a.Commit, report.EnumerateFirst(maxLacking, lacking))
}

const maxLacking = 4

// CheckCompleted lists the units that a change completes too early: a task without an ACT that shows it, a parent with
// open work below. It needs no steps between, so it also works for a cherry-pick or a range.
func CheckCompleted(ctx context.Context, c Change) ([]*Violation, error) {
	g := newGuards(ctx, c)
	for _, n := range g.after.Nodes {
		switch {
		case n.Status != Complete || g.statusBefore(n) == Complete:
		case n.IsTask():
			g.checkLastAct(n)
		default:
			g.refuseOpenBelow(n)
		}
	}
	return g.violations, g.err
}

// refuseOpenBelow refuses to complete a parent without children, or with an incomplete one.
func (g *guards) refuseOpenBelow(n *Node) (isRefused bool) {
	below := n.descendants()
	if len(below) == 0 {
		g.refuse(n, guardOpenChildren, "add tasks below it, or remove it from the plan",
			"Cannot complete %s: it has no tasks", n.label())
		return true
	}
	for _, b := range below {
		if b.Status != Complete {
			g.refuse(n, guardOpenChildren, "complete "+b.Key+" first, with an ADAPT of its own, or remove it from the plan",
				"Cannot complete %s: %s is %s", n.label(), b.label(), b.Status)
			return true
		}
	}
	return false
}
