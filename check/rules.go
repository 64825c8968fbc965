package check

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
)

//go:embed rules.txt
var rulesText string

// readRule reads a row of rules.txt. asks is what questions and rangeQuestions have its question under.
func readRule(row []string) (r *Rule, asks string) {
	r = &Rule{
		ID: row[0], Since: row[1], Severity: readSeverities(row[4:8]),
		Class: Class(slices.Index([]string{"claims", "record"}, row[2]) + 1),
		Scope: Scope(slices.Index([]string{"part", "commit", "message", "both", "range"}, row[3]) + 1),
	}
	asks = r.ID
	for _, mark := range row[8:] {
		switch kind, value, _ := strings.Cut(mark, "="); kind {
		case "plan":
			r.OnPlan = true
		case "repeats":
			r.RangeRepeats = true
		case "requires":
			r.Requires = Requirement(value)
		case "otherwise":
			r.Otherwise = readSeverities(strings.Split(value, ","))
		case "asks":
			asks = value
		default:
			panic("rules.txt: no rule is " + mark)
		}
	}
	return r, asks
}

func readSeverities(words []string) Severities {
	of := map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "note": diag.Note} // else it is off
	return Severities{Strict: of[words[0]], Standard: of[words[1]], Light: of[words[2]], Exempt: of[words[3]]}
}

// questions are what rules ask of a commit, by their ids, or by what rules.txt says that several ask.
func questions() map[string]func(context.Context, *Pass) error {
	return map[string]func(context.Context, *Pass) error{
		"evidence":                    runEvidence,
		"weaker":                      runWeaker,
		"plan":                        runPlan,
		"completing":                  runPlan,
		"checklist_items_mismatch":    runItemsMismatch,
		"checklist_item_pending":      runItemPending,
		"checklist_evidence_required": runEvidenceRequired,
		"checklist_reason_required":   runReasonRequired,
		"checklist_missing":           runMissing,
		"checklist_all_skipped":       runAllSkipped,
		"checklist_mostly_skipped":    runMostlySkipped,
		"checklist_item_duplicate":    runItemDuplicate,
		"report_unread":               runReportUnread,
		"report_unreadable":           runReportUnreadable,
		"claim_required":              runClaimRequired,
		"evidence_reused":             runReused,
		"evidence_item_unrelated":     runUnrelated,
		"evidence_unreferenced":       runEvidenceUnreferenced,
		"run_contradicted":            runContradicted,
		"run_empty":                   runEmpty,
		"test_not_run":                onPlaces(testsNotRun),
		"test_failed":                 onPlaces(failedTests),
		"test_not_red":                onPlaces(testsNotRed),
		"evidence_not_executed":       onPlaces(notExecuted),
		"stub_added":                  runStubAdded,
		"unit_conflict":               runUnitConflict,
		"policy_invalid":              runPolicyInvalid,
		"policy_weakened":             runPolicyWeakened,
		"plan_invalid":                runPlanInvalid,
		"plan_changed_outside_adapt":  runPlanOutsideAdapt,
		"for_unit_unknown":            runForUnitUnknown,
		"outside_scope":               runOutsideScope,
		"act_touches_plan":            runActTouchesPlan,
		"adapt_touches_environment":   runAdaptTouchesEnv,
		"observation_missing":         runObservationMissing,
		"intent_uncovered":            runIntentUncovered,
		"intent_modified":             runIntentModified,
		"amendment_modified":          runAmendmentModified,
		"unit_not_owned":              runUnitNotOwned,
		"actor_missing":               runActorMissing,
	}
}

// rangeQuestions are what rules ask of a range.
func rangeQuestions() map[string]func(context.Context, *RangePass) error {
	return map[string]func(context.Context, *RangePass) error{
		"weaker":                weakerInRange,
		"completing":            completedInRange,
		"evidence_regressed":    runRegressed,
		"run_contradicted":      runRangeContradicted,
		"run_empty":             emptyInRange,
		"test_not_run":          onRangePlaces(testsNotRun),
		"test_failed":           onRangePlaces(failedTests),
		"test_not_red":          onRangePlaces(testsNotRed),
		"evidence_not_executed": onRangePlaces(notExecuted),
		"intent_modified":       runIntentReplaced,
		"amendment_modified":    runAmendmentsReplaced,
	}
}
