package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

func TestRulesAreValid(t *testing.T) {
	if err := validate(Rules()); err != nil {
		t.Fatal(err)
	}
	if n := len(Rules()); n < 20 {
		t.Fatalf("only %d rules", n)
	}
}

func TestValidateRefusesABadRule(t *testing.T) {
	good := func() *Rule { r := *find("checklist_missing"); return &r }
	for says, spoil := range map[string]func(*Rule){
		"malformed id":        func(r *Rule) { r.ID = "Missing" },
		"Run or RunRange":     func(r *Rule) { r.Run = nil },
		"off in every tier":   func(r *Rule) { r.Severity = severities{} },
		"needs Class":         func(r *Rule) { r.Class = 0 },
		"Scope that Run fits": func(r *Rule) { r.Scope = scopeRange },
		"needs Since":         func(r *Rule) { r.Since = "" },
	} {
		r := good()
		spoil(r)
		if err := validate([]*Rule{r}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
	if err := validate([]*Rule{good(), good()}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("a rule given twice: %v", err)
	}
	if err := validate([]*Rule{nil}); err == nil {
		t.Error("a nil rule is valid")
	}
}

// A rule without a page, title, teaching text or example, or whose example is of one commit where it asks of a range,
// is not documented, and a page without a rule explains nothing.
func TestEveryRuleHasItsPage(t *testing.T) {
	files, err := fs.ReadDir(pages, "pages")
	if err != nil || len(files) != len(Rules()) {
		t.Errorf("%d pages of %d rules, %v", len(files), len(Rules()), err)
	}
	for _, r := range Rules() {
		p := r.Page()
		if strings.TrimSpace(p.Title) == "" || len(p.Doc) < 80 {
			t.Errorf("%s: its page needs a title, and teaching text: %q", r.ID, p.Doc)
		}
		commits, last := 0, ""
		for _, f := range p.Example {
			if last = f.Name; last == "message" {
				commits++
			}
		}
		if commits == 0 || r.Run == nil && commits == 1 || last != "said" {
			t.Errorf("%s: its example has %d commits, and ends with %q", r.ID, commits, last)
		}
	}
}

// validate refuses a rule that is nil, without
// severity, class or scope, or whose id is malformed or given twice.
func validate(rules []*Rule) error {
	idForm := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	seen := map[string]bool{}
	var errs []error
	for i, r := range rules {
		if r == nil {
			errs = append(errs, fmt.Errorf("rule %d is nil", i))
			continue
		}
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("rule %q: %s", r.ID, fmt.Sprintf(format, args...)))
		}
		switch {
		case !idForm.MatchString(r.ID):
			bad("malformed id")
		case seen[r.ID]:
			bad("given twice")
		}
		seen[r.ID] = true
		if r.Since == "" || r.Run == nil && r.RunRange == nil {
			bad("needs Since, and Run or RunRange")
		}
		if r.Severity == (severities{}) {
			bad("is off in every tier")
		}
		if r.Class == 0 || r.Scope == 0 || (r.Scope == scopeRange) != (r.Run == nil) {
			bad("needs Class, and a Scope that Run fits")
		}
	}
	return errors.Join(errs...)
}

