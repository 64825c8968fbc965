package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Act describes the last ACT of a unit. The zero Act is none.
type Act struct {
	// Commit is the id of the commit that made it, "" where the unit has not acted yet.
	Commit string
	// Items are the done or skipped items that it reports.
	Items []ReportedItem
	// HasRefuted: one of its claims is not_verified. HasFailed: it says that it failed (Outcome: failure or aborted).
	HasRefuted, HasFailed bool
	// BlockReason is the reason in «Outcome: blocked»; "" if it is not blocked. Nothing waits for a blocked ACT.
	BlockReason string
	// HasErrors: it has findings of severity error. IsStrict: its tier is STRICT, which accepts nothing unverified.
	HasErrors, IsStrict bool
	// Evidence checks whether its evidence still holds; nil checks nothing.
	Evidence    ActEvidence
	Acceptances []Acceptance
	// IsAdapted: an ADAPT of the unit, or one that reopens it, came since.
	IsAdapted bool
	// IsUnknown: history is cut.
	IsUnknown bool
}

// ActEvidence is the evidence of an ACT's items.
type ActEvidence interface {
	// LossReason says why a verified item's evidence no longer holds; "" if it does.
	LossReason(ctx context.Context, item int) (string, error)
}

// History is where ACTs are looked for.
type History interface {
	// LastAct is the last ACT of a unit, by its key.
	LastAct(ctx context.Context, key string) (Act, error)
}

func (a Act) isFailure() bool { return a.Commit != "" && (a.HasRefuted || a.HasFailed) }

// CheckAct says what keeps a unit from acting; nil if nothing does. x is the plan
// before the ACT; history tells of the unit's previous one and is asked only where
// the rest holds, nil where it cannot be asked. Its error is CheckAct's.
//
// An ACT with errors is no ACT to wait for: the next one mends it.
func CheckAct(ctx context.Context, x *Index, unit string, history History) (*Violation, error) {
	n := x.Find(unit)
	if n == nil {
		return UnknownUnit(x, unit), nil
	}
	guard, why, hint := x.actRefusal(n)
	if guard == 0 && history != nil {
		last, err := history.LastAct(ctx, n.Key)
		if err != nil {
			return nil, err
		}
		next, err := last.NextStep(ctx, n)
		if err != nil {
			return nil, err
		}
		if next != "" {
			guard, why = GuardActBeforeAdapt, fmt.Sprintf("already has an ACT (%.12s) without an ADAPT after it", last.Commit)
			hint = fmt.Sprintf("%s; commit unfinished work with «For: %s»", next, n.Key)
		}
	}
	if guard == 0 {
		return nil, nil
	}
	message := upperFirst(n.label()) + " " + why
	return &Violation{Rule: RuleActNotAllowed, Guard: guard, Unit: n.Key, Message: message, Hint: hint}, nil
}

// NextStep says what to do with a task that acted and has no ADAPT since; "" if another ACT may come.
func (a Act) NextStep(ctx context.Context, n *Node) (string, error) {
	if !a.needsADAPT() {
		return "", nil
	}
	last := fmt.Sprintf("the last ACT of %s (%.12s) ", n.Key, a.Commit)
	if a.isFailure() {
		return last + "failed: " + a.adaptStep(n), nil
	}
	_, isShown, err := a.Bases(ctx, nil, n.Checklist)
	switch {
	case err != nil:
		return "", err
	case !CoversChecklist(a.items(), n.Checklist):
		return last + "left items out: " + a.adaptStep(n) + ", then report the missing items in another ACT", nil
	case !isShown:
		next := last + "did not show all items: " + a.adaptStep(n) + ", then act again"
		if !a.IsStrict {
			next += fmt.Sprintf(", or run: acta plan complete %s --accept ITEM --reason TEXT --commit", n.Key)
		}
		return next, nil
	}
	return fmt.Sprintf("%sshows all items; to complete the task, run: acta plan complete %s --commit", last, n.Key), nil
}

// needsADAPT reports whether the task may act again only after an ADAPT.
func (a Act) needsADAPT() bool {
	return a.Commit != "" && !a.IsAdapted && !a.IsUnknown && !a.HasErrors && a.BlockReason == ""
}

// adaptStep is the ADAPT after which the task may act again.
func (a Act) adaptStep(n *Node) string {
	if a.isFailure() {
		return fmt.Sprintf("commit «ADAPT: %s», which raises the failure_threshold of the task to %s or more", n.Key,
			number(math.Min(Escalated, n.FailureThreshold+Step)))
	}
	return fmt.Sprintf("commit an ADAPT with an observation of that ACT (git commit --only --allow-empty "+
		"-m 'ADAPT: %s' -m 'Observation: <perspective> | <fact>')", n.Key)
}

