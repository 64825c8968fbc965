package rules

import (
	"slices"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/report"
)

// How severe rules are, in the tiers strict, standard, light and exempt; 0 is off.
var (
	errorAlways             = severities{report.Error, report.Error, report.Error, report.Error}
	errorToLight            = severities{report.Error, report.Error, report.Error, 0}
	errorToStandard         = severities{report.Error, report.Error, report.Warning, 0}
	errorInStrict           = severities{report.Error, report.Warning, report.Warning, 0}
	errorInStrictWarnAlways = severities{report.Error, report.Warning, report.Warning, report.Warning}
	errorInStrictOffInLight = severities{report.Error, report.Warning, 0, 0}
	warnToStandard          = severities{report.Warning, report.Warning, 0, 0}
	warnInStrict            = severities{report.Warning, report.Note, report.Note, 0}
	noteToLight             = severities{report.Note, report.Note, report.Note, 0}
)

// rules are all rules, in the order of the documentation.
func rules() []*Rule { return slices.Concat(rulesOfReports(), rulesOfCommits()) }

func rulesOfReports() []*Rule {
	return []*Rule{
		rule("checklist_items_mismatch", GuardsClaims, scopePart, errorToLight, runItemsMismatch, restsOnPlan),
		rule("checklist_item_pending", GuardsClaims, scopePart, errorToLight, runItemPending),
		rule("checklist_evidence_required", GuardsClaims, scopePart, errorToLight, runEvidenceRequired),
		rule("checklist_evidence_format_invalid", GuardsClaims, scopePart, errorToLight, runEvidence),
		rule("checklist_evidence_file_not_found", GuardsClaims, scopePart, errorToLight, runEvidence),
		rule("checklist_evidence_line_out_of_range", GuardsClaims, scopePart, errorToLight, runEvidence),
		rule("checklist_evidence_empty_impl", GuardsClaims, scopePart, errorToLight, runEvidence),
		rule("checklist_reason_required", GuardsClaims, scopePart, errorToLight, runReasonRequired),
		rule("checklist_missing", GuardsClaims, scopePart, errorInStrictOffInLight, runMissing),
		rule("checklist_skipped", GuardsClaims, scopePart, errorInStrictOffInLight, runSkipped, milder(warnToStandard)),
		rule("checklist_item_duplicate", GuardsClaims, scopePart, errorToLight, runItemDuplicate),
		rule("report_unread", GuardsClaims, scopePart, errorToStandard, runReportUnread),
		rule("report_unreadable", GuardsClaims, scopePart, errorToLight, runReportUnreadable),
		rule("claim_required", GuardsClaims, scopePart, errorToLight, runClaimRequired,
			needs(fact((*gathering).gatherOwnWork))),
		rule("evidence_partial_stub", GuardsClaims, scopePart, errorInStrict, runEvidence),
		rule("evidence_unclear", GuardsClaims, scopePart, errorInStrictOffInLight, runEvidence),
		rule("evidence_too_wide", GuardsClaims, scopePart, warnToStandard, runEvidence),
		rule("evidence_syntax_error", GuardsClaims, scopePart, warnToStandard, runEvidence),
		rule("evidence_not_removed", GuardsClaims, scopePart, errorToLight, runEvidence),
		rule("evidence_moved", GuardsClaims, scopePart, noteToLight, runEvidence),
		rule("evidence_not_in_diff", GuardsClaims, scopePart, errorInStrictOffInLight, runEvidence),
		rule("evidence_reused", GuardsClaims, scopePart, warnToStandard, runReused,
			needs(fact((*gathering).gatherCitations))),
		rule("evidence_item_unrelated", GuardsClaims, scopePart, errorToLight, runEvidence),
		rule("evidence_regressed", GuardsClaims, scopeRange, errorToStandard, nil, inRange(runRegressed)),
		rule("evidence_unreferenced", GuardsClaims, scopePart, warnInStrict, runEvidenceUnreferenced,
			needs(fact((*gathering).gatherReferences))),
		rule("run_contradicted", GuardsClaims, scopePart, errorToLight, runContradicted,
			requires(testRan), milder(errorInStrict), inRange(runRangeContradicted)),
		rule("run_empty", GuardsClaims, scopePart, errorInStrict, runEmpty,
			since("0.2"), requires(testRan), inRange(runEmptyInRange)),
		rule("test_not_run", GuardsClaims, scopePart, errorInStrict, checkPlaces(testsNotRun),
			since("0.2"), requires(testRan), inRange(checkRangePlaces(testsNotRun))),
		rule("test_failed", GuardsClaims, scopePart, errorInStrict, checkPlaces(failedTests),
			since("0.2"), requires(testRan), inRange(checkRangePlaces(failedTests))),
		rule("evidence_not_executed", GuardsClaims, scopePart, errorInStrict, checkPlaces(notExecuted),
			since("0.2"), requires(codeExecuted), inRange(checkRangePlaces(notExecuted))),
		rule("claim_unproved", GuardsClaims, scopePart, errorInStrict, runUnproved,
			needs(fact((*gathering).gatherProofs)), since("0.2")),
	}
}

