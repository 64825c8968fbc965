package change

import (
	"errors"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
)

// RefusedError means that a rule forbids the action. Nothing was done.
type RefusedError struct {
	Rule string
	Err  error
}

// Error is the reason, with the rule in brackets.
func (e *RefusedError) Error() string { return e.message() + " [" + e.Rule + "]" }

func (e *RefusedError) message() string {
	if v, ok := errors.AsType[*plan.Violation](e.Err); ok {
		return v.Message
	}
	return e.Err.Error()
}

// Unwrap is the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// Hint says what to do about it, "" if nobody knows; nameYourself is what to do for a caller without a name.
func (e *RefusedError) Hint(nameYourself string) string {
	if owned, ok := errors.AsType[*lease.OwnedError](e.Err); ok && owned.Actor == "" {
		return nameYourself
	}
	v, ok := errors.AsType[*plan.Violation](e.Err)
	switch {
	case !ok:
		return ""
	case v.Guard == plan.GuardAdaptWithoutAct && !v.IsUndecided:
		return rules.JoinHints(v.Hint, plan.WayOut)
	}
	return v.Hint
}

// Params are those of its audit log entry.
func (e *RefusedError) Params() map[string]any { return journal.RefusalParams(e.Rule, e.message()) }

// AsRefused names the rule that an action on the plan or a lease broke, in a *RefusedError; other errors are returned
// unchanged.
func AsRefused(err error) error {
	rule := ""
	switch v, isViolation := errors.AsType[*plan.Violation](err); {
	case isA[*lease.OwnedError](err), isA[*lease.ParentLeaseError](err):
		rule = rules.UnitNotOwned
	case isA[*judge.UnknownUnitError](err):
		rule = plan.RuleUnitUnknown
	case isA[*snapshot.MalformedPlanError](err):
		rule = plan.RuleInvalid
	case isViolation:
		rule = v.Rule
	default:
		return err
	}
	return &RefusedError{rule, err}
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
