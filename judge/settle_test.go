package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// one is a commit of a range: its reports, and its findings as «severity rule unit».
func one(id string, reports []string, findings ...string) *commitResult {
	j := &commitResult{commit: id, reportedUnits: reports}
	for _, f := range findings {
		j.Findings = append(j.Findings, finding(f))
	}
	return j
}

func finding(text string) report.Finding {
	fields := strings.Fields(text + " ")
	var f report.Finding
	if err := f.Severity.UnmarshalText([]byte(fields[0])); err != nil {
		panic(err)
	}
	f.Rule = fields[1]
	if len(fields) > 2 {
		f.Unit = fields[2]
	}
	return f
}

// settled is what the findings of commits have become, a commit a line.
func settled(commits []*commitResult) string {
	settle(commits)
	var b strings.Builder
	for _, j := range commits {
		fmt.Fprintf(&b, "%s:", j.commit)
		for _, f := range j.Findings {
			fmt.Fprintf(&b, " %s (%s)", f.Severity, f.Hint)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestMistakesAreSettledByWhatCameLater(t *testing.T) {
	const record = "plan_unit_unknown" // guards the record
	t01 := []string{"T01"}
	for name, c := range map[string]struct {
		commits []*commitResult
		want    string
	}{
		"a clean ACT of the same task": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"), one("b", t01)}, "a: note (superseded by b)\nb:\n"},
		"of a task by its key": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"),
				one("b", []string{"M01/T01"})}, "a: note (superseded by b)\nb:\n"},
		"of another task": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"), one("b", []string{"T02"})}, "a: error ()\nb:\n"},
		"an ACT with an error of its own": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"),
				one("b", t01, "error "+missing+" T01")}, "a: error ()\nb: error ()\n"},
		"an ACT whose error is about its commit": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"),
				one("b", t01, "error "+missing)}, "a: error ()\nb: error ()\n"},
		"an ACT whose error is another task's": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"), one("b", []string{"T01", "T02"}, "error "+missing+" T02")},
			"a: note (superseded by b)\nb: error ()\n"},
		"an ACT that only warns": {
			[]*commitResult{one("a", t01, "error "+missing+" T01"), one("b", t01, "warning stub_added T01")},
			"a: note (superseded by b)\nb: warning ()\n"},
		"an earlier ACT": {
			[]*commitResult{one("a", t01), one("b", t01, "error "+missing+" T01")}, "a:\nb: error ()\n"},
		"the integrity of the record": {
			[]*commitResult{one("a", t01, "error "+record+" T01"), one("b", t01)}, "a: error ()\nb:\n"},
		"what a commit says of itself": {
			[]*commitResult{one("a", t01, "error "+missing), one("b", t01)}, "a: error ()\nb:\n"},
		"a note stays as it is": {
			[]*commitResult{one("a", t01, "note evidence_moved T01"), one("b", t01)}, "a: note ()\nb:\n"},
	} {
		if got := settled(c.commits); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

func TestMistakesAreSettledByReverts(t *testing.T) {
	reverting := func(id, of string) *commitResult {
		j := one(id, nil)
		j.revertedIDs = []string{of}
		return j
	}
	for name, c := range map[string]struct {
		commits []*commitResult
		want    string
	}{
		"reverted": {[]*commitResult{one("a", nil, "error "+missing+" T01"), reverting("b", "a")},
			"a: note (reverted by b)\nb:\n"},
		"whatever its task": {[]*commitResult{one("a", nil, "error "+missing), reverting("b", "a")},
			"a: note (reverted by b)\nb:\n"},
		"a revert that is reverted": {
			[]*commitResult{one("a", nil, "error "+missing), reverting("b", "a"), reverting("c", "b")}, "a: error ()\nb:\nc:\n"},
		"a reverted ACT supersedes nothing": {
			[]*commitResult{one("a", []string{"T01"}, "error "+missing+" T01"), one("b", []string{"T01"}), reverting("c", "b")},
			"a: error ()\nb:\nc:\n"},
	} {
		if got := settled(c.commits); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

func TestAnAcceptedCommitIsNoted(t *testing.T) {
	list := []policy.AcceptedCommit{{Commit: "one", Reason: "r"}, {Commit: "two", Reason: "s"}}
	for finding, want := range map[report.Finding]string{
		{Commit: "two", Rule: missing}:             "note accepted by the policy: s",
		{Commit: "two", Rule: "scope_reduced"}:     "note accepted by the policy: s",
		{Commit: "two", Rule: "unit_conflict"}:     "note accepted by the policy: s",
		{Commit: "two", Rule: "plan_unit_unknown"}: "error ",
		{Commit: "three", Rule: missing}:           "error ",
	} {
		finding.Severity = report.Error
		if accept(&finding, list); finding.Severity.String()+" "+finding.Hint != want {
			t.Errorf("%+v, want %q", finding, want)
		}
	}
}

func TestANoteKeepsTheHintThatWasThere(t *testing.T) {
	findings := []report.Finding{{Rule: missing, Severity: report.Error, Hint: "look there"}}
	makeNotes(findings, "", "superseded by b")
	if got := findings[0].Hint; got != "superseded by b; look there" {
		t.Errorf("%q", got)
	}
	makeNotes(findings, "", "said again")
	if got := findings[0].Hint; got != "superseded by b; look there" {
		t.Errorf("a note is noted again: %q", got)
	}
}

func TestAJoinedMessageSettlesItsParts(t *testing.T) {
	const joined = "Squash\n\nACT: T01 one\n\nDone: a | a.py:1\n\nACT: T02 two\n\nDone: b | b.py:1\n\nACT: T01 three\n\nDone: a | a.py:2\n"
	for name, c := range map[string]struct {
		tail string
		last string // the finding of the last part, "" for none
		want string
	}{
		"the later ACT supersedes the first": {"", "", "note, error, "},
		"one with an error does not":         {"", "error " + missing + " T01", "error, error, error"},
		"one that warns does":                {"", "warning stub_added T01", "note, error, warning"},
		"a reverted one does not":            {"\nRevert \"ACT: T01 three\"\n", "", "error, error, "},
		"a reverted part claims nothing":     {"\nRevert \"ACT: T02 two\"\n", "", "note, note, "},
	} {
		m := parser.Parse([]byte(joined + c.tail))
		if len(m.Parts) != 3 {
			t.Fatalf("%s: %d parts", name, len(m.Parts))
		}
		found := [][]report.Finding{{finding("error " + missing + " T01")}, {finding("error " + missing + " T02")}, nil}
		if c.last != "" {
			found[2] = []report.Finding{finding(c.last)}
		}
		settleParts(m, found)
		var got []string
		for _, findings := range found {
			s := ""
			for _, f := range findings {
				s += f.Severity.String()
			}
			got = append(got, s)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, ", "), c.want)
		}
	}
}

func TestWhatAJudgedCommitReports(t *testing.T) {
	for message, want := range map[string]string{
		"ACT: T01 a\n\nDone: a | a.py:1\n": "T01",
		"ACT: T01 a\n\nReport: r.json\n":   "T01",
		"ACT: T01 a\n":                     "", // says nothing that a later commit could mend
		"ADAPT: T01 a\n":                   "",
		"Work\n":                           "",
		"ACT: T01 a\n\nDone: a | a.py:1\n\n(cherry picked from commit 1111111111111111111111111111111111111111)\n": "",
	} {
		o := &outcome{message: parser.Parse([]byte(message))}
		o.Findings, o.Verdicts = []report.Finding{{Rule: missing}}, []report.ClaimVerdict{{Item: "a"}}
		o.id = repo.ID(strings.Repeat("1", 40))
		j := o.result(nil)
		if got := strings.Join(j.reportedUnits, ", "); got != want {
			t.Errorf("%q reports %q, want %q", message, got, want)
		}
		if j.Findings[0].Commit != j.commit || j.Verdicts[0].Commit != j.commit {
			t.Errorf("%+v", j)
		}
	}
	o := &outcome{message: parser.Parse([]byte("ACT: T01 a\n\nDone: a | a.py:1\n")), revertedParts: map[int]bool{0: true}}
	if j := o.result(nil); j.reportedUnits != nil {
		t.Errorf("what the message reverts itself: %+v", j)
	}
}

func TestEveryRuleOfClaimsIsSettled(t *testing.T) {
	// These are about what a commit or a range changes, which no later claim corrects.
	aboutChanges := []string{
		"stub_added", "test_weakened", "gate_weakened", "code_sees_tests", "policy_weakened", "scope_reduced",
		"evidence_regressed",
	}
	for _, r := range rules.Rules() {
		findings := []report.Finding{{Rule: r.ID, Severity: report.Error, Unit: "T01"}}
		makeNotes(findings, "T01", "later")
		want := r.Class == rules.GuardsClaims && !slices.Contains(aboutChanges, r.ID) || r.ID == rules.UnitConflict
		if noted := findings[0].Severity == report.Note; noted != want {
			t.Errorf("%s is settled: %v", r.ID, noted)
		}
	}
}