func rulesOfCommits() []*Rule {
	weakenings, rangeWeakenings := fact((*gathering).gatherWeakenings), fact((*rangeGathering).gatherWeakenings)
	nextPolicy, change := fact((*gathering).gatherPolicy), fact((*gathering).gatherChange)
	violation, unit := fact((*gathering).gatherActViolation), fact((*gathering).gatherUnit)
	return []*Rule{
		rule("stub_added", GuardsClaims, scopeCommit, warnToStandard, runStubAdded,
			needs(fact((*gathering).gatherStubs))),
		rule("test_weakened", GuardsClaims, scopeMessage, errorToStandard, runWeaker, needs(weakenings),
			since("0.2"), milder(errorInStrict), inRange(runWeakerInRange, rangeWeakenings)),
		rule("gate_weakened", GuardsClaims, scopeMessage, errorToStandard, runWeaker, needs(weakenings),
			since("0.2"), milder(errorInStrict), inRange(runWeakerInRange, rangeWeakenings)),
		rule("code_sees_tests", GuardsClaims, scopeMessage, errorInStrict, runWeaker, needs(weakenings),
			since("0.2"), milder(errorInStrict), inRange(runWeakerInRange, rangeWeakenings)),
		rule("unit_conflict", GuardsRecord, scopePart, errorAlways, runUnitConflict),
		rule("policy_invalid", GuardsRecord, scopeCommit, errorAlways, runPolicyInvalid, needs(nextPolicy)),
		rule("policy_weakened", GuardsClaims, scopeCommit, errorInStrictWarnAlways, runPolicyWeakened, needs(nextPolicy)),
		rule("plan_invalid", GuardsRecord, scopeCommit, errorAlways, runPlanInvalid,
			needs(fact((*gathering).gatherPlanFile))),
		rule("plan_unit_unknown", GuardsRecord, scopeBoth, errorAlways, runPlan, restsOnPlan, needs(change, violation)),
		rule("plan_not_alone", GuardsRecord, scopeMessage, errorAlways, runPlanNotAlone,
			needs(change, fact((*gathering).gatherOtherFiles)), restsOnPlan),
		rule("for_unit_unknown", GuardsClaims, scopePart, warnToStandard, runForUnitUnknown, needs(unit), restsOnPlan),
		rule("outside_scope", GuardsClaims, scopePart, warnToStandard, runOutsideScope,
			needs(unit, fact((*gathering).gatherOutside)), restsOnPlan),
		rule("act_not_allowed", GuardsRecord, scopePart, errorAlways, runPlan, restsOnPlan, needs(change, violation)),
		rule("plan_move_illegal", GuardsRecord, scopeMessage, errorAlways, runPlan,
			restsOnPlan, needs(change, violation), inRange(runCompletedInRange, fact((*rangeGathering).gatherCompleted))),
		rule("threshold_invalid", GuardsRecord, scopeMessage, errorAlways, runPlan, restsOnPlan, needs(change, violation)),
		rule("observation_missing", GuardsRecord, scopePart, warnToStandard, runObservationMissing,
			needs(fact((*gathering).gatherLastAct)), restsOnPlan),
		rule("scope_reduced", GuardsClaims, scopeMessage, errorInStrictOffInLight, runPlan, restsOnPlan,
			needs(change, violation)),
		rule("item_accepted", GuardsRecord, scopeMessage, errorInStrictWarnAlways, runPlan, restsOnPlan,
			needs(change, violation)),
		rule("intent_uncovered", GuardsRecord, scopeMessage, warnToStandard, runIntentUncovered,
			needs(change, fact((*gathering).gatherMissingIntent)), restsOnPlan),
		rule("intent_modified", GuardsRecord, scopeCommit, errorAlways, runIntentModified,
			needs(fact((*gathering).gatherIntent)), inRange(runIntentReplaced, fact((*rangeGathering).gatherIntent))),
		rule("unit_not_owned", GuardsRecord, scopePart, errorAlways, runUnitNotOwned,
			needs(fact((*gathering).gatherOwners))),
	}
}

// rule makes a rule of the first release, with options.
func rule(
	id string, class Class, scope Scope, severity severities, run func(*pass), options ...func(*Rule),
) *Rule {
	r := &Rule{ID: id, Since: "0.1", Class: class, Scope: scope, Severity: severity, Run: run}
	for _, apply := range options {
		apply(r)
	}
	return r
}

func restsOnPlan(r *Rule) { r.RestsOnPlan = true }

func needs(all ...*gatherer[*gathering]) func(*Rule) { return func(r *Rule) { r.needs = all } }

// fact is a gatherer for the rows that need it.
func fact[F any](gather gatherer[F]) *gatherer[F] { return &gather }

func since(release string) func(*Rule) { return func(r *Rule) { r.Since = release } }
func requires(value func(*policy.Results) string) func(*Rule) {
	return func(r *Rule) { r.requirement = value }
}
func testRan(r *policy.Results) string       { return r.Require.Test }
func codeExecuted(r *policy.Results) string  { return r.Require.Code }
func milder(severity severities) func(*Rule) { return func(r *Rule) { r.MilderSeverity = severity } }

func inRange(run func(*rangePass), all ...*gatherer[*rangeGathering]) func(*Rule) {
	return func(r *Rule) { r.RunRange, r.rangeNeeds = run, all }
}
