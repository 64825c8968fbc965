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

// RefusedError is an act that a rule does not allow. Nothing was done.
type RefusedError struct {
	// Rule is the id of the rule.
	Rule string
	Err  error
}

// Error is why, with the rule in brackets.
func (e *RefusedError) Error() string { return e.Err.Error() + " [" + e.Rule + "]" }

// Unwrap is why, as whoever refused it says.
func (e *RefusedError) Unwrap() error { return e.Err }

// Hint is what to do about it, "" where it does not say.
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

// Params are what the audit log holds of it.
func (e *RefusedError) Params() map[string]any { return journal.RefusalParams(e.Rule, e.Err.Error()) }

// Refused names the rule that an act on the plan or a claim broke, in a
// *RefusedError; an error that no rule is about is returned as it is.
func Refused(err error) error {
	var owned *lease.OwnedError
	var above *lease.HeldAboveError
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
		return &RefusedError{Rule: violation.Rule, Err: violated{violation}}
	}
	return err
}

// violated is a violation that says what does not hold, without the rule.
type violated struct{ *plan.Violation }

func (v violated) Error() string { return v.Message }
func (v violated) Unwrap() error { return v.Violation }
