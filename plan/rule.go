package plan

// The ids of the rules that guard a plan, as findings and policies name them.
const (
	RuleInvalid       = "plan_invalid"
	RuleUnitUnknown   = "plan_unit_unknown"
	RuleActNotAllowed = "act_not_allowed"
	RuleMoveIllegal   = "plan_move_illegal"
	RuleThreshold     = "threshold_invalid"
	RuleScopeReduced  = "scope_reduced"
	RuleAccepted      = "item_accepted"
)

// Guard identifies a check of a rule.
type Guard uint8

// The guards, by their rules.
const (
	guardActOnParent Guard = iota + 1 // act_not_allowed
	GuardActOnComplete
	guardActOnEscalated
	GuardActBeforeAdapt
	GuardActBelowComplete
	GuardActDependencyOpen

	GuardAdaptWithoutAct // plan_move_illegal
	GuardAlreadyComplete
	guardNotActive
	guardOpenChildren
	guardParentClosed
	guardReplanComplete
	guardDependencyOpen
	guardBlockerOpen
	guardReassessOpen
	GuardReopenInvalid
	GuardStatusElsewhere

	guardThresholdLowered // threshold_invalid
	guardThresholdNotRaised

	guardScopeReduced // scope_reduced
)

func (g Guard) rule() string {
	switch {
	case g < GuardAdaptWithoutAct:
		return RuleActNotAllowed
	case g < guardThresholdLowered:
		return RuleMoveIllegal
	case g < guardScopeReduced:
		return RuleThreshold
	}
	return RuleScopeReduced
}
