package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// part is a part of a message as it was judged: «ACT T01 add f» reports the item "add f», «ADAPT T01 reopens T02».
func part(text string) judgedPart {
	kind, rest, _ := strings.Cut(text, " ")
	unit, rest, _ := strings.Cut(rest, " ")
	p := judgedPart{Kind: parser.Kind(kind), unit: unit}
	if reopens, ok := strings.CutPrefix(rest, "reopens "); ok {
		p.reopened = []parser.Text{{Value: reopens}}
	} else if rest != "" {
		p.Items = []plan.ReportedItem{{Item: plan.Item{Text: rest}}}
	}
	return p
}

func parts(texts ...string) (all []judgedPart) {
	for _, text := range texts {
		all = append(all, part(text))
	}
	return all
}

func TestASearchKnowsItsUnit(t *testing.T) {
	q := ActSearch{Key: "M01/S01/T01"}
	for name, want := range map[string]struct{ is, meets bool }{
		"T01": {true, true}, "M01/S01/T01": {true, true}, "M02/T01": {true, false}, // it was moved in the plan
		"S01": {false, true}, "M01/S01": {false, true}, "M01": {false, true}, "T02": {false, false}, "M02": {false,
			false}, "": {false, false},
	} {
		meets := rules.IsReopened([]parser.Text{{Value: name}}, q.Key)
		if q.isUnit(name) != want.is || meets != want.meets {
			t.Errorf("%q is the unit: %v, or above it: %v", name, q.isUnit(name), meets)
		}
	}
}

func TestTheLastActInTheMessageItself(t *testing.T) {
	for name, c := range map[string]struct {
		all    []string
		joined bool
		want   string
		found  bool
	}{
		"none":                               {[]string{"ADAPT T01"}, false, "", false},
		"the last one":                       {[]string{"ACT T01 f", "ACT T01 g"}, true, "g", true},
		"an ADAPT that stands behind":        {[]string{"ACT T01 f", "ADAPT T01"}, true, "f", true},
		"a squash that reopens it":           {[]string{"ADAPT T01 reopens T01"}, true, "", true},
		"an ADAPT that reopens it by itself": {[]string{"ADAPT T01 reopens T01"}, false, "", false},
	} {
		q := ActSearch{Key: "T01"}
		a, found := q.InMessage(parts(c.all...), c.joined)
		got := ""
		if len(a.Items) > 0 {
			got = a.Items[0].Text
		}
		if got != c.want || found != c.found || q.isAdapted || got != "" && a.Commit != "this commit" {
			t.Errorf("%s: %q of %q, found: %v", name, got, a.Commit, found)
		}
	}
}

func TestAJudgedPartKeepsWhatThePlanRestsOn(t *testing.T) {
	verdict := func(item string, status parser.Status, v report.Verdict) report.ClaimVerdict {
		return report.ClaimVerdict{Item: item, Status: string(status), Verdict: v}
	}
	act := parser.Parse([]byte("ACT: T01 f\n\nDone: f | a.py:1\nOutcome: failure\n")).Parts[0]
	p := newJudgedPart(act, 0, &rules.Output{
		Verdicts: []report.ClaimVerdict{
			verdict("f", parser.Done, report.Verified), verdict("g", parser.Skipped, report.Skipped),
			verdict("h", parser.Pending, report.NotVerified), {Item: "go test", Status: rules.StatusRan,
				Verdict: report.Verified},
		},
		Findings: []report.Finding{{Rule: "unit_conflict", Severity: report.Error}},
	})
	var items []string
	for _, i := range p.Items {
		items = append(items, i.Text)
	}
	if !slices.Equal(items, []string{"f", "g"}) || !p.HasRefuted || !p.HasFailed || p.HasErrors || p.unit != "T01" {
		t.Errorf("%+v", p)
	}
	p = newJudgedPart(act, 0, &rules.Output{Findings: []report.Finding{
		{Rule: "evidence_unclear", Severity: report.Warning}, {Rule: "checklist_evidence_empty_impl", Severity: report.Error},
	}})
	if !p.HasErrors || p.HasRefuted || p.Items != nil {
		t.Errorf("%+v", p)
	}
}

