package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

// Violation is a change that a guard refuses, or that must be seen.
type Violation struct {
	// Rule is the id of the rule, Guard the guard that refused; 0 if the rule has only one.
	Rule  string
	Guard Guard
	// Unit is the key of the unit that it is about, as the plan after the change has it.
	Unit string
	// Message says what is wrong, Hint what to do; Moves are the refused moves in words.
	Message, Hint string
	Moves         []string
	// IsUndecided: history is cut, so the guard is undecided and this is not a violation yet.
	IsUndecided bool
	// Line and Column are the unit's place in the file after the change; 0 without one.
	Line, Column int
}

// Error ends with the rule, as findings do.
func (v *Violation) Error() string { return v.Message + " [" + v.Rule + "]" }

// Pair is two units that a trailer names together.
type Pair struct{ Unit, Other string }

// Change is a plan before and after, and who changes it.
type Change struct {
	// Before is nil when the plan lands for the first time: there is little then that a change could break.
	Before, After *Unit
	// Adapts names the units whose ADAPTs make the change: several in a squash, in order. The root represents an edit that
	// is not an ADAPT.
	Adapts []string
	// IsSquash: the change sums up several, with unknown order and steps.
	IsSquash bool
	// Title is the ADAPT's title if the command chose it.
	Title string
	// Reopen, Replan (slice, blocker) and Reassess (milestone, completed slice) are the values of the trailers.
	Reopen           []string
	Replan, Reassess []Pair
	Acceptances      []Acceptance
	// History finds the ACTs of units; nil skips the guards that need it. Its error is Check's.
	History History
}

// Moves are the change, move by move.
func (c Change) Moves() []Move { return Diff(c.Before, c.After) }

// Trailers are the trailers of the ADAPT.
func (c Change) Trailers() []string {
	return slices.Concat(
		report.Map(c.Reopen, func(unit string) string { return "Reopen: " + unit }),
		report.Map(c.Replan, func(p Pair) string { return "Replan: " + p.Unit + " | " + p.Other }),
		report.Map(c.Reassess, func(p Pair) string { return "Reassess: " + p.Unit + " | " + p.Other }),
		report.Map(c.Acceptances, func(a Acceptance) string { return "Accepted: " + a.Item + " | " + a.Reason }),
	)
}

// Check lists the violations of a change: an invalid tree, else every guard that fails, once for each unit, in the
// order of the plan. Without violations the change is legal; scope_reduced and item_accepted are legal too, but
// reported.
func Check(ctx context.Context, c Change) ([]*Violation, error) {
	if found := problems(c.After); len(found) > 0 {
		return report.Map(found, func(e *Error) *Violation {
			return &Violation{Rule: RuleInvalid, Message: e.Message, Line: e.Line, Column: e.Column}
		}), nil
	}
	g := newGuards(ctx, c)
	if c.Before == nil {
		g.checkFirst()
		return g.violations, nil
	}
	g.checkNamed()
	for _, n := range g.after.Nodes {
		old := g.before.byID[n.ID]
		if old == nil {
			g.checkAdded(n)
		} else {
			g.checkKept(old, n)
		}
	}
	for _, old := range g.before.Nodes {
		if g.after.byID[old.ID] == nil && old.Status == Complete {
			g.refuse(old, guardReplanComplete, "restore it: completed work stays in the plan",
				"Cannot re-plan: %s is already complete", old.label())
		}
	}
	g.checkScope()
	g.checkRepeated()
	return g.violations, g.err
}

// checkFirst checks a plan that lands for the first time: no complete unit may wait for another. A squash may have
// reopened units, so it is not checked.
func (g *guards) checkFirst() {
	for _, n := range g.after.Nodes {
		if n.Status == Complete && !g.IsSquash {
			g.refuseWaiting(n)
		}
	}
}

type guards struct {
	Change
	ctx           context.Context
	before, after *Index
	moves         map[string][]Move // by unit id
	// movableIDs are the units whose status may change; reopenedIDs those that a trailer reopens, and all below them.
	movableIDs, reopenedIDs map[string]bool
	// items counts how often an item is in the plan after the change, minus before.
	items      map[string]int
	violations []*Violation
	err        error
}

