package rules

import (
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
)

// reporting is an ACT of T01 with the given lines, and the source that they cite.
func reporting(lines string) commit {
	return commit{message: "ACT: T01 login\n\n" + lines, files: loginFile()}
}

// registering is reporting for a unit whose checklist stands in the plan.
func registering(lines, checklist string) commit {
	c := reporting(lines)
	c.base = planOf(`{"id": "T01", "type": "atomic", "checklist": [` + checklist + `]}`)
	return c
}

const twoItems = `{"item": "Add login()"}, {"item": "Add ` + "`logout`" + `", "required": false}`

func TestItemsMismatch(t *testing.T) {
	testRule(t, "checklist_items_mismatch", []row{
		{"all items",
			registering("Done: Add login() | src/auth.py:5-8\nSkipped: Add logout | Nobody needs it\n", twoItems), nil, ""},
		{"an optional item is left out", registering("Done: Add login() | src/auth.py:5-8\n", twoItems),
			one("error message:1"), "not reported: «Add `logout`»"},
		{"an item more", registering(
			"Done: Add login() | src/auth.py:5-8\nDone: Sing | src/auth.py:5-8\nSkipped: Add logout | Nobody needs it\n",
			twoItems,
		),
			one("error message:1"), "not registered: «Sing»"},
		{"other blanks and another case", registering("Done: add  LOGIN() | src/auth.py:5-8\n", `{"item": "Add login()"}`),
			nil, ""},
		{"no plan", reporting("Done: Sing | src/auth.py:5-8\n"), nil, ""},
		{"nothing is reported", registering("Everything works.\n", twoItems), nil, ""},
		{"a cherry-pick",
			registering(
				"Done: Sing | src/auth.py:5-8\n\n(cherry picked from commit 1111111111111111111111111111111111111111)\n", twoItems,
			),
			nil, ""},
		{"an ADAPT", commit{message: "ADAPT: T01 on\n\nDone: Sing | src/auth.py:5-8\n", base: planOf(pendingT01)}, nil, ""},
	})
}

func TestItemPending(t *testing.T) {
	testRule(t, "checklist_item_pending", []row{
		{"pending", reporting("Done: Add login() | src/auth.py:5-8\nPending: Add logout()\n"), one("error message:4"),
			"Add logout()"},
		{"an open box", reporting("- [ ] Add logout() | src/auth.py:1\n"), one("error message:3"), ""},
		{"two of them", reporting("Pending: Add login()\nPending: Add logout()\n"),
			[]string{"error message:3", "error message:4"}, ""},
		{"an attempt that failed", reporting("Pending: Add logout()\nOutcome: failure\n"), nil, ""},
		{"an attempt that was given up, in more words",
			reporting("Pending: Add logout()\nOutcome: Aborted: no database\n"), nil, ""},
		{"an attempt that succeeded", reporting("Pending: Add logout()\nOutcome: success\n"), one("error message:3"), ""},
		{"done", reporting("Done: Add login() | src/auth.py:5-8\n"), nil, ""},
	})
}

func TestEvidenceRequired(t *testing.T) {
	testRule(t, "checklist_evidence_required", []row{
		{"no evidence", reporting("Done: Add login()\n"), one("error message:3"), "requires evidence"},
		{"a bar without blanks", reporting("Done: Read a|b in the editor\n"), one("error message:3"),
			"write the bar with a space on either side"},
		{"places without a bar", reporting("Done: Add login() src/auth.py:5-8\n"), one("error message:3"),
			"«Add login() | src/auth.py:5-8»"},
		{"evidence", reporting("Done: Add login() | src/auth.py:5-8\n"), nil, ""},
		{"skipped", reporting("Skipped: Add login() | The framework brings one\n"), nil, ""},
		{"in a tier that is exempt", commit{message: "ACT: T01 login\n\nDone: Add login()\n", tier: policy.Exempt}, nil, ""},
	})
}

func TestReasonRequired(t *testing.T) {
	testRule(t, "checklist_reason_required", []row{
		{"no reason", reporting("Skipped: Add logout()\n"), one("error message:3"), "min 10 chars"},
		{"too short", reporting("Skipped: Add logout() | later\n"), one("error message:3"), "min 10 chars"},
		{"no words", reporting("Skipped: Add logout() | n/a n/a n/a n/a\n"), one("error message:3"), "holds no words"},
		{"a reason", reporting("Skipped: Add logout() | The framework brings one\n"), nil, ""},
		{"done without a reason", reporting("Done: Add login() | src/auth.py:5-8\n"), nil, ""},
	})
}

