package rules

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
)

func TestReportUnread(t *testing.T) {
	light := reporting("What I did:\nDone: Add login() | src/auth.py:5-8\n")
	light.tier = policy.Light
	testRule(t, "report_unread", []row{
		{"below prose", reporting("What I did:\nDone: Add login() | src/auth.py:5-8\n"), one("error message:4"),
			"line 3 is in the way: «What I did:»"},
		{"below prose, held lightly", light, one("warning message:4"), ""},
		{"directly under the title", commit{message: "ACT: T01 login\nDone: Add login() | src/auth.py:5-8\n"},
			one("error message:2"), "an empty line between the title and the report"},
		{"behind a bullet", reporting("* Done: Add login() | src/auth.py:5-8\n"), one("error message:3"), "without bullet"},
		{"in a comment", reporting("# Done: Add login() | src/auth.py:5-8\n"), one("error message:3"), "remove the #"},
		{"below a scissors line", reporting("Text\n# ------------------------ >8 ------------------------\n" +
			"Done: Add login() | src/auth.py:5-8\n"), one("error message:5"), "under the scissors line 4"},
		{"behind a NUL byte", reporting("Text\x00\n\nDone: Add login() | src/auth.py:5-8\n"), one("error message:5"),
			"remove the NUL"},
		{"below a long line", reporting(strings.Repeat("é", 81) + "\nDone: Add login() | src/auth.py:5-8\n"),
			one("error message:4"), "«" + strings.Repeat("é", 80) + "…»"},
		{"below what is almost a title", commit{message: "feat: ACT: T01\n\nDone: Add login() | src/auth.py:5-8\n"},
			one("warning message:1"), "write «ACT: <task> <summary>»"},
		{"a paragraph of its own", reporting("What I did:\n\nDone: Add login() | src/auth.py:5-8\n"), nil, ""},
	})
}

