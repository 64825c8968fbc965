package rules

import (
	"context"
	"slices"

	"github.com/acta-git/acta/report"
)

// How severe rules are, in the tiers strict, standard, light and exempt; 0 is off.
var (
	always  = Severities{report.Error, report.Error, report.Error, report.Error}
	refuses = Severities{report.Error, report.Error, report.Error, 0}
	weighs  = Severities{report.Error, report.Error, report.Warning, 0}
	demands = Severities{report.Error, report.Warning, report.Warning, 0}
	guards  = Severities{report.Error, report.Warning, report.Warning, report.Warning}
	strict  = Severities{report.Error, report.Warning, 0, 0}
	warns   = Severities{report.Warning, report.Warning, 0, 0}
	hints   = Severities{report.Warning, report.Note, report.Note, 0}
	tells   = Severities{report.Note, report.Note, report.Note, 0}
)

// rules are all rules, in the order of the documentation.
func rules() []*Rule { return slices.Concat(rulesOfReports(), rulesOfCommits()) }

func rulesOfReports() []*Rule {
	return []*Rule{
		rule("checklist_items_mismatch", OfClaims, OfPart, refuses, runItemsMismatch, onPlan),
		rule("checklist_item_pending", OfClaims, OfPart, refuses, runItemPending),
		rule("checklist_evidence_required", OfClaims, OfPart, refuses, runEvidenceRequired),
		rule("checklist_evidence_format_invalid", OfClaims, OfPart, refuses, runEvidence),
		rule("checklist_evidence_file_not_found", OfClaims, OfPart, refuses, runEvidence),
		rule("checklist_evidence_line_out_of_range", OfClaims, OfPart, refuses, runEvidence),
		rule("checklist_evidence_empty_impl", OfClaims, OfPart, refuses, runEvidence),
		rule("checklist_reason_required", OfClaims, OfPart, refuses, runReasonRequired),
		rule("checklist_missing", OfClaims, OfPart, strict, runMissing),
		rule("checklist_skipped", OfClaims, OfPart, strict, runSkipped, milder(warns)),
		rule("checklist_item_duplicate", OfClaims, OfPart, refuses, runItemDuplicate),
		rule("report_unread", OfClaims, OfPart, weighs, runReportUnread),
		rule("report_unreadable", OfClaims, OfPart, refuses, runReportUnreadable),
		rule("claim_required", OfClaims, OfPart, refuses, runClaimRequired),
		rule("evidence_partial_stub", OfClaims, OfPart, demands, runEvidence),
		rule("evidence_unclear", OfClaims, OfPart, strict, runEvidence),
		rule("evidence_too_wide", OfClaims, OfPart, warns, runEvidence),
		rule("evidence_syntax_error", OfClaims, OfPart, warns, runEvidence),
		rule("evidence_not_removed", OfClaims, OfPart, refuses, runEvidence),
		rule("evidence_moved", OfClaims, OfPart, tells, runEvidence),
		rule("evidence_not_in_diff", OfClaims, OfPart, strict, runEvidence),
		rule("evidence_reused", OfClaims, OfPart, warns, runReused),
		rule("evidence_item_unrelated", OfClaims, OfPart, refuses, runEvidence),
		rule("evidence_regressed", OfClaims, OfRange, weighs, nil, inRange(runRegressed)),
		rule("evidence_unreferenced", OfClaims, OfPart, hints, runEvidenceUnreferenced),
		rule("run_contradicted", OfClaims, OfPart, refuses, runContradicted,
			requires(TestRan), milder(demands), inRange(runRangeContradicted)),
		rule("run_empty", OfClaims, OfPart, demands, runEmpty,
			since("0.2"), requires(TestRan), inRange(emptyInRange)),
		rule("test_not_run", OfClaims, OfPart, demands, onPlaces(testsNotRun),
			since("0.2"), requires(TestRan), inRange(onRangePlaces(testsNotRun))),
		rule("test_failed", OfClaims, OfPart, demands, onPlaces(failedTests),
			since("0.2"), requires(TestRan), inRange(onRangePlaces(failedTests))),
		rule("evidence_not_executed", OfClaims, OfPart, demands, onPlaces(notExecuted),
			since("0.2"), requires(CodeExecuted), inRange(onRangePlaces(notExecuted))),
	}
}

func rulesOfCommits() []*Rule {
	return []*Rule{
		rule("stub_added", OfClaims, OfCommit, warns, runStubAdded),
		rule("test_weakened", OfClaims, OfMessage, weighs, runWeaker,
			since("0.2"), milder(demands), inRange(weakerInRange)),
		rule("gate_weakened", OfClaims, OfMessage, weighs, runWeaker,
			since("0.2"), milder(demands), inRange(weakerInRange)),
		rule("code_sees_tests", OfClaims, OfMessage, demands, runWeaker,
			since("0.2"), milder(demands), inRange(weakerInRange)),
		rule("unit_conflict", OfRecord, OfPart, always, runUnitConflict),
		rule("policy_invalid", OfRecord, OfCommit, always, runPolicyInvalid),
		rule("policy_weakened", OfClaims, OfCommit, guards, runPolicyWeakened),
		rule("plan_invalid", OfRecord, OfCommit, always, runPlanInvalid),
		rule("plan_unit_unknown", OfRecord, OfBoth, always, runPlan, onPlan),
		rule("plan_not_alone", OfRecord, OfMessage, always, runPlanNotAlone, onPlan),
		rule("for_unit_unknown", OfClaims, OfPart, warns, runForUnitUnknown, onPlan),
		rule("outside_scope", OfClaims, OfPart, warns, runOutsideScope, onPlan),
		rule("act_not_allowed", OfRecord, OfPart, always, runPlan, onPlan),
		rule("plan_move_illegal", OfRecord, OfMessage, always, runPlan, onPlan, inRange(completedInRange)),
		rule("threshold_invalid", OfRecord, OfMessage, always, runPlan, onPlan),
		rule("observation_missing", OfRecord, OfPart, warns, runObservationMissing, onPlan),
		rule("scope_reduced", OfClaims, OfMessage, strict, runPlan, onPlan),
		rule("item_accepted", OfRecord, OfMessage, guards, runPlan, onPlan),
		rule("intent_uncovered", OfRecord, OfMessage, warns, runIntentUncovered, onPlan),
		rule("intent_modified", OfRecord, OfCommit, always, runIntentModified, inRange(runIntentReplaced)),
		rule("unit_not_owned", OfRecord, OfPart, always, runUnitNotOwned),
	}
}

// rule is a rule of the first release, and what else is true of it.
func rule(
	id string, class Class, scope Scope, severity Severities, run func(context.Context, *Pass) error, more ...func(*Rule),
) *Rule {
	r := &Rule{ID: id, Since: "0.1", Class: class, Scope: scope, Severity: severity, Run: run}
	for _, add := range more {
		add(r)
	}
	return r
}

func onPlan(r *Rule) { r.OnPlan = true }

func since(release string) func(*Rule)       { return func(r *Rule) { r.Since = release } }
func requires(what Requirement) func(*Rule)  { return func(r *Rule) { r.Requires = what } }
func milder(severity Severities) func(*Rule) { return func(r *Rule) { r.Otherwise = severity } }

func inRange(run func(context.Context, *RangePass) error) func(*Rule) {
	return func(r *Rule) { r.RunRange = run }
}
