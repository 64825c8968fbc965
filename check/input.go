package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
)

// Input is everything that the rules may know of one part of one commit, or of
// the commit itself.
type Input struct {
	// OfCommit asks the rules about the commit instead of those about a part of its message. Part then holds what the
	// message says of the commit as a whole, and is empty where there is no message yet.
	OfCommit bool
	// Advised: rules about the commit that only warn are not asked.
	Advised bool
	Message *parser.Message
	Part    *parser.Part
	// Claims is the whole report, all forms together; see Collect.
	Claims []Claim
	// FileErrors are the report files that could not be read.
	FileErrors []FileError
	// Registered is the unit's checklist in the plan before the commit, empty where there is none.
	Registered []Item
	// Judge judges evidence against the commit's snapshot.
	Judge *evidence.Judge
	// Plans keeps the plans that were read.
	Plans *plan.Cache
	// Policy is the base's; Tier is the commit's.
	Policy *policy.Policy
	Tier   policy.Tier
	// Names are whose commit it is: Actor, and the names and addresses of author and co-authors.
	Names []string
	// Merge reports more than one parent.
	Merge bool

	Change
	History
	// Leases and Session are state of one repository, which only those who judge a commit as it is made there ask; else nil.
	Leases  Leases
	Session Session
}

// picked reports a cherry-pick, which answers to rules about evidence only.
func (in *Input) picked() bool { return len(in.Message.CherryPicked) > 0 }

// Reversal is a commit that is reverted. Before is nil for a root commit.
type Reversal struct {
	Before *evidence.Tree
	After  evidence.Tree
}

// Item is a registered checklist item.
type Item struct {
	Text     string
	Kind     evidence.Kind
	Optional bool
}

// Claim is one claim and the report file it stands in, "" for the message.
type Claim struct {
	parser.Claim
	File string
}

// FileError is a report file that could not be read. Line is 0 where the file as a whole is meant.
type FileError struct {
	// At is the Report: value that names it.
	At           parser.Text
	Path         string
	Line, Column int
	Message      string
}

// ItemKey is what items are compared by over many commits: white space folded, without case and backticks.
func ItemKey(item string) string { return plan.ItemKey(item) }

// registry finds the registered item that a claim means.
type registry struct {
	items []Item
	names plan.ItemNames
}

func newRegistry(items []Item) registry {
	var named []plan.Item
	for _, i := range items {
		named = append(named, plan.Item{Text: i.Text})
	}
	return registry{items, plan.NameItems(named)}
}

// find is the registered item that is called so; nil for none.
func (r registry) find(item string) *Item {
	if n := r.names.Find(item); n >= 0 {
		return &r.items[n]
	}
	return nil
}

// key is what the items of one report are told apart by.
func (r registry) key(item string) string {
	if i := r.find(item); i != nil {
		item = i.Text
	}
	return plan.ItemText(item)
}

// Collect returns the claims that count: all that are given, but task-list
// lines without « | » only where they name a registered item; the same item
// twice with the same content counts once.
func Collect(claims []Claim, registered []Item) []Claim {
	known := newRegistry(registered)
	var out []Claim
	seen := map[string]bool{}
	for _, c := range claims {
		item, key := known.find(c.Item.Value), ItemKey(c.Item.Value)
		if item != nil {
			key = plan.ItemText(item.Text)
		}
		said := content(c, key)
		if seen[said] || c.Source == parser.FromTaskList && !c.Separated && item == nil {
			continue
		}
		seen[said] = true
		out = append(out, c)
	}
	return out
}

// content is what two claims of one item are compared by. Anchors do not count:
// the hook appends them, and not to every repetition.
func content(c Claim, key string) string {
	said := []string{key, string(c.Status)}
	if c.Status != parser.Done {
		said = append(said, strings.Join(strings.Fields(c.Reason.Value), " "))
	}
	for _, e := range c.Evidence {
		if e.Err != "" {
			said = append(said, e.Text.Value)
			continue
		}
		said = append(said, fmt.Sprintf("%v:%s:%d-%d", e.Removed, e.Path, e.Start, e.End))
	}
	return strings.Join(said, "\x00")
}

// judgedClaim is a claim with what is known of it.
type judgedClaim struct {
	Claim
	Kind    evidence.Kind
	Results []evidence.Result // one a cited place
	Judged  diag.ClaimVerdict
}

