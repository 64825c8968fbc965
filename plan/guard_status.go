package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// epsilon is the difference below which two thresholds are the same; they are
// written with a few decimals.
const epsilon = 1e-9

func (g *guards) refuseElsewhere(n *Node) bool {
	if g.movableIDs[n.ID] {
		return false
	}
	g.refuse(n, GuardStatusElsewhere,
		fmt.Sprintf("change the status of %s in an ADAPT of its own, or name it with «Reopen:» to set it back", n.ID),
		"The status of %s changes from %s to %s in %s", n.label(), g.statusBefore(n), n.Status, g.author())
	return true
}

func (g *guards) author() string { return "the ADAPT of " + strings.Join(g.Adapts, ", ") }

func (g *guards) checkCompleted(n *Node) {
	if g.refuseElsewhere(n) || g.refuseClosed(n, "complete") || g.refuseWaiting(n) {
		return
	}
	if n.IsTask() {
		g.checkLastAct(n)
		return
	}
	if g.refuseOpenBelow(n) {
		return
	}
	if n.noun() == "milestone" && g.statusBefore(n) == Pending && !g.isAnyChanged(n.descendants()) {
		g.refuse(n, guardNotActive, fmt.Sprintf("set %s to in_progress with an ADAPT first", n.ID),
			"Cannot complete %s: it is pending, not active", n.label())
	}
}

// refuseWaiting refuses to complete a unit while it, or an ancestor, depends on an open unit. A dependency that this
// change adds applies only later. In a squash, a dependency that was complete before may have been reopened last.
func (g *guards) refuseWaiting(n *Node) bool {
	waiting, on := g.after.openDependency(n, func(waiting, on *Node) bool {
		old := g.before.byID[waiting.ID]
		return g.IsSquash && g.statusBefore(on) == Complete ||
			old != nil && !slices.ContainsFunc(g.before.dependencies(old), func(d *Node) bool { return d.ID == on.ID })
	})
	if waiting == nil {
		return false
	}
	why, hint := waitingFor(n, waiting, on)
	g.refuse(n, guardDependencyOpen, hint, "Cannot complete %s: %s", n.label(), why)
	return true
}

// isAnyChanged reports whether the change completes or reopens one of the units, which makes their ancestors active.
func (g *guards) isAnyChanged(units []*Node) bool {
	return slices.ContainsFunc(units, func(n *Node) bool {
		return g.statusBefore(n) != n.Status && (n.Status == Complete || g.statusBefore(n) == Complete)
	})
}

// WayOut says what to do with a task that cannot be done. Hook, commands and MCP server show it when they refuse a
// report or a completion.
func WayOut(task string) string {
	return "if task " + task + " cannot be done, report that: «Outcome: blocked | <reason>»"
}

func (g *guards) checkLastAct(n *Node) {
	a, ok := g.lastAct(n.Key)
	if !ok {
		return
	}
	if g.statusBefore(n) == Complete {
		a.Evidence = nil // the old evidence need not hold any more
	}
	why, hint := "", "commit «ACT: "+n.Key+"» with a report of every item, then this ADAPT"
	if a.needsADAPT() {
		hint = a.adaptStep(n) + ", then " + strings.TrimPrefix(hint, "commit ")
	}
	switch {
	case a.IsUnknown:
		g.refuse(n, GuardAdaptWithoutAct, "to fetch the rest, run: git fetch --unshallow",
			"history is cut by a shallow clone, so the last ACT of %s is not known", n.label())
		g.violations[len(g.violations)-1].IsUndecided = true
		return
	case a.Commit == "":
		why = "it has no ACT"
	case a.BlockReason != "":
		why = fmt.Sprintf("its last ACT, %.12s, says that it is blocked: %s", a.Commit, a.BlockReason)
	case a.HasFailed:
		why = fmt.Sprintf("its last ACT, %.12s, says that it failed", a.Commit)
	default:
		if why = g.describeUnshown(n, &a); why != "" && !a.IsStrict {
			hint += ", or name the item in this: «Accepted: <item> | <reason>» (acta plan complete --accept)"
		}
	}
	if why == "" && a.HasErrors {
		why = fmt.Sprintf("its last ACT, %.12s, has errors that no later commit fixed", a.Commit)
	}
	if why != "" && g.err == nil {
		g.refuse(n, GuardAdaptWithoutAct, hint, "Cannot complete %s: %s", n.label(), why)
	}
}