func TestReportMissing(t *testing.T) {
	strict := reporting("Everything works.\n")
	strict.tier = policy.Strict
	light := reporting("Everything works.\n")
	light.tier = policy.Light
	unread := reporting("Everything works.\n")
	unread.unreadable = []FileError{{ReportError: parser.ReportError{Path: "report.json", Message: "it is not in the commit"}}}
	testRule(t, "checklist_missing", []row{
		{"nothing", reporting("Everything works.\n"), one("warning message:1"), "«Done: <item> | <path>:<line>-<line>»"},
		{"nothing, held strictly", strict, one("error message:1"), ""},
		{"nothing, held lightly", light, nil, ""},
		{"registered items are named", registering("Everything works.\n", twoItems), one("warning message:1"),
			"registered: «Add login()», «Add `logout`»"},
		{"an attempt that failed", reporting("Outcome: failure\n"), nil, ""},
		{"a report that is not read", reporting("What I did:\nDone: Add login() | src/auth.py:5-8\n"), nil, ""},
		{"a report file that is not read", unread, nil, ""},
		{"a report", reporting("Done: Add login() | src/auth.py:5-8\n"), nil, ""},
		{"no ACT", commit{message: "Everything works\n"}, nil, ""},
	})
}

func TestAllSkipped(t *testing.T) {
	testRule(t, "checklist_skipped", []row{
		{"all",
			reporting("Skipped: Add login() | The framework brings one\nSkipped: Add logout() | The framework brings one\n"),
			one("warning message:1"), ""},
		{"all but one",
			reporting("Skipped: Add logout() | The framework brings one\nDone: Add login() | src/auth.py:5-8\n"), nil, ""},
		{"nothing is reported", reporting("Everything works.\n"), nil, ""},
		{"a cherry-pick",
			reporting("Skipped: Add login() | The framework brings one\n\n(cherry picked from commit " +
				"1111111111111111111111111111111111111111)\n"),
			nil, ""},
	})
}

func TestMostlySkipped(t *testing.T) {
	const skipped = "Skipped: Add b | The framework brings one\nSkipped: Add c | The framework brings one\n"
	testRule(t, "checklist_skipped", []row{
		{"two of three", reporting("Done: Add a | src/auth.py:5-8\n" + skipped), one("warning message:1"), "2 of 3"},
		{"two of four", reporting("Done: Add a | src/auth.py:5-8\nDone: Add d | src/auth.py:6\n" + skipped), nil, ""},
		{"one of two", reporting("Done: Add a | src/auth.py:5-8\nSkipped: Add b | The framework brings one\n"), nil, ""},
		{"all", reporting("Skipped: Add a | The framework brings one\n" + skipped), one("warning message:1"), "Every item"},
		{"optional items do not count", registering("Done: Add a | src/auth.py:5-8\n"+skipped,
			`{"item": "Add a"}, {"item": "Add b", "required": false}, {"item": "Add c"}`), nil, ""},
		{"an attempt that failed", reporting("Done: Add a | src/auth.py:5-8\n" + skipped + "Outcome: failed\n"), nil, ""},
	})
}

func TestItemDuplicate(t *testing.T) {
	testRule(t, "checklist_item_duplicate", []row{
		{"differently", reporting("Done: Add login() | src/auth.py:5-8\nDone: Add login() | src/auth.py:5\n"),
			one("error message:4"), "reported as done («src/auth.py:5-8») and as done («src/auth.py:5»)"},
		{"done and skipped", reporting(
			"Done: Add login() | src/auth.py:5-8\nSkipped: Add login() | The framework brings one\n",
		),
			one("error message:4"), "skipped («The framework brings one»)"},
		{"without words", reporting("Done: Add login() | src/auth.py:5-8\nPending: Add login()\n"), one("error message:4"),
			"and as pending; keep one"},
		{"the same twice", reporting("- [x] Add login() | src/auth.py:5-8\n\nDone: Add login() | src/auth.py:5-8\n"), nil,
			""},
		{"two items", reporting("Done: Add login() | src/auth.py:5-8\nDone: Validate it | src/auth.py:6-7\n"), nil, ""},
	})
}