func TestReportUnreadable(t *testing.T) {
	file := reporting("Report: report.json\n")
	file.unreadable = []FileError{
		{At: parser.Parse([]byte(file.message)).Parts[0].Files[0],
			ReportError: parser.ReportError{Path: "report.json", Message: "it is not in the commit"}},
		{ReportError: parser.ReportError{Path: "other.json", Line: 2, Column: 5, Message: "no such status."}},
	}
	testRule(t, ReportUnreadable, []row{
		{"report files", file, []string{"error message:3", "error other.json:2"}, "cannot be read: "},
		{"a NUL byte", commit{message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\x00\n"},
			one("error message:3"), "The commit message cannot be read to its end"},
		{"a stray byte in a claim", reporting("Done: Add l\xffgin() | src/auth.py:5-8\n"), one("error message:3"), ""},
		{"a stray byte in prose", reporting("For Ren\xe9\n\nDone: Add login() | src/auth.py:5-8\n"), nil, ""},
		{"a report", reporting("Done: Add login() | src/auth.py:5-8\n"), nil, ""},
	})
}

func TestClaimRequired(t *testing.T) {
	const all, agents = "require: all\n", "require: agents\nactors: {agents: [\"*bot*\"]}\n"
	with := func(base, after, before string) commit {
		was := files{"a.py": before}.tree()
		return commit{message: "Revert \"Add login\"\n" + byRevert, policy: all, base: files{"a.py": base},
			files:    files{"a.py": after},
			reverted: []RevertedCommit{{Before: &was}}}
	}
	unknown := with("def a():\n", "def b():\n", "")
	unknown.reverted[0].IsUnknown = true
	testRule(t, "claim_required", []row{
		{"of a revert that gives back what was", with("def a():\n    pass\ndef b():\n", "def b():\ndef c():\n", "def c():\n"),
			nil, ""},
		{"of one that adds a line", with("def a():\n", "def b():\n", "def c():\n"), one("error message:1"),
			"The policy requires a task, but this revert names none for the changes that undo nothing (in a.py)"},
		{"of one of what a shallow clone left out", unknown, nil, ""},
		{"of one of what never was",
			commit{message: "Revert \"x\"\n" + byRevert, policy: all, base: files{},
				files: files{"a.py": "def b():\n"}}, one("error message:1"), ""},
		{"of all", commit{message: "Add login\n", policy: all}, one("error message:1"), "For: <task>"},
		{"of nobody", commit{message: "Add login\n"}, nil, ""},
		{"of an agent", commit{message: "Add login\n", policy: agents, authors: []string{"build-bot", "bot@example.org"}},
			one("error message:1"), ""},
		{"of a session where agents are asked", commit{message: "Add login\n\nSession: s1\n", policy: "require: agents\n",
			authors: []string{"Ann"}}, one("error message:1"), "the session s1"},
		{"of a merge that plans more", commit{message: "Merge branch 'a'\n", policy: all, base: planOf(pendingT01),
			files: planOf(pendingT01, pendingT02), merged: []files{planOf(pendingT01)}}, nil, ""},
		{"of a person where agents are asked", commit{message: "Add login\n", policy: agents, authors: []string{"Ann"}},
			nil, ""},
		{"of a merge", commit{message: "Merge branch 'a'\n", policy: all, merged: []files{{}}}, nil, ""},
		{"of a revert",
			commit{
				message: "Revert \"Add login\"\n\nThis reverts commit 1111111111111111111111111111111111111111.\n", policy: all,
			},
			nil, ""},
		{"of what mends an ACT", commit{message: "fixup! ACT: T01 login\n", policy: all}, nil, ""},
		{"of what mends what mends an ACT", commit{message: "fixup! squash! ACT: T01 login\n", policy: all}, nil, ""},
		{"of what mends no ACT", commit{message: "fixup! Add login\n", policy: all}, one("error message:1"), ""},
		{"it says whose work it is", commit{message: "Add login\n\nFor: T01\n", policy: all}, nil, ""},
	})
}

func TestUnitConflict(t *testing.T) {
	testRule(t, "unit_conflict", []row{
		{"two tasks", reporting("Act: T02\nDone: Add login() | src/auth.py:5-8\n"), one("error message:3"),
			"different tasks"},
		{"no task", commit{message: "ACT:\n\nDone: Add login() | src/auth.py:5-8\n"}, one("error message:1"),
			"names no task"},
		{"one task, twice", reporting("Act: T01\nDone: Add login() | src/auth.py:5-8\n"), nil, ""},
	})
}

func TestRunContradicted(t *testing.T) {
	claiming := func(lines string, runs ...RecordedRun) commit {
		c := reporting("Done: Add login() | src/auth.py:5-8\n" + lines)
		c.runs = runs
		return c
	}
	failed, passed := RecordedRun{Command: "pytest -q", Exit: new(1)}, RecordedRun{Command: "pytest -q", Exit: new(int)}
	waived := claiming(
		"Ran: pytest -q | exit 0\nWaive: run_contradicted | pytest -q | The suite needs a database\n", failed,
	)
	waived.policy = "waivable: [run_contradicted]\n"
	testRule(t, "run_contradicted", []row{
		{"it failed", claiming("Ran: pytest -q | exit 0\n", failed), one("error message:4"),
			"report «Ran: pytest -q | exit 1»"},
		{"it failed, waived", waived, one("warning message:4"), "waived: The suite needs a database"},
		{"it failed, and that is said", claiming("Ran: pytest -q | exit 1\n", failed), nil, ""},
		{"it passed then", claiming("Ran: pytest -q | exit 0\n", failed, passed), nil, ""},
		{"a later run in another way gave the code", claiming(
			"Ran: pytest -q | exit 0\n", failed, RecordedRun{Command: "pytest -q; true", Exit: new(int)}), nil, ""},
		{"a command of other words is recorded", claiming("Ran: pytest | exit 0\n", failed), nil, ""},
		{"no code is claimed", claiming("Ran: pytest -q, all green\n", failed), nil, ""},
		{"nothing is recorded", claiming("Ran: pytest -q, all green\nRan: pytest -q | exit 0\n"), nil, ""},
		{"an ADAPT", commit{message: "ADAPT: T01 on\n\nRan: pytest -q | exit 0\n", runs: []RecordedRun{failed}}, nil, ""},
	})
}

// What is claimed of runs has verdicts of its own, behind those of the items.
func TestRunsHaveVerdicts(t *testing.T) {
	c := reporting("Done: Add login() | src/auth.py:5-8\nRan: pytest -q | exit 0\nRan: make | exit 0\n")
	c.runs = []RecordedRun{{Command: "pytest -q", Exit: new(1)}}
	out, err := c.ask(t, Rules())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Verdicts) != 2 {
		t.Fatalf("got %+v", out.Verdicts)
	}
	if v := out.Verdicts[1]; v.Status != StatusRan ||
		!v.IsContradiction || v.Item != "Ran: pytest -q" || v.Evidence != "exit 0" {
		t.Errorf("got %+v", v)
	}
}

// What a report file claims is judged as what the message says, and findings stand in the file.
func TestReportFilesAreJudged(t *testing.T) {
	file := func(item string) commit {
		c := reporting("Report: report.json\n")
		c.files = files{
			"report.json": "{\"checklist\": [\n  {\"item\": \"Add login()\", \"status\": " + item + "}\n]}\n",
		}.over(c.files)
		return c
	}
	testRule(t, "checklist_evidence_required", []row{
		{"no evidence", file(`"done"`), one("error report.json:2"), "Add login()"},
		{"evidence", file(`"done", "evidence": "src/auth.py:5-8"`), nil, ""},
	})
	testRule(t, ReportUnreadable, []row{
		{"no such status", file(`"finished"`), one("error message:3"), "finished"},
		{"a status", file(`"done", "evidence": "src/auth.py:5-8"`), nil, ""},
	})
	out, err := file(`"done", "evidence": "src/auth.py:5-8"`).ask(t, Rules())
	if err != nil || len(out.Verdicts) != 1 || len(out.Anchors) != 0 { // a hook writes anchors into messages alone
		t.Errorf("%+v, %v", out, err)
	}
}
