package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// Act describes the last ACT of a unit. The zero Act is none.
type Act struct {
	// Commit is the id of the commit that made it, "" where the unit has not acted yet.
	Commit string
	// Checklist is the checklist that it had to report; Items are the done or skipped items that it reports.
	Checklist []Item
	Items     []ReportedItem
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

// CheckAct lists what keeps a unit from acting: the rules of an ACT. x is the plan
// before the ACT; history tells of the unit's previous one and is asked only where
// the rest holds, nil where it cannot be asked. Its error is CheckAct's.
//
// An ACT with errors is no ACT to wait for: the next one mends it.
func CheckAct(ctx context.Context, x *Index, unit string, history History) ([]*Violation, error) {
	n := x.Find(unit)
	if n == nil {
		return []*Violation{UnknownUnit(x, unit)}, nil
	}
	if v := x.actRefusal(n); v != nil {
		v.Rule, v.Unit = RuleActNotAllowed, n.Key
		return []*Violation{v}, nil
	}
	if history == nil {
		return nil, nil
	}
	last, err := history.LastAct(ctx, n.Key)
	next := last.NextStep(n)
	if err != nil || next == "" {
		return nil, err
	}
	return []*Violation{{
		Rule: RuleActNotAllowed, Guard: GuardActBeforeAdapt, Unit: n.Key,
		Message: fmt.Sprintf("%s already has an ACT (%.12s) without an ADAPT after it", upperFirst(n.label()), last.Commit),
		Hint:    fmt.Sprintf("%s; commit unfinished work with «For: %s»", next, n.Key),
	}}, nil
}

// NextStep says what to do with a task that acted and has no ADAPT since; "" if another ACT may come.
func (a Act) NextStep(n *Node) string {
	switch {
	case a.Commit == "" || a.IsAdapted || a.IsUnknown || a.HasErrors || a.BlockReason != "":
		return ""
	case a.isFailure():
		return fmt.Sprintf(
			"it acted in %.12s and failed: commit «ADAPT: %s», which raises its failure_threshold to %s or more",
			a.Commit, n.Key, number(math.Min(Escalated, n.FailureThreshold+Step)))
	case !CoversChecklist(a.items(), n.Checklist):
		return fmt.Sprintf(
			"it acted in %.12s and left items out: commit «ADAPT: %s», which says what that showed (--allow-empty if the "+
				"plan stays), then do the rest", a.Commit, n.Key)
	}
	return fmt.Sprintf("it has acted, in %.12s; to complete it: acta plan complete %s --commit", a.Commit, n.Key)
}

func (x *Index) actRefusal(n *Node) *Violation {
	switch {
	case !n.IsTask():
		v := &Violation{
			Guard:   guardActOnParent,
			Message: fmt.Sprintf("%s has no work of its own: a parent never acts", upperFirst(n.label())),
		}
		v.Hint = "first add tasks below it with an ADAPT"
		for _, b := range n.descendants() {
			if b.IsTask() && b.Status != Complete {
				v.Hint = "name the task that did the work, for example " + b.Key
				break
			}
		}
		return v
	case n.Status == Complete:
		return &Violation{
			Guard: GuardActOnComplete, Message: upperFirst(n.label()) + " is already complete", Hint: reopenHint(n),
		}
	case n.completeAncestor() != nil:
		c := n.completeAncestor()
		return &Violation{
			Guard: GuardActBelowComplete, Message: fmt.Sprintf("%s cannot act: %s is already complete", upperFirst(n.label()),
				c.label()), Hint: reopenHint(c),
		}
	case n.FailureThreshold >= Escalated-epsilon:
		parent := n.parentID()
		return &Violation{
			Guard: guardActOnEscalated,
			Message: fmt.Sprintf("%s is escalated: its failure_threshold is %s", upperFirst(n.label()),
				number(n.FailureThreshold)),
			Hint: fmt.Sprintf("it failed too often; commit an ADAPT of its parent, %s, that changes the plan and lowers it",
				cmp.Or(parent, rootName)),
		}
	}
	waiting, on := x.openDependency(n, nil)
	if waiting == nil {
		return nil
	}
	why, hint := waitingFor(n, waiting, on)
	return &Violation{
		Guard: GuardActDependencyOpen, Message: fmt.Sprintf("%s cannot act: %s", upperFirst(n.label()), why), Hint: hint,
	}
}

func (n *Node) completeAncestor() *Node {
	for _, a := range n.ancestors() {
		if a.Status == Complete {
			return a
		}
	}
	return nil
}
