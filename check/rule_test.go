package check

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
)

func TestRulesAreValid(t *testing.T) {
	if err := Validate(Rules()); err != nil {
		t.Fatal(err)
	}
	if n := len(Rules()); n < 20 {
		t.Fatalf("only %d rules", n)
	}
}

func TestValidateRefusesABadRule(t *testing.T) {
	good := func() *Rule { r := *ruleMissing(); return &r }
	for says, spoil := range map[string]func(*Rule){
		"malformed id":         func(r *Rule) { r.ID = "Missing" },
		"not among the ids":    func(r *Rule) { r.ID = "no_such_rule" },
		"title of one line":    func(r *Rule) { r.Title = "" },
		"teaching text":        func(r *Rule) { r.Doc = "short" },
		"Run or RunRange":      func(r *Rule) { r.Run = nil },
		"its example is one":   func(r *Rule) { r.Run, r.RunRange = nil, func(context.Context, *RangePass) error { return nil } },
		"off in every tier":    func(r *Rule) { r.Severity = Severities{} },
		"needs Since, Example": func(r *Rule) { r.Example = Example{} },
	} {
		r := good()
		spoil(r)
		if err := Validate([]*Rule{r}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
	if err := Validate([]*Rule{good(), good()}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("a rule given twice: %v", err)
	}
	if err := Validate([]*Rule{nil}); err == nil {
		t.Error("a nil rule is valid")
	}
}

func TestIdsAreUniqueAndIntegrityIsNeverWaivable(t *testing.T) {
	ids := IDs()
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != len(IDs()) {
		t.Errorf("%d ids, %d of them different", len(IDs()), n)
	}
	if Waivable(UnitConflict) || Waivable("no_such_rule") || !Waivable(EvidenceUnclear) {
		t.Error("waivable is not all but integrity")
	}
}

// The severity table of docs/output.md, for the rules that run.
func TestSeveritiesAreThoseOfTheTable(t *testing.T) {
	const e, w, n, off = diag.Error, diag.Warning, diag.Note, diag.Severity(0)
	want := map[string]Severities{
		UnitConflict: {e, e, e, e}, PlanInvalid: {e, e, e, e}, IntentModified: {e, e, e, e}, UnitNotOwned: {e, e, e, e}, ActorMissing: {e, e, e, e}, ReportUnread: {e, e, w, off}, ClaimRequired: {e, e, e, off},
		Missing: {e, w, off, off}, AllSkipped: {e, w, off, off}, MostlySkipped: {w, w, off, off}, EvidenceUnclear: {e, w, off, off},
		EvidencePartialStub: {e, w, w, off}, EvidenceSyntaxError: {w, w, off, off}, EvidenceTooWide: {w, w, off, off},
		EvidenceMoved: {n, n, n, off}, EvidenceNotInDiff: {e, w, off, off}, EvidenceReused: {w, w, off, off}, EvidenceUnrelated: {w, w, off, off}, StubAdded: {w, w, off, off},
		EvidenceRegressed: {e, e, w, off}, ForUnitUnknown: {w, w, off, off}, PolicyWeakened: {e, w, w, w},
	}
	for _, id := range []string{
		ItemsMismatch, ItemPending, EvidenceRequired, EvidenceFormat, EvidenceNotFound, EvidenceOutOfRange,
		EvidenceEmptyImpl, ReasonRequired, ItemDuplicate, ReportUnreadable, EvidenceNotRemoved, RunContradicted,
	} {
		want[id] = Severities{e, e, e, off}
	}
	for _, id := range integrityIDs {
		if !slices.Contains([]string{UnitNotOwned, ActorMissing}, id) {
			want[id] = Severities{e, e, e, e}
		}
	}
	want[ObservationMissing], want[IntentUncovered] = Severities{w, w, off, off}, Severities{w, w, off, off}
	want[ScopeReduced] = Severities{e, w, off, off}
	for _, r := range Rules() {
		if s, ok := want[r.ID]; !ok || s != r.Severity {
			t.Errorf("%s is %v, the table says %v (%v)", r.ID, r.Severity, s, ok)
		}
		for tier, s := range map[policy.Tier]diag.Severity{
			policy.Strict: r.Severity.Strict, policy.Standard: r.Severity.Standard, policy.Light: r.Severity.Light, policy.Exempt: r.Severity.Exempt,
		} {
			if r.Severity.In(tier) != s {
				t.Errorf("%s in %v is not its row's", r.ID, tier)
			}
		}
	}
	if len(want) != len(Rules()) {
		t.Errorf("the table has %d rules, the tool %d", len(want), len(Rules()))
	}
}

func claim(item string, status parser.Status, cited string, source parser.Source, separated bool) Claim {
	return Claim{Claim: parser.Claim{
		Item: parser.Text{Value: item}, Status: status, Cited: parser.Text{Value: cited},
		Evidence: parser.ParseEvidence(cited, diag.Pos{}),
		Source:   source, Separated: separated,
	}}
}

func TestCollectCountsEachClaimOnce(t *testing.T) {
	registered := []Item{{Text: "Add `x`"}}
	got := Collect([]Claim{
		claim("Add x", parser.Done, "a.py:1, b.py:2", parser.FromTrailer, true),
		claim("add  `X`", parser.Done, "a.py:1,b.py:2#f", parser.FromTaskList, true),
		claim("Add x", parser.Done, "a.py:1", parser.FromTaskList, true),
		claim("call mother", parser.Pending, "", parser.FromTaskList, false),
		claim("ADD X", parser.Pending, "", parser.FromTaskList, false),
	}, registered)
	var said []string
	for _, c := range got {
		said = append(said, c.Item.Value+"/"+string(c.Status)+"/"+c.Cited.Value)
	}
	want := []string{"Add x/done/a.py:1, b.py:2", "Add x/done/a.py:1", "ADD X/pending/"}
	if !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

func TestARuleThatCannotDecideIsNamed(t *testing.T) {
	p := policy.Default()
	failing := &Rule{ID: Missing, Severity: always, Run: func(context.Context, *Pass) error { return context.Canceled }}
	_, err := Run(context.Background(), []*Rule{failing}, &Input{Judge: &evidence.Judge{}, Part: &parser.Part{}, Policy: &p, Tier: policy.Standard})
	if err == nil || !strings.Contains(err.Error(), "["+Missing+"]") {
		t.Errorf("got %v", err)
	}
}

func TestErrorsOfFormAreTold(t *testing.T) {
	for id, want := range map[string]bool{
		EvidenceRequired: true, EvidenceFormat: true, ItemDuplicate: true, ReportUnread: true, ReportUnreadable: true,
		EvidenceNotFound: false, EvidenceEmptyImpl: false, UnitConflict: false, "no_rule": false,
	} {
		if got := OfForm(id); got != want {
			t.Errorf("OfForm(%s) = %v, want %v", id, got, want)
		}
	}
}

func TestAReasonHasWords(t *testing.T) {
	for reason, want := range map[string]bool{
		"Reusing the existing SessionManager": true, "unnecessary": true, "not needed": true, "ya existe en la base": true,
		"已经由框架提供了这个功能": true, "フレームワークが提供": true, "сделано в другом месте": true, "see PROJ-12345 for it": true,
		"----------": false, "..........": false, "n/a n/a n/a": false, "1234567890": false, "xxxxxxxxxxxx": false, "TBD TBD TBD": false, "no no no no": false,
	} {
		if got := !tooShort(reason) && hasWords(reason); got != want {
			t.Errorf("%q: a reason: %v, want %v", reason, got, want)
		}
	}
}
