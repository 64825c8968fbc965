package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

const (
	code  = "def f(x):\n    y = x + 1\n    return y\n"
	other = "def g(a):\n    b = call(a)\n    return b\n"
	empty = "def f(x):\n    pass\n"

	planAt  = "working_plan/current.json"
	planned = `{"id": "R", "type": "parent", "children": [
		{"id": "T01", "type": "atomic", "status": "pending", "checklist": [{"item": "add f"}]},
		{"id": "T02", "type": "atomic", "status": "pending", "checklist": [{"item": "add g"}]}]}`
)

// act is an ACT of a unit, titled by the unit alone.
func act(unit, item, place string) string {
	return fmt.Sprintf("ACT: %s\n\nDone: %s | %s\n", unit, item, place)
}

// found writes findings as «severity rule unit», a line each, in their order.
func found(findings []report.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Unit)))
	}
	return b.String()
}

func judgeStaged(t *testing.T, g *repotest.Repository, change func(*StagedCommit), message string) (*Result, error) {
	t.Helper()
	r := g.Open()
	s := StagedCommit{Message: []byte(message), MayAmend: true}
	if change != nil {
		change(&s)
	}
	return s.Judge(t.Context(), r)
}

func TestWhatIsStagedIsJudged(t *testing.T) {
	for name, c := range map[string]struct {
		staged  []string
		message string
		want    string
	}{
		"what claims nothing":      {[]string{"a.py", code}, "Work\n", ""},
		"what is there":            {[]string{"a.py", code}, act("T01", "add f", "a.py:1-3"), ""},
		"a stub":                   {[]string{"a.py", empty}, act("T01", "add f", "a.py:1-2"), "error checklist_evidence_empty_impl T01\n"},
		"a file that is not there": {[]string{"a.py", code}, act("T01", "add f", "b.py:1-3"), "error checklist_evidence_file_not_found T01\n"},
		"an item that is not registered": {[]string{"a.py", code, "b.py", other}, "ACT: T01\n\nDone: add f | a.py:1-3\nDone: more | b.py:1-3\n",
			"error checklist_items_mismatch T01\n"},
		"a task that is not in the plan": {[]string{"a.py", code}, act("T09", "add f", "a.py:1-3"), "error plan_unit_unknown T09\n"},
		"a stub beside a refusal is told once it is mended": {[]string{"a.py", code, "b.py", empty}, act("T01", "add f", "c.py:1-3"),
			"error checklist_evidence_file_not_found T01\n"},
		"a stub of a plain commit": {[]string{"b.py", empty}, "Work\n", "warning stub_added\n"},
		"a report file": {[]string{
			"a.py", code, "r.json", `{"checklist": [{"item": "add f", "status": "done", "evidence": ["a.py:1-3"]}]}`,
		}, "ACT: T01\n\nReport: r.json\n", ""},
		"a report file that is not there": {[]string{"a.py", code}, "ACT: T01\n\nReport: r.json\n", "error report_unreadable T01\n"},
		"an earlier title of a squash that the later one mends": {[]string{"a.py", code},
			"Squashed\n\nACT: T01 one\n\nDone: add f | b.py:1-3\n\nACT: T01 two\n\nDone: add f | a.py:1-3\n", "note checklist_evidence_file_not_found T01\n"},
		"a squash follows a symbol to the file that it was moved to": {[]string{"b.py", code, "g.py", other},
			"Squashed\n\nACT: T01 one\n\nDone: add f | a.py:1-3#f\n\nACT: T02 two\n\nDone: add g | g.py:1-3\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planAt, planned)
			g.Stage(c.staged...)
			result, err := judgeStaged(t, g, nil, c.message)
			if err != nil {
				t.Fatal(err)
			}
			if got := found(result.Findings); got != c.want || len(result.Warnings) != 0 {
				t.Errorf("got\n%s%v; want\n%s", got, result.Warnings, c.want)
			}
		})
	}
}

func TestTheFirstCommitIsJudged(t *testing.T) {
	g := repotest.New(t)
	g.Stage("a.py", code)
	result, err := judgeStaged(t, g, nil, act("T01", "add f", "a.py:1-3"))
	if err != nil || len(result.Findings) != 0 ||
		len(result.Verdicts) != 1 || result.Verdicts[0].Verdict != report.Verified || len(result.Anchors) != 1 {
		t.Errorf("%+v, %v", result, err)
	}
}

// Where the policy cannot be used a claim is an error, and what claims nothing a warning.
func TestAPolicyThatCannotBeUsedStopsClaimsAlone(t *testing.T) {
	for _, text := range []string{"version: 9\n", "version: 1\nacta: \">=99\"\n"} {
		g := repotest.New(t)
		g.Commit("Policy\n", policy.Path, text)
		g.Stage("a.py", code)
		var config *policy.ConfigError
		if _, err := judgeStaged(t, g, nil, act("T01", "add f", "a.py:1-3")); !errors.As(err, &config) {
			t.Errorf("%q: a claim: %v", text, err)
		}
		result, err := judgeStaged(t, g, nil, "Work\n")
		if err != nil || result.Code() != 0 || len(result.Warnings) != 1 || !strings.Contains(
			result.Warnings[0], "no other rule ran",
		) {
			t.Errorf("%q: what claims nothing: %+v, %v", text, result, err)
		}
	}
}

func TestTheStagedPolicyDoesNotJudgeItself(t *testing.T) {
	g := repotest.New(t)
	g.Commit("x\n", "note", "1")
	g.Stage("a.py", empty, policy.Path, "version: 1\nrules: {checklist_evidence_empty_impl: off}\n")
	result, err := judgeStaged(t, g, nil, act("T01", "add f", "a.py:1-2"))
	if err != nil || !strings.Contains(found(result.Findings), "error checklist_evidence_empty_impl T01") {
		t.Errorf("%+v, %v", result, err)
	}
}