func newGuards(ctx context.Context, c Change) *guards {
	g := &guards{
		Change: c, ctx: ctx, before: NewIndex(c.Before), after: NewIndex(c.After),
		moves: map[string][]Move{}, movableIDs: map[string]bool{}, reopenedIDs: map[string]bool{},
	}
	for _, m := range diff(g.before, g.after) {
		g.moves[m.Unit] = append(g.moves[m.Unit], m)
	}
	for _, x := range []*Index{g.before, g.after} {
		for _, name := range c.Adapts {
			g.allowMove(x.Find(name))
		}
		for _, name := range c.Reopen {
			n := x.Find(name)
			if n == nil {
				continue
			}
			g.allowMove(n)
			g.reopenedIDs[n.ID] = true
			if n.noun() != "slice" {
				continue
			}
			for _, b := range n.descendants() { // its tasks go back with it
				g.movableIDs[b.ID], g.reopenedIDs[b.ID] = true, true
			}
		}
	}
	return g
}

// allowMove allows status changes of a unit and its ancestors.
func (g *guards) allowMove(n *Node) {
	for ; n != nil; n = n.Parent {
		g.movableIDs[n.ID] = true
	}
}

// refuse adds a violation about a unit, once a guard and unit.
func (g *guards) refuse(n *Node, guard Guard, hint, format string, args ...any) {
	v := &Violation{Rule: guard.rule(), Guard: guard, Unit: n.Key, Message: fmt.Sprintf(format, args...), Hint: hint}
	if slices.ContainsFunc(g.violations, func(o *Violation) bool { return o.Guard == guard && o.Unit == v.Unit }) {
		return
	}
	if at := g.after.byID[n.ID]; at != nil {
		v.Line, v.Column = at.Pos.Line, at.Pos.Column
	}
	v.Moves = MoveTexts(g.moves[n.ID])
	g.violations = append(g.violations, v)
}

// statusBefore is the status that a unit had; one that is new was pending.
func (g *guards) statusBefore(n *Node) string {
	if b := g.before.byID[n.ID]; b != nil {
		return b.Status
	}
	return Pending
}

// refuseClosed refuses an action on a unit if an ancestor is complete before and after. One that the change completes
// or reopens was open during the change.
func (g *guards) refuseClosed(n *Node, action string) (isRefused bool) {
	for _, a := range n.ancestors() {
		if a.Status == Complete && g.statusBefore(a) == Complete {
			label := a.label()
			if old := g.before.byID[a.ID]; old != nil {
				label = old.label() // a task may get its first child
			}
			g.refuse(n, guardParentClosed, reopenHint(a), "Cannot %s %s: %s is already complete", action, n.label(), label)
			return true
		}
	}
	return false
}

// lastAct asks history; ok is false if that is not possible.
func (g *guards) lastAct(key string) (a Act, ok bool) {
	if g.History == nil || g.err != nil {
		return a, false
	}
	a, g.err = g.History.LastAct(g.ctx, key)
	return a, g.err == nil
}

func (g *guards) checkNamed() {
	for _, name := range g.Adapts {
		if g.before.Find(name) == nil && g.after.Find(name) == nil {
			g.refuseUnknown(name)
		}
	}
	for _, name := range g.Reopen {
		g.checkReopenTrailer(name)
	}
	for _, w := range g.Acceptances {
		if n := g.after.Find(w.Unit); n != nil && n.IsTask() && n.Status == Complete && g.statusBefore(n) == Complete {
			g.checkLastAct(n) // it reports the accepted items
		}
	}
	for _, p := range g.Replan {
		g.checkReplan(p)
	}
	for _, p := range g.Reassess {
		g.checkReassess(p)
	}
}

func (g *guards) refuseUnknown(name string) {
	v := UnknownUnit(g.before, name)
	if !slices.ContainsFunc(g.violations, func(o *Violation) bool { return o.Rule == v.Rule && o.Unit == v.Unit }) {
		g.violations = append(g.violations, v)
	}
}