func TestWhatAMessageDoesForAUnit(t *testing.T) {
	for message, want := range map[string]struct{ works, reopens bool }{
		"ACT: T01 f\n":                         {true, false},
		"ACT: M01/T01 f\n":                     {true, false},
		"ACT: T02 f\n":                         {false, false},
		"Work\n\nFor: T01\n":                   {true, false},
		"ADAPT: T01 split\n":                   {false, false},
		"ADAPT: T01 back\n\nReopen: T01\n":     {false, true},
		"ADAPT: M01 back\n\nReopen: M01\n":     {false, false},
		"Work on T01\n":                        {false, false},
		"ADAPT: R\n\nReopen: T01 | it fails\n": {false, true},
	} {
		m := parser.Parse([]byte(message))
		if isWorkOn(m, "T01") != want.works || hasReopenOf(m, "T01") != want.reopens {
			t.Errorf("%q works for it: %v, reopens it: %v", message, isWorkOn(m, "T01"), hasReopenOf(m, "T01"))
		}
	}
	for key, id := range map[string]string{"M01/S01/T01": "T01", "T01": "T01", "": "", "M01/": ""} {
		if got := shortID(key); got != id {
			t.Errorf("the id of %q is %q", key, got)
		}
	}
}

func TestWhoActed(t *testing.T) {
	const squash = "Squash\n\nACT: T01 f\n\nDone: f | a.py:1\nActor: ada\n\nACT: T02 g\n\nDone: g | b.py:1\nActor: bob\n\nACT: T03 h\n\nDone: h | c.py:1\n"
	m := parser.Parse([]byte(squash))
	for unit, want := range map[string]string{"T01": "ada", "M01/T02": "bob", "T03": "", "T04": "", "": "ada"} {
		if got := ActorIn(m, unit); got != want {
			t.Errorf("%q was done by %q, want %q", unit, got, want)
		}
	}
	if got := ActorIn(parser.Parse([]byte("ADAPT: T01\n\nActor: ada\n")), "T01"); got != "" {
		t.Errorf("an ADAPT names %q as who acted", got)
	}
}

func TestAClaimIsExcusedOnceAndSaysWhy(t *testing.T) {
	commit := strings.Repeat("1", 40)
	for _, c := range []struct {
		reopened string
		before   bool
		want     string
	}{
		{"", false, "emptied"}, {commit, false, "emptied; commit 111111111111 reopened the task"},
		{"", true, "emptied; it was so before the range"}, {commit, true, "emptied; commit 111111111111 reopened the task"},
	} {
		claim := Claim{Trace: evidence.Trace{Reason: "emptied"}}
		claim.excuse(c.reopened, c.before)
		if claim.Reason != c.want || claim.Excused() != (c.want != "emptied") {
			t.Errorf("reopened by %.7q, so before: %v: %q, excused: %v", c.reopened, c.before, claim.Reason, claim.Excused())
		}
	}
}

// What following costs grows with the claims and not with their square: four times as many take about four times the
// allocations.
func TestFollowingIsLinearInItems(t *testing.T) {
	for name, item := range map[string]func(i int) string{
		"different items": func(i int) string { return fmt.Sprint("Add part ", i) },
		"the same item":   func(int) string { return "Add it" },
	} {
		work := func(n int) float64 {
			c := &landedCommit{isJudged: true, message: parser.Parse([]byte("ACT: T01 x\n"))}
			for i := range n {
				c.items = append(c.items, reportedItem{ClaimVerdict: report.ClaimVerdict{
					Unit: "T01", Item: item(i), Status: string(parser.Done), Verdict: report.Unclear,
				}})
			}
			g := &Reader{commits: []*landedCommit{c}}
			return testing.AllocsPerRun(1, func() {
				if _, err := g.followAll(t.Context()); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := work(500), work(2000); many > 6*few {
			t.Errorf("%s: %.0f allocations for 500 items, %.0f for 2,000", name, few, many)
		}
	}
}
