package check

import (
	"slices"

	"github.com/acta-git/acta/plan"
)

// The ids of all rules, those of later releases included: a policy may set a
// rule that its reader does not run yet. An id is never reused.
const (
	ItemsMismatch      = "checklist_items_mismatch"
	ItemPending        = "checklist_item_pending"
	EvidenceRequired   = "checklist_evidence_required"
	EvidenceFormat     = "checklist_evidence_format_invalid"
	EvidenceNotFound   = "checklist_evidence_file_not_found"
	EvidenceOutOfRange = "checklist_evidence_line_out_of_range"
	EvidenceEmptyImpl  = "checklist_evidence_empty_impl"
	ReasonRequired     = "checklist_reason_required"

	Missing             = "checklist_missing"
	AllSkipped          = "checklist_all_skipped"
	MostlySkipped       = "checklist_mostly_skipped"
	ItemDuplicate       = "checklist_item_duplicate"
	ReportUnread        = "report_unread"
	ReportUnreadable    = "report_unreadable"
	ClaimRequired       = "claim_required"
	EvidencePartialStub = "evidence_partial_stub"
	EvidenceUnclear     = "evidence_unclear"
	EvidenceNotInDiff   = "evidence_not_in_diff"
	EvidenceUnrelated   = "evidence_item_unrelated"
	EvidenceReused      = "evidence_reused"
	EvidenceTooWide     = "evidence_too_wide"
	EvidenceSyntaxError = "evidence_syntax_error"
	EvidenceNotRemoved  = "evidence_not_removed"
	EvidenceMoved       = "evidence_moved"
	EvidenceRegressed   = "evidence_regressed"
	RunContradicted     = "run_contradicted"
	ScopeReduced        = plan.RuleScopeReduced
	StubAdded           = "stub_added"
	PolicyWeakened      = "policy_weakened"
	ForUnitUnknown      = "for_unit_unknown"

	UnitConflict        = "unit_conflict"
	PolicyInvalid       = "policy_invalid"
	PlanInvalid         = plan.RuleInvalid
	PlanUnitUnknown     = plan.RuleUnitUnknown
	PlanOutsideAdapt    = "plan_changed_outside_adapt"
	PlanStatusElsewhere = plan.RuleStatusElsewhere
	ActOnParent         = plan.RuleActOnParent
	ActOnComplete       = plan.RuleActOnComplete
	ActOnEscalated      = plan.RuleActOnEscalated
	ActBeforeAdapt      = plan.RuleActBeforeAdapt
	ActTouchesPlan      = "act_touches_plan"
	AdaptTouchesEnv     = "adapt_touches_environment"
	AdaptWithoutAct     = plan.RuleAdaptWithoutAct
	PlanComplete        = plan.RuleAlreadyComplete
	PlanNotActive       = plan.RuleNotActive
	PlanOpenChildren    = plan.RuleOpenChildren
	PlanParentClosed    = plan.RuleParentClosed
	PlanReplanComplete  = plan.RuleReplanComplete
	PlanDependencyOpen  = plan.RuleDependencyOpen
	PlanBlockerOpen     = plan.RuleBlockerOpen
	PlanReassessOpen    = plan.RuleReassessOpen
	PlanReopenInvalid   = plan.RuleReopenInvalid
	ThresholdLowered    = plan.RuleThresholdLowered
	ThresholdNotRaised  = plan.RuleThresholdNotRaised
	ObservationMissing  = "observation_missing"
	IntentUncovered     = "intent_uncovered"
	IntentModified      = "intent_modified"
	AmendmentModified   = "amendment_modified"
	UnitNotOwned        = "unit_not_owned"
	ActorMissing        = "actor_missing"
)

// ids of rules about claims, then those that guard the integrity of the record
// and can never be waived (docs/rules.md).
var claimIDs = []string{
	ItemsMismatch, ItemPending, EvidenceRequired, EvidenceFormat, EvidenceNotFound, EvidenceOutOfRange,
	EvidenceEmptyImpl, ReasonRequired, Missing, AllSkipped, MostlySkipped, ItemDuplicate, ReportUnread, ReportUnreadable,
	ClaimRequired, EvidencePartialStub, EvidenceUnclear, EvidenceNotInDiff, EvidenceUnrelated, EvidenceReused,
	EvidenceTooWide, EvidenceSyntaxError, EvidenceNotRemoved, EvidenceMoved, EvidenceRegressed, RunContradicted,
	ScopeReduced, StubAdded, PolicyWeakened, ForUnitUnknown,
}

// RestsOnPlan reports whether a rule asks what the plan before the commit says.
func RestsOnPlan(id string) bool {
	switch id {
	case ItemsMismatch, ScopeReduced, ForUnitUnknown:
		return true
	case UnitConflict, PolicyInvalid, PlanInvalid, IntentModified, AmendmentModified, UnitNotOwned, ActorMissing:
		return false
	}
	return slices.Contains(integrityIDs, id)
}

var integrityIDs = []string{
	UnitConflict, PolicyInvalid, PlanInvalid, PlanUnitUnknown, PlanOutsideAdapt, PlanStatusElsewhere, ActOnParent,
	ActOnComplete, ActOnEscalated, ActBeforeAdapt, ActTouchesPlan, AdaptTouchesEnv, AdaptWithoutAct, PlanComplete,
	PlanNotActive, PlanOpenChildren, PlanParentClosed, PlanReplanComplete, PlanDependencyOpen, PlanBlockerOpen,
	PlanReassessOpen, PlanReopenInvalid, ThresholdLowered, ThresholdNotRaised, ObservationMissing, IntentUncovered, IntentModified, AmendmentModified,
	UnitNotOwned, ActorMissing,
}
