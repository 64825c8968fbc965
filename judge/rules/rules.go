package rules

import (
	"slices"

	"github.com/acta-git/acta/report"
)

// How severe rules are, in the tiers strict, standard, light and exempt; 0 is off.
var (
	always  = severities{report.Error, report.Error, report.Error, report.Error}
	refuses = severities{report.Error, report.Error, report.Error, 0}
	weighs  = severities{report.Error, report.Error, report.Warning, 0}
	demands = severities{report.Error, report.Warning, report.Warning, 0}
	guards  = severities{report.Error, report.Warning, report.Warning, report.Warning}
	strict  = severities{report.Error, report.Warning, 0, 0}
	warns   = severities{report.Warning, report.Warning, 0, 0}
	hints   = severities{report.Warning, report.Note, report.Note, 0}
	tells   = severities{report.Note, report.Note, report.Note, 0}
)

// rules are all rules, in the order of the documentation.
func rules() []*Rule { return slices.Concat(rulesOfReports(), rulesOfCommits()) }

func rulesOfReports() []*Rule {
	return []*Rule{
		rule("checklist_items_mismatch", OfClaims, ofPart, refuses, runItemsMismatch, onPlan),
		rule("checklist_item_pending", OfClaims, ofPart, refuses, runItemPending),
		rule("checklist_evidence_required", OfClaims, ofPart, refuses, runEvidenceRequired),
		rule("checklist_evidence_format_invalid", OfClaims, ofPart, refuses, runEvidence),
		rule("checklist_evidence_file_not_found", OfClaims, ofPart, refuses, runEvidence),
		rule("checklist_evidence_line_out_of_range", OfClaims, ofPart, refuses, runEvidence),
		rule("checklist_evidence_empty_impl", OfClaims, ofPart, refuses, runEvidence),
		rule("checklist_reason_required", OfClaims, ofPart, refuses, runReasonRequired),
		rule("checklist_missing", OfClaims, ofPart, strict, runMissing),
		rule("checklist_skipped", OfClaims, ofPart, strict, runSkipped, milder(warns)),
		rule("checklist_item_duplicate", OfClaims, ofPart, refuses, runItemDuplicate),
		rule("report_unread", OfClaims, ofPart, weighs, runReportUnread),
		rule("report_unreadable", OfClaims, ofPart, refuses, runReportUnreadable),
		rule("claim_required", OfClaims, ofPart, refuses, runClaimRequired, needs(needsOwnWork)),
		rule("evidence_partial_stub", OfClaims, ofPart, demands, runEvidence),
		rule("evidence_unclear", OfClaims, ofPart, strict, runEvidence),
		rule("evidence_too_wide", OfClaims, ofPart, warns, runEvidence),
		rule("evidence_syntax_error", OfClaims, ofPart, warns, runEvidence),
		rule("evidence_not_removed", OfClaims, ofPart, refuses, runEvidence),
		rule("evidence_moved", OfClaims, ofPart, tells, runEvidence),
		rule("evidence_not_in_diff", OfClaims, ofPart, strict, runEvidence),
		rule("evidence_reused", OfClaims, ofPart, warns, runReused, needs(needsCitations)),
		rule("evidence_item_unrelated", OfClaims, ofPart, refuses, runEvidence),
		rule("evidence_regressed", OfClaims, ofRange, weighs, nil, inRange(runRegressed)),
		rule("evidence_unreferenced", OfClaims, ofPart, hints, runEvidenceUnreferenced, needs(needsReferences)),
		rule("run_contradicted", OfClaims, ofPart, refuses, runContradicted,
			requires(testRan), milder(demands), inRange(runRangeContradicted)),
		rule("run_empty", OfClaims, ofPart, demands, runEmpty,
			since("0.2"), requires(testRan), inRange(emptyInRange)),
		rule("test_not_run", OfClaims, ofPart, demands, onPlaces(testsNotRun),
			since("0.2"), requires(testRan), inRange(onRangePlaces(testsNotRun))),
		rule("test_failed", OfClaims, ofPart, demands, onPlaces(failedTests),
			since("0.2"), requires(testRan), inRange(onRangePlaces(failedTests))),
		rule("evidence_not_executed", OfClaims, ofPart, demands, onPlaces(notExecuted),
			since("0.2"), requires(codeExecuted), inRange(onRangePlaces(notExecuted))),
		rule("claim_unproved", OfClaims, ofPart, demands, runUnproved, needs(needsProofs), since("0.2")),
	}
}