// A hook cannot tell an amend: what compares with HEAD is held against HEAD's parent, too.
func TestWhatHeadBroughtMayBeClaimedByWhoAmendsIt(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	g.Commit("Work\n", "a.py", code)
	g.Stage("note", "2")
	claim := act("T01", "add f", "a.py:1-3")
	amends, err := judgeStaged(t, g, nil, claim)
	if err != nil || amends.Code() != 0 {
		t.Errorf("as an amend: %+v, %v", amends, err)
	}
	alone, err := judgeStaged(t, g, func(s *StagedCommit) { s.MayAmend = false }, claim)
	if err != nil || found(alone.Findings) == found(amends.Findings) {
		t.Errorf("alone it claims what was there before: %+v, %v", alone, err)
	}
}

// torn are leases that cannot be read.
type torn struct{}

var errTorn = errors.New("the leases are torn")

func (torn) Owner(context.Context, string) (*rules.Owner, error) { return nil, errTorn }

func TestWhoHoldsAUnitIsAskedOfClaims(t *testing.T) {
	held := func(s *StagedCommit) { s.Leases = leases{"T01 by executor-02"} }
	g := repotest.New(t)
	g.Commit("Plan\n", planAt, planned)
	g.Stage("a.py", code)
	result, err := judgeStaged(t, g, held, act("T01", "add f", "a.py:1-3")+"Actor: executor-01\n")
	if err != nil || found(result.Findings) != "error unit_not_owned T01\n" {
		t.Errorf("%+v, %v", result, err)
	}
	fails := func(s *StagedCommit) { s.Leases = torn{} }
	if _, err := judgeStaged(t, g, fails, act("T01", "add f", "a.py:1-3")); !errors.Is(err, errTorn) {
		t.Errorf("a claim while they cannot be read: %v", err)
	}
	if result, err := judgeStaged(t, g, fails, "Work\n"); err != nil || len(result.Warnings) != 0 {
		t.Errorf("what claims nothing does not ask: %+v, %v", result, err)
	}
}

// A session is read once, and one that cannot be read stands in nobody's way.
func TestRunsOfASession(t *testing.T) {
	exit, asked := 1, 0
	with := func(err error) func(*StagedCommit) {
		return func(s *StagedCommit) {
			s.Runs = func(context.Context, string) ([]rules.RecordedRun, error) {
				asked++
				if err != nil {
					return nil, err
				}
				return []rules.RecordedRun{{Command: "go test ./...", Exit: &exit}}, nil
			}
		}
	}
	g := repotest.New(t)
	g.Commit("x\n", "note", "1")
	g.Stage("a.py", code)
	message := "ACT: T01\n\nDone: add f | a.py:1-3\nRan: go test ./... | exit 0\nRan: go vet ./... | exit 0\nSession: s1\n"
	result, err := judgeStaged(t, g, with(nil), message)
	if err != nil || result.Code() != 1 || asked != 1 {
		t.Errorf("%s%v, asked %d times", found(result.Findings), err, asked)
	}
	result, err = judgeStaged(t, g, with(errors.New("torn")), message)
	if err != nil || result.Code() != 0 || len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "torn") {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestAuthorsAndCoAuthors(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Policy\n", policy.Path, "version: 1\nrequire: agents\nactors: {agents: [\"*@agents.invalid\"]}\n")
	g.Stage("note", "1")
	for message, refused := range map[string]bool{
		"Work\n": false,
		"Work\n\nCo-authored-by: Bot <bot@agents.invalid>\n": true,
		"Work\n\nCo-Authored-By: bot@agents.invalid\n":       true,
		"Work\n\nCo-authored-by: Bo <bo@example.org>\n":      false,
	} {
		result, err := judgeStaged(t, g, nil, message)
		if err != nil || (result.Code() == 1) != refused {
			t.Errorf("%q: %+v, %v", message, result, err)
		}
	}
}

func TestAMessageTakesBackItsOwnParts(t *testing.T) {
	m := parser.Parse([]byte("Squashed\n\nACT: T01 one\n\nDone: f | a\n\nACT: T01 two\n\nDone: f | a\n"))
	if len(m.Parts) != 2 {
		t.Fatalf("%d parts", len(m.Parts))
	}
	claim := []report.Finding{{Rule: "checklist_evidence_empty_impl", Severity: report.Error, Unit: "T01"}}
	for name, c := range map[string]struct {
		second []report.Finding
		want   report.Severity
	}{
		"the later is clean":        {nil, report.Note},
		"the later is refused, too": {slices.Clone(claim), report.Error},
	} {
		first := slices.Clone(claim)
		if reverted := settleParts(m, [][]report.Finding{first, c.second}); len(reverted) != 0 || first[0].Severity != c.want {
			t.Errorf("%s: %v, %v", name, reverted, first)
		}
	}
}

func TestRefusalsSayWhereAndWhatToDo(t *testing.T) {
	r := &Result{}
	r.Add([]report.Finding{
		{Rule: "a", Severity: report.Error, Path: "f.py", Line: 3, Message: "is empty", Hint: "write it"},
		{Rule: "b", Severity: report.Warning, Message: "looks odd"},
		{Rule: "c", Severity: report.Error, Message: "no report"},
	}, nil)
	want := []string{"no report [c]", "f.py:3: is empty [a]", "    write it"}
	got := r.Refusals()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || r.Code() != 1 {
		t.Errorf("%q", got)
	}
	if r.Undecided = []string{"cut"}; r.Code() != 3 {
		t.Errorf("what could not be decided is exit code 3, not %d", r.Code())
	}
}