func (g *guards) checkReopened(old, n *Node) {
	switch {
	case !g.reopenedIDs[n.ID]:
		g.refuse(n, GuardReopenInvalid, "say so in the ADAPT: «Reopen: "+n.Key+"»",
			"Cannot reopen %s: the commit does not name it with «Reopen:»", n.label())
	case g.refuseMilestone(old, n), g.refuseClosed(n, "reopen"):
	case n.IsTask() && n.Status != Pending:
		g.refuse(n, GuardReopenInvalid, "set it to pending", "Cannot reopen %s: a reopened task is pending, not %s",
			n.label(), n.Status)
	case !n.IsTask() && n.Status != InProgress:
		g.refuse(n, GuardReopenInvalid, "set it to in_progress", "Cannot reopen %s: a reopened %s is in_progress, not %s",
			n.label(), n.noun(), n.Status)
	}
}

func (g *guards) checkReopenTrailer(name string) {
	old, n := g.before.Find(name), g.after.Find(name)
	switch {
	case old == nil:
		g.refuseUnknown(name)
	case old.Status != Complete:
		if !g.IsSquash {
			g.refuse(old, GuardReopenInvalid, "only what is complete can be reopened",
				"Cannot reopen %s: it is %s, not complete", old.label(), old.Status)
		}
	case n == nil: // it is removed, and refused for that
	case n.Status == Complete && !g.IsSquash:
		if !g.refuseClosed(n, "reopen") && !g.refuseMilestone(old, n) {
			g.refuse(n, GuardReopenInvalid, "set its status back in the plan, in this commit",
				"Cannot reopen %s: it is still complete in the plan", n.label())
		}
	case old.noun() == "slice" && n.Status != Complete && !g.IsSquash:
		g.checkTasksReopened(n)
	}
}

func (g *guards) refuseMilestone(old, n *Node) (isRefused bool) {
	if old.noun() == "milestone" {
		g.refuse(n, GuardReopenInvalid, reopenHint(old), "Cannot reopen %s: only a task or a slice can be reopened",
			old.label())
	}
	return old.noun() == "milestone"
}

func (g *guards) checkTasksReopened(n *Node) {
	for _, b := range n.descendants() {
		want := Pending
		if !b.IsTask() {
			want = InProgress
		}
		if g.before.byID[b.ID] != nil && b.Status != want {
			g.refuse(n, GuardReopenInvalid, "set all its tasks back to pending, together with it",
				"Cannot reopen %s: %s is %s, not %s", n.label(), b.label(), b.Status, want)
			return
		}
	}
}

func (g *guards) checkStarted(n *Node) {
	if !g.refuseElsewhere(n) {
		g.refuseClosed(n, "work on")
	}
}

// checkThreshold guards how much failure a unit may have: the ADAPT after a failed ACT raises it, and its parent alone
// lowers it.
func (g *guards) checkThreshold(old, n *Node) {
	from, to := old.FailureThreshold, n.FailureThreshold
	if to < from-epsilon && !g.isByParent(old, n) {
		g.refuse(n, guardThresholdLowered, "only an ADAPT of its parent, "+cmp.Or(old.parentID(), rootName)+", may lower it",
			"The failure_threshold of %s is lowered from %s to %s by %s", n.label(), number(from), number(to), g.author())
	} else if to < from-epsilon && !g.IsSquash && !g.changesPlan() {
		g.refuse(n, guardThresholdLowered, "change the plan in the same ADAPT: other words, other items, other tasks",
			"The failure_threshold of %s is lowered from %s to %s, and the plan that failed stays the "+
				"same", n.label(), number(from), number(to))
	}
	if !n.IsTask() || old.Status == Complete || !g.isBy(n) || g.IsSquash && g.isByParent(old, n) ||
		from >= Escalated-epsilon {
		return
	}
	minimum := math.Min(Escalated, from+Step)
	if to >= minimum-epsilon {
		return
	}
	if a, ok := g.lastAct(n.Key); ok && !a.IsUnknown && a.isFailure() && !a.IsAdapted {
		g.refuse(n, guardThresholdNotRaised,
			fmt.Sprintf("set \"failure_threshold\" of %s to %s or more in the plan's file; at %s the task is escalated to its "+
				"parent", n.ID, number(minimum), number(Escalated)),
			"The last ACT of %s, %.12s, failed, so its failure_threshold must rise, but it goes from %s "+
				"to %s", n.label(), a.Commit, number(from), number(to))
	}
}

// changesPlan reports whether the change makes of the plan more than another threshold or status.
func (g *guards) changesPlan() bool {
	for _, moves := range g.moves {
		if slices.ContainsFunc(moves, func(m Move) bool { return m.Kind != moveThreshold && m.Kind != StatusMoved }) {
			return true
		}
	}
	return false
}

func (g *guards) isBy(n *Node) bool {
	return slices.ContainsFunc(g.Adapts, func(name string) bool { return g.after.Find(name) == n })
}

func (g *guards) isByParent(old, n *Node) bool {
	return slices.ContainsFunc(g.Adapts, func(name string) bool {
		return old.Parent != nil && g.before.Find(name) == old.Parent || n.Parent != nil && g.after.Find(name) == n.Parent
	})
}
