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
func (e *RefusedError) Error() string { return e.Err.Error() + " [" + e.Rule + "]" }

// Unwrap is the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// Hint says what to do about it, "" if nobody knows.
func (e *RefusedError) Hint() string {
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
func (e *RefusedError) Params() map[string]any { return journal.RefusalParams(e.Rule, e.Err.Error()) }

// AsRefused names the rule that an action on the plan or a lease broke, in a *RefusedError; other errors are returned
// unchanged.
func AsRefused(err error) error {
	var owned *lease.OwnedError
	var above *lease.ParentLeaseError
	var unknown *judge.UnknownUnitError
	var malformed *snapshot.MalformedPlanError
	var violation *plan.Violation
	switch {
	case errors.As(err, &owned), errors.As(err, &above):
		return &RefusedError{Rule: rules.UnitNotOwned, Err: err}
	case errors.As(err, &unknown):
		return &RefusedError{Rule: plan.RuleUnitUnknown, Err: err}
	case errors.As(err, &malformed):
		return &RefusedError{Rule: plan.RuleInvalid, Err: err}
	case errors.As(err, &violation):
		return &RefusedError{Rule: violation.Rule, Err: bareViolation{violation}}
	}
	return err
}

type bareViolation struct{ *plan.Violation }

func (v bareViolation) Error() string { return v.Message }
func (v bareViolation) Unwrap() error { return v.Violation }