// Pass is one run of the rules over one Input.
type Pass struct {
	*Input
	known    registry
	claims   []judgedClaim
	rules    []*Rule // those that run
	rule     *Rule
	severity diag.Severity
	findings []diag.Finding
	compares []diag.Finding
	compared map[int]bool
	ran      []ranClaim  // the runs that are claimed and about which something is known
	recorded bool        // there are runs to compare with
	held     []ownedUnit // nil until a rule asks for it
	change   *planChange // once it is asked for
	acts     []*plan.Violation
	actsDone bool
	cutActs  []string
}

// Output is what the rules found.
type Output struct {
	Findings []diag.Finding
	Verdicts []diag.ClaimVerdict
	// Kinds are the kinds of the items that Verdicts are about.
	Kinds []evidence.Kind
	// Compares are those of Findings that compare the commit with its parent, and
	// Compared the verdicts, by index, that rest on such a comparison.
	Compares []diag.Finding
	Compared map[int]bool
	// Anchors are the symbols that unanchored evidence can be tied to.
	Anchors []Anchor
	// Cut are the cited places that may belong to the unit's change as far as history that a shallow clone left out goes.
	Cut []string
	// CutActs are the findings that the same keeps from being decided.
	CutActs []string
}

// Anchor is a symbol for one cited place of the message.
type Anchor struct {
	Evidence parser.Evidence
	Symbol   string
}

// Run judges every claim and runs every rule over commits. An error means that something could not be decided.
func Run(ctx context.Context, rules []*Rule, in *Input) (*Output, error) {
	p := &Pass{Input: in, known: newRegistry(in.Registered), rules: rules}
	if err := p.judge(ctx); err != nil {
		return nil, err
	}
	if err := p.judgeRuns(ctx); err != nil {
		return nil, err
	}
	for _, r := range rules {
		s := r.severity(in.Policy, in.Tier)
		if s == 0 || !r.asks(in) {
			continue
		}
		p.rule, p.severity = r, s
		if err := r.Run(ctx, p); err != nil {
			return nil, &RuleError{Rule: r.ID, Err: err}
		}
	}
	return p.output(), nil
}

// RuleError is a rule that could not decide.
type RuleError struct {
	Rule string
	Err  error
}

func (e *RuleError) Error() string { return e.Err.Error() + " [" + e.Rule + "]" }
func (e *RuleError) Unwrap() error { return e.Err }

func (p *Pass) output() *Output {
	out := &Output{Findings: diag.Normalize(p.findings), Compares: p.compares, Compared: p.compared, CutActs: p.cutActs}
	for _, c := range p.claims {
		out.Verdicts = append(out.Verdicts, c.Judged)
		out.Kinds = append(out.Kinds, c.Kind)
		for i, r := range c.Results {
			if r.Cut {
				out.Cut = append(out.Cut, c.Evidence[i].Place())
			}
			if r.Anchor != "" && c.File == "" && c.Evidence[i].Note == "" {
				out.Anchors = append(out.Anchors, Anchor{c.Evidence[i], r.Anchor})
			}
		}
	}
	for _, c := range p.ran {
		out.Verdicts = append(out.Verdicts, c.judged(p.Part.Unit.Value))
		out.Kinds = append(out.Kinds, evidence.KindCode)
	}
	return out
}

// report adds a finding of the running rule, filling in rule, severity and unit. It
// can be waived at its path and at the places that it is about.
func (p *Pass) report(f diag.Finding, places ...string) {
	f.Rule, f.Severity = p.rule.ID, p.severity
	if f.Unit == "" {
		f.Unit = p.Part.Unit.Value
	}
	p.waive(&f, append(places, f.Path)...)
	p.findings = append(p.findings, f)
}

// comparing marks what was reported since as comparing the commit with its parent.
func (p *Pass) comparing(from int) {
	p.compares = append(p.compares, p.findings[from:]...)
}

// reportClaim adds a finding about a claim, placed where the claim stands.
func (p *Pass) reportClaim(c *judgedClaim, message, hint string) {
	var places []string
	for _, e := range c.Evidence {
		places = append(places, e.Place(), e.Path)
	}
	p.report(c.finding(message, hint), places...)
}

// finding is a finding placed where the claim stands.
func (j *judgedClaim) finding(message, hint string) diag.Finding {
	start, end := j.Item.Span.Start, j.Item.Span.End
	return diag.Finding{
		Path: j.File, Line: start.Line, Column: start.Column, EndLine: end.Line,
		Item: j.Item.Value, Message: message, Hint: hint,
	}
}

// reportText adds a finding placed at a value of the message.
func (p *Pass) reportText(t parser.Text, message, hint string) {
	p.report(diag.Finding{
		Line: t.Span.Start.Line, Column: t.Span.Start.Column, EndLine: t.Span.End.Line,
		Message: message, Hint: hint,
	})
}