// The severity table, what a policy can let be waived and what rests on the plan, for all rules. An id is never reused.
func TestRulesSayWhatTheirDocumentationSays(t *testing.T) {
	const e, w, n, off = report.Error, report.Warning, report.Note, report.Severity(0)
	type row struct {
		severities
		class  Class
		onPlan bool
	}
	want := map[string]row{}
	add := func(s severities, class Class, onPlan bool, ids ...string) {
		for _, id := range ids {
			if _, again := want[id]; again {
				t.Fatalf("%s stands twice in the table", id)
			}
			want[id] = row{s, class, onPlan}
		}
	}
	add(severities{e, e, e, off}, GuardsClaims, false,
		"checklist_item_pending", "checklist_evidence_required", "checklist_evidence_format_invalid",
		"checklist_evidence_file_not_found", "checklist_evidence_line_out_of_range", "checklist_evidence_empty_impl",
		"checklist_reason_required", "checklist_item_duplicate", "report_unreadable", "evidence_not_removed",
		"run_contradicted", "claim_required", "evidence_item_unrelated")
	add(severities{e, e, e, off}, GuardsClaims, true, "checklist_items_mismatch")
	add(severities{e, e, w, off}, GuardsClaims, false, "report_unread", "evidence_regressed")
	add(severities{e, w, off, off}, GuardsClaims, false,
		"checklist_missing", "checklist_skipped", "evidence_unclear", "evidence_not_in_diff")
	add(severities{e, w, off, off}, GuardsClaims, true, "scope_reduced")
	add(severities{e, w, w, off}, GuardsClaims, false, "evidence_partial_stub")
	add(severities{e, w, w, w}, GuardsClaims, false, "policy_weakened")
	add(severities{w, w, off, off}, GuardsClaims, false,
		"evidence_syntax_error", "evidence_too_wide", "evidence_reused",
		"stub_added")
	add(severities{e, e, w, off}, GuardsClaims, false, "test_weakened", "gate_weakened")
	add(severities{e, w, w, off}, GuardsClaims, false, "code_sees_tests", "run_empty", "test_not_run", "test_failed",
		"evidence_not_executed", "claim_unproved")
	add(severities{w, w, off, off}, GuardsClaims, true, "for_unit_unknown", "outside_scope")
	add(severities{n, n, n, off}, GuardsClaims, false, "evidence_moved")
	add(severities{w, n, n, off}, GuardsClaims, false, "evidence_unreferenced")
	add(severities{w, w, off, off}, GuardsRecord, true, "observation_missing", "intent_uncovered")
	add(severities{e, w, w, w}, GuardsRecord, true, "item_accepted")
	add(severities{e, e, e, e}, GuardsRecord, false,
		"unit_conflict", "policy_invalid", "plan_invalid", "intent_modified", "unit_not_owned")
	add(severities{e, e, e, e}, GuardsRecord, true,
		"plan_unit_unknown", "plan_not_alone", "plan_move_illegal", "act_not_allowed", "threshold_invalid")
	for _, r := range Rules() {
		if got := (row{r.Severity, r.Class, r.RestsOnPlan}); got != want[r.ID] {
			t.Errorf("%s is %v, the table says %v", r.ID, got, want[r.ID])
		}
		if IsWaivable(r.ID) != (want[r.ID].class == GuardsClaims) || RestsOnPlan(r.ID) != want[r.ID].onPlan {
			t.Errorf("%s is waivable: %v; rests on the plan: %v", r.ID, IsWaivable(r.ID), RestsOnPlan(r.ID))
		}
		for i, tier := range []policy.Tier{policy.Strict, policy.Standard, policy.Light, policy.Exempt} {
			if r.Severity.In(tier) != r.Severity[i] {
				t.Errorf("%s in %v is not its row's", r.ID, tier)
			}
		}
	}
	if len(want) != len(Rules()) {
		t.Errorf("the table has %d rules, the tool %d", len(want), len(Rules()))
	}
	if IsWaivable("no_such_rule") || RestsOnPlan("no_such_rule") {
		t.Error("a rule that does not exist says something")
	}
}

func TestAPolicyMayTurnARuleIntoARefusal(t *testing.T) {
	p, err := policy.Read(
		[]byte("version: 1\nrules: {evidence_unclear: error, checklist_missing: off}\n"), IDs(), IsWaivable,
	)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{
		"evidence_unclear": true, "checklist_missing": false, "unit_conflict": true, "evidence_too_wide": false, "no_such_rule": false,
	} {
		if got := Refuses(id, &p, policy.Standard); got != want {
			t.Errorf("%s refuses: %v", id, got)
		}
	}
}