func rulesOfCommits() []*Rule {
	return []*Rule{
		rule("stub_added", OfClaims, ofCommit, warns, runStubAdded, needs(needsStubs)),
		rule("test_weakened", OfClaims, ofMessage, weighs, runWeaker, needs(needsWeakenings),
			since("0.2"), milder(demands), inRange(weakerInRange)),
		rule("gate_weakened", OfClaims, ofMessage, weighs, runWeaker, needs(needsWeakenings),
			since("0.2"), milder(demands), inRange(weakerInRange)),
		rule("code_sees_tests", OfClaims, ofMessage, demands, runWeaker, needs(needsWeakenings),
			since("0.2"), milder(demands), inRange(weakerInRange)),
		rule("unit_conflict", OfRecord, ofPart, always, runUnitConflict),
		rule("policy_invalid", OfRecord, ofCommit, always, runPolicyInvalid, needs(needsPolicy)),
		rule("policy_weakened", OfClaims, ofCommit, guards, runPolicyWeakened, needs(needsPolicy)),
		rule("plan_invalid", OfRecord, ofCommit, always, runPlanInvalid, needs(needsPlanFile)),
		rule("plan_unit_unknown", OfRecord, ofBoth, always, runPlan, onPlan, needs(needsChange|needsActs)),
		rule("plan_not_alone", OfRecord, ofMessage, always, runPlanNotAlone, needs(needsAlone), onPlan),
		rule("for_unit_unknown", OfClaims, ofPart, warns, runForUnitUnknown, needs(needsUnit), onPlan),
		rule("outside_scope", OfClaims, ofPart, warns, runOutsideScope, needs(needsScope), onPlan),
		rule("act_not_allowed", OfRecord, ofPart, always, runPlan, onPlan, needs(needsChange|needsActs)),
		rule("plan_move_illegal", OfRecord, ofMessage, always, runPlan,
			onPlan, needs(needsChange|needsActs), inRange(completedInRange)),
		rule("threshold_invalid", OfRecord, ofMessage, always, runPlan, onPlan, needs(needsChange|needsActs)),
		rule("observation_missing", OfRecord, ofPart, warns, runObservationMissing, needs(needsLastAct), onPlan),
		rule("scope_reduced", OfClaims, ofMessage, strict, runPlan, onPlan, needs(needsChange|needsActs)),
		rule("item_accepted", OfRecord, ofMessage, guards, runPlan, onPlan, needs(needsChange|needsActs)),
		rule("intent_uncovered", OfRecord, ofMessage, warns, runIntentUncovered, needs(needsUncovered), onPlan),
		rule("intent_modified", OfRecord, ofCommit, always, runIntentModified,
			needs(needsIntent), inRange(runIntentReplaced)),
		rule("unit_not_owned", OfRecord, ofPart, always, runUnitNotOwned, needs(needsOwners)),
	}
}

// rule is a rule of the first release, and what else is true of it.
func rule(
	id string, class Class, scope Scope, severity severities, run func(*pass), more ...func(*Rule),
) *Rule {
	r := &Rule{ID: id, Since: "0.1", Class: class, Scope: scope, Severity: severity, Run: run}
	for _, add := range more {
		add(r)
	}
	return r
}

func onPlan(r *Rule) { r.OnPlan = true }

func needs(facts Needs) func(*Rule) { return func(r *Rule) { r.Needs |= facts } }

func since(release string) func(*Rule)       { return func(r *Rule) { r.Since = release } }
func requires(what requirement) func(*Rule)  { return func(r *Rule) { r.Requires = what } }
func milder(severity severities) func(*Rule) { return func(r *Rule) { r.Otherwise = severity } }

func inRange(run func(*rangePass)) func(*Rule) {
	return func(r *Rule) { r.RunRange = run }
}