// actRefusal is the guard that keeps a unit from acting by the plan alone, and why, and what to do; 0 for none.
func (x *Index) actRefusal(n *Node) (guard Guard, why, hint string) {
	isComplete := func(n *Node) bool { return n.Status == Complete }
	ancestors := n.ancestors()
	closed := slices.IndexFunc(ancestors, isComplete)
	switch {
	case !n.IsTask():
		hint = "first add tasks below it with an ADAPT"
		below := n.descendants()
		if i := slices.IndexFunc(below, func(b *Node) bool { return b.IsTask() && !isComplete(b) }); i >= 0 {
			hint = "name the task that did the work, for example " + below[i].Key
		}
		return guardActOnParent, "has no work of its own: a parent never acts", hint
	case isComplete(n):
		return GuardActOnComplete, "is already complete", reopenHint(n)
	case closed >= 0:
		c := ancestors[closed]
		return GuardActBelowComplete, fmt.Sprintf("cannot act: %s is already complete", c.label()), reopenHint(c)
	case n.IsEscalated():
		return guardActOnEscalated, "is escalated: its failure_threshold is " + number(n.FailureThreshold),
			fmt.Sprintf("it failed too often; commit an ADAPT of its parent, %s, that changes the plan and lowers it",
				cmp.Or(n.parentID(), rootName))
	}
	waiting, on := x.openDependency(n, nil)
	if waiting == nil {
		return 0, "", ""
	}
	why, hint = waitingFor(n, waiting, on)
	return GuardActDependencyOpen, "cannot act: " + why, hint
}

// Next returns the task to work on now, depth first: not complete, not escalated, and without an open dependency of
// itself or its ancestors. free says whether a unit may be taken, by its key; nil takes any. nil means none.
func Next(root *Unit, free func(key string) bool) *Node { return next(root, free, false) }

func (x *Index) isWaiting(n *Node) bool {
	return slices.ContainsFunc(x.dependencies(n), func(d *Node) bool { return d.Status != Complete })
}

func (x *Index) dependencies(n *Node) []*Node {
	var all []*Node
	for _, name := range n.DependsOn {
		if d := x.Find(name); d != nil {
			all = append(all, d)
		}
	}
	return all
}

// openDependency is n or its nearest ancestor that depends on an incomplete unit, and that unit; nil without one. free,
// if set, excludes dependencies.
func (x *Index) openDependency(n *Node, free func(waiting, on *Node) bool) (waiting, on *Node) {
	for _, w := range append([]*Node{n}, n.ancestors()...) {
		for _, d := range x.dependencies(w) {
			if d.Status != Complete && (free == nil || !free(w, d)) {
				return w, d
			}
		}
	}
	return nil, nil
}

func waitingFor(n, waiting, on *Node) (why, hint string) {
	subject := "it"
	if waiting != n {
		subject = waiting.label()
	}
	return fmt.Sprintf("%s depends on %s, which is %s", subject, on.label(), on.Status),
		fmt.Sprintf("complete %s first, or take the dependency of %s out of the plan", on.Key, waiting.ID)
}

// NextInLoop returns the next unit of the Act→Assess→Adapt loop, depth first: a task of Next, or a parent whose
// children are all complete, missing, or one of them escalated. Complete, escalated and waiting units are skipped. free
// says whether a unit may be taken, by its key; nil takes any. nil means none.
func NextInLoop(root *Unit, free func(key string) bool) *Node { return next(root, free, true) }

func next(root *Unit, free func(key string) bool, inLoop bool) *Node {
	x := NewIndex(root)
	below := map[*Node][]*Node{}
	for _, n := range x.Nodes {
		below[n.Parent] = append(below[n.Parent], n)
	}
	var visit func(n *Node) *Node
	visit = func(n *Node) *Node {
		switch {
		case n.Status == Complete || x.isWaiting(n) || n.IsEscalated() && (inLoop || n.IsTask()):
			return nil
		case n.IsTask():
			if free == nil || free(n.Key) {
				return n
			}
			return nil
		}
		for _, c := range below[n] {
			if found := visit(c); found != nil {
				return found
			}
		}
		if inLoop && n.isDue() && (free == nil || free(n.Key)) {
			return n
		}
		return nil
	}
	if root == nil {
		return nil
	}
	return visit(x.Nodes[0])
}

// isDue reports whether a parent is next if none of its children is.
func (u *Unit) isDue() bool {
	open := false
	for _, c := range u.Children {
		if c.IsEscalated() && c.Status != Complete {
			return true
		}
		open = open || c.Status != Complete
	}
	return !open
}

// IsEscalated reports whether the unit failed so often that its parent must plan another way.
func (u *Unit) IsEscalated() bool { return u.FailureThreshold >= Escalated-epsilon }
