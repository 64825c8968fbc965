package rules

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
)

func TestAWaiverSaysWhyItDoesNotCount(t *testing.T) {
	const reads = "ACT: T01 read\n\nDone: Add f() | gone.py:1-2\n"
	missing := func(policy, waiver string) commit {
		return commit{message: reads + waiver, policy: policy, files: files{"a.py": "a = 1\n"}}
	}
	const allowed = "waivable: [checklist_evidence_file_not_found]\n"
	testRule(t, "checklist_evidence_file_not_found", []row{
		{"no waiver", missing(allowed, ""), one("error message:3"), ""},
		{"waived", missing(allowed,
			"Waive: checklist_evidence_file_not_found | gone.py:1-2 | It comes with the next commit\n"),
			one("warning message:3"), "waived: It comes with the next commit"},
		{"the policy does not list it",
			missing("version: 1\n", "Waive: checklist_evidence_file_not_found | gone.py:1-2 | It comes with the next commit\n"),
			one("error message:3"), "the policy does not list checklist_evidence_file_not_found as waivable"},
		{"another place", missing(allowed,
			"Waive: checklist_evidence_file_not_found | gone.py:3 | It comes with the next commit\n"),
			one("error message:3"), "no waiver counts here: the place is gone.py:1-2"},
		{"no place", missing(allowed, "Waive: checklist_evidence_file_not_found | It comes with the next commit\n"),
			one("error message:3"), "no waiver counts here: expected «<rule> | <place> | <reason>», found one bar"},
		{"one of another place beside it", missing(allowed,
			"Waive: checklist_evidence_file_not_found | gone.py | It comes with the next commit\n"+
				"Waive: checklist_evidence_file_not_found | b.py | It comes with the next commit\n"),
			one("warning message:3"), "waived: It comes with the next commit"},
		{"another rule", missing(allowed, "Waive: evidence_unclear | gone.py:1-2 | It comes with the next commit\n"),
			one("error message:3"), ""},
		{"a reason that is too short", missing(allowed, "Waive: checklist_evidence_file_not_found | gone.py:1-2 | later\n"),
			one("error message:3"), "its reason has less than"},
		{"what holds", commit{message: "ACT: T01 read\n\nDone: Add a | a.py:1\n", files: files{"a.py": "a = 1\n"}}, nil, ""},
	})
}

func TestTheRecordIsNeverWaived(t *testing.T) {
	c := commit{
		message: "ACT: T01 login\n\nDone: Add login | a.py:1\nWaive: unit_conflict | x | We agreed on it today, all of us\n",
		files:   files{"a.py": "a = 1\n"},
	}
	out, err := c.ask(t, Rules())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Findings {
		if strings.HasPrefix(f.Hint, "waived") {
			t.Errorf("%s is waived", f.Rule)
		}
	}
	testRule(t, PlanNotAlone, []row{
		{"waived", adapting("ACT: T01 login\n\nWaive: "+PlanNotAlone+" | "+planAt+" | We agreed on it today, all of us",
			planOf(pendingT01), with(planOf(completeT01), workFile())), one(atPlan + "1"), "cannot be waived"},
		{"nothing to waive", adapting("Work", planOf(pendingT01), workFile()), nil, ""},
	})
	p := policy.Default()
	for _, r := range Rules() {
		p.Waivable = append(p.Waivable, r.ID) // whatever a policy lists
		if r.Class == GuardsRecord && IsWaivable(r.ID) {
			t.Errorf("%s guards the record, and can be waived", r.ID)
		}
	}
}

func TestHintsAreJoined(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{{"", "b", "b"}, {"a", "b", "a; b"}} {
		if got := JoinHints(c.a, c.b); got != c.want {
			t.Errorf("%q and %q become %q", c.a, c.b, got)
		}
	}
}