func claim(item string, status parser.Status, cited string, source parser.Source, separated bool) Claim {
	return Claim{Claim: parser.Claim{
		Item: parser.Text{Value: item}, Status: status, EvidenceText: parser.Text{Value: cited},
		Evidence: parser.ParseEvidence(cited, report.Pos{}),
		Source:   source, HasBar: separated,
	}}
}

func skipped(item, reason string) Claim {
	c := claim(item, parser.Skipped, "", parser.FromTrailer, true)
	c.Reason.Value = reason
	return c
}

func TestCollectCountsEachClaimOnce(t *testing.T) {
	registered := []plan.Item{{Text: "Add `x`"}}
	got := Collect([]Claim{
		claim("Add x", parser.Done, "a.py:1, b.py:2", parser.FromTrailer, true),
		claim("add  `X`", parser.Done, "a.py:1,b.py:2#f", parser.FromTaskList, true),
		claim("Add x", parser.Done, "a.py:1", parser.FromTaskList, true),
		claim("call mother", parser.Pending, "", parser.FromTaskList, false),
		claim("ADD X", parser.Pending, "", parser.FromTaskList, false),
		skipped("Add x", "Nobody needs it"),
		skipped("Add x", "Nobody  needs it"),
		skipped("Add x", "The framework brings one"),
	}, registered)
	var said []string
	for _, c := range got {
		said = append(said, c.Item.Value+"/"+string(c.Status)+"/"+c.EvidenceText.Value)
	}
	want := []string{
		"Add x/done/a.py:1, b.py:2", "Add x/done/a.py:1", "ADD X/pending/", "Add x/skipped/", "Add x/skipped/",
	}
	if !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

func TestABlockedActLeavesOutWhatItDoesNotReport(t *testing.T) {
	part := parser.Parse([]byte("ACT: T01 x\n\nOutcome: blocked | The key is missing\n")).Parts[0]
	all := AddUnfinished(part, []Claim{skipped("Add x", "Nobody needs it")}, []plan.Item{{Text: "Add x"}, {Text: "Add y"}})
	if len(all) != 2 || all[1].Item.Value != "Add y" || all[1].Status != parser.Pending {
		t.Errorf("got %+v", all)
	}
}

func TestARuleThatCannotDecideIsNamed(t *testing.T) {
	c := commit{message: "Begin\n", files: files{"a.py": "x = 1\n"}, fails: true}
	_, err := c.ask(t, []*Rule{find("claim_required"), find(StubAdded)})
	if err == nil || !strings.Contains(err.Error(), "["+StubAdded+"]") {
		t.Errorf("got %v", err)
	}
}

func TestAReasonHasWords(t *testing.T) {
	for reason, want := range map[string]bool{
		"Reusing the existing SessionManager": true, "unnecessary": true, "not needed": true, "ya existe en la base": true,
		"已经由框架提供了这个功能": true, "フレームワークが提供": true, "сделано в другом месте": true, "see PROJ-12345 for it": true,
		"----------": false, "..........": false, "n/a n/a n/a": false, "1234567890": false, "xxxxxxxxxxxx": false, "TBD TBD TBD": false, "no no no no": false,
	} {
		if got := !isTooShort(reason) && hasWords(reason); got != want {
			t.Errorf("%q: a reason: %v, want %v", reason, got, want)
		}
	}
}

func TestWhatReportsSayOfPartsIsJoined(t *testing.T) {
	said := func(items ...string) *Output {
		r := &report.Results{}
		for _, i := range items {
			r.Claims = append(r.Claims, report.ClaimResults{Item: i})
		}
		return &Output{Results: r}
	}
	all := &Output{}
	for _, more := range []*Output{{}, said("a"), {}, said("b", "c")} {
		all.Add(more)
	}
	items := ""
	for _, c := range all.Results.Claims {
		items += c.Item
	}
	if items != "abc" {
		t.Errorf("the items are %q", items)
	}
}
