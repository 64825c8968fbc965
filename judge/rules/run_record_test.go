package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// ranOf asks run_contradicted of an ACT that claims a run, and returns the verdict on that and what was found.
func ranOf(t *testing.T, claimed string, runs ...RecordedRun) (report.ClaimVerdict, []report.Finding) {
	t.Helper()
	c := commit{files: loginFile(), runs: runs, message: "ACT: T01 x\n\nDone: Add login() | src/auth.py:5-8\nRan: " + claimed + "\n"}
	out, err := c.ask(t, []*Rule{find("run_contradicted")})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Verdicts, func(v report.ClaimVerdict) bool { return v.Status == StatusRan })
	if i < 0 {
		return report.ClaimVerdict{}, out.Findings
	}
	return out.Verdicts[i], out.Findings
}

// counted is a run of pytest with an exit code, the counts of its reports and the tree that it had.
func counted(exit int, counts, tree string) RecordedRun {
	r := RecordedRun{Command: "pytest -q", Exit: &exit, Counts: parser.ParseCounts(counts)}
	if tree != "" {
		r.Trees = []string{tree}
	}
	return r
}

func TestCountsAreHeldToTheReports(t *testing.T) {
	for _, c := range []struct {
		name, claimed string
		runs          []RecordedRun
		want          report.Verdict
	}{
		{"as they were", "pytest -q | exit 0 | 12 passed", []RecordedRun{counted(0, "12 passed", "now")}, report.Verified},
		{"more passed", "pytest -q | exit 0 | 214 passed", []RecordedRun{counted(0, "12 passed", "now")}, report.NotVerified},
		{"all were skipped", "pytest -q | exit 0 | 214 passed", []RecordedRun{counted(0, "0 passed, 214 skipped", "")},
			report.NotVerified},
		{"failures left out", "pytest -q | exit 1 | 9 passed, 1 failed",
			[]RecordedRun{counted(1, "9 passed, 3 failed", "now")}, report.NotVerified},
		{"failures not spoken of", "pytest -q | exit 1 | 9 passed", []RecordedRun{counted(1, "9 passed, 3 failed", "")},
			report.Verified},
		{"fewer than there were", "pytest -q | exit 0 | 9 passed", []RecordedRun{counted(0, "12 passed", "")}, report.Verified},
		{"skipped tests are counted in many ways", "pytest -q | exit 0 | 9 passed, 0 skipped",
			[]RecordedRun{counted(0, "9 passed, 2 skipped", "")}, report.Verified},
		{"no report", "pytest -q | exit 0 | 214 passed", []RecordedRun{counted(0, "", "now")}, report.Verified},
		{"fewer when it was run again", "pytest -q | exit 0 | 214 passed",
			[]RecordedRun{counted(0, "214 passed", ""), counted(0, "3 passed", "")}, report.Unclear},
		{"another code comes first", "pytest -q | exit 0 | 214 passed", []RecordedRun{counted(1, "12 passed", "")},
			report.NotVerified},
	} {
		if got, _ := ranOf(t, c.claimed, c.runs...); got.Verdict != c.want {
			t.Errorf("%s: %v, want %v (%s)", c.name, got.Verdict, c.want, got.Reason)
		}
	}
	v, found := ranOf(t, "pytest -q | exit 0 | 214 passed", counted(0, "12 passed, 1 skipped", "now"))
	if v.Evidence != "exit 0 | 214 passed" || len(found) != 1 || !strings.Contains(found[0].Message,
		"reported with 214 passed, and the reports of its last run in this session have 12 passed, 1 skipped") ||
		!strings.Contains(found[0].Hint, "«Ran: pytest -q | exit 0 | 12 passed, 1 skipped»") {
		t.Errorf("%+v %+v", v, found)
	}
}

func TestARunOfAnotherTreeIsStaleAndRefusesNothing(t *testing.T) {
	for _, c := range []struct {
		name, claimed string
		run           RecordedRun
		want          string
	}{
		{"what holds", "pytest -q | exit 0", counted(0, "", "src/auth.py"), "src/auth.py had the committed content"},
		{"what does not", "pytest -q | exit 0", counted(1, "", "a b c d e"), "a, b, c and 2 more had the committed content"},
		{"counts", "pytest -q | exit 0 | 9 passed", counted(0, "1 passed", " "), "the committed files had this content"},
	} {
		v, found := ranOf(t, c.claimed, c.run)
		if v.Verdict != report.Unclear || !strings.Contains(v.Reason, c.want) {
			t.Errorf("%s: %v, %s", c.name, v.Verdict, v.Reason)
		}
		if len(found) != 1 || found[0].Severity != report.Note || !strings.Contains(found[0].Message, c.want) ||
			!strings.Contains(found[0].Hint, "acta run") {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
	if v, found := ranOf(t, "pytest -q | exit 0", counted(0, "", "now")); v.Verdict != report.Verified || len(found) > 0 {
		t.Errorf("of the same tree: %v, %+v", v.Verdict, found)
	}
}