// UnknownUnit says that a unit is not in the plan, and suggests one.
func UnknownUnit(x *Index, name string) *Violation {
	v := &Violation{Rule: RuleUnitUnknown, Unit: name, Message: fmt.Sprintf("Task %s is not in the plan", name)}
	id := name[strings.LastIndexByte(name, '/')+1:]
	var similar []string
	for _, n := range x.Nodes {
		if strings.EqualFold(n.ID, id) || n.Parent != nil && strings.EqualFold(strings.ReplaceAll(n.Key, "/", "-"), name) {
			similar = append(similar, n.Key)
		}
	}
	v.Hint = "name a task that `acta plan show` lists, by its id (T02) or its key (M01/S01/T02); to add a missing one, " +
		"commit an ADAPT first"
	if len(similar) > 0 {
		v.Hint = "the plan has " + strings.Join(similar, ", ")
	}
	return v
}

func (g *guards) checkAdded(n *Node) {
	if n.Parent != nil && g.before.byID[n.Parent.ID] != nil { // else it comes with its parent
		g.refuseClosed(n, "plan")
	}
	g.checkMilestone(n)
	if n.Status == Complete {
		g.checkCompleted(n)
	}
	g.checkRecords(nil, n)
}

// checkMilestone refuses units below a milestone with open dependencies.
func (g *guards) checkMilestone(n *Node) {
	if n.Depth < 2 {
		return
	}
	m := n
	for m.Depth > 1 {
		m = m.Parent
	}
	for _, name := range m.DependsOn {
		if d := g.after.Find(name); d != nil && d.Status != Complete {
			g.refuse(m, guardDependencyOpen, fmt.Sprintf("draft %s without children until %s is complete", m.ID, d.ID),
				"Cannot plan %s: dependency %s is not complete", m.ID, d.ID)
		}
	}
}

func (g *guards) checkKept(old, n *Node) {
	if old.Status == Complete && (n.Status == Complete || !g.reopenedIDs[n.ID]) {
		g.checkUnchanged(old, n)
	} else if old.Parent != nil && n.Parent != nil && old.Parent.ID != n.Parent.ID {
		g.refuseClosed(n, "plan")
		g.checkMilestone(n)
	}
	switch {
	case n.Status == old.Status:
	case n.Status == Complete:
		g.checkCompleted(n)
	case old.Status == Complete:
		g.checkReopened(old, n)
	default:
		g.checkStarted(n)
	}
	g.checkThreshold(old, n)
	g.checkRecords(old, n)
}

func (g *guards) checkUnchanged(old, n *Node) {
	isSame := old.Key == n.Key && old.Description == n.Description && equalItems(old.Checklist, n.Checklist) &&
		slices.Equal(old.DependsOn, n.DependsOn) && slices.Equal(old.Paths, n.Paths)
	if n.Status == Complete && g.reopenedIDs[n.ID] && g.IsSquash { // probably reopened and completed again
		if !isSame && n.IsTask() {
			g.checkLastAct(n)
		}
		return
	}
	if !isSame {
		g.refuse(n, guardReplanComplete, reopenHint(old), "Cannot re-plan: %s is already complete", old.label())
	}
}

// reopenHint says how to reopen a complete unit: complete ancestors must be reopened first.
func reopenHint(n *Node) string {
	open, milestone := n, false
	for _, a := range append([]*Node{n}, n.ancestors()...) {
		if a.Status == Complete {
			open, milestone = a, milestone || a.noun() == "milestone"
		}
	}
	switch {
	case open.Depth == 0:
		hint := "set the root back to in_progress with an ADAPT of the root that says «Reopen: " + open.ID + "»"
		if milestone {
			hint += ", and plan what is to be done in a new milestone"
		}
		return hint
	case milestone:
		return "a completed milestone cannot be reopened; plan the work in another one"
	}
	return fmt.Sprintf("to open %s again, commit an ADAPT with «Reopen: %[1]s»", open.Key)
}

// checkRepeated refuses an ADAPT that changes nothing of a unit that was complete before.
func (g *guards) checkRepeated() {
	if len(g.Adapts) != 1 || len(g.moves) > 0 || len(g.Reopen)+len(g.Replan)+len(g.Reassess)+len(g.Acceptances) > 0 {
		return
	}
	if n := g.after.Find(g.Adapts[0]); n != nil && n.Status == Complete {
		g.refuse(n, GuardAlreadyComplete, "name the task that this ADAPT changes; "+reopenHint(n),
			"%s is already complete", upperFirst(n.label()))
	}
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
