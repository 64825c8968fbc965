// Package rules holds the rules: what Acta asks of a commit message, its claims and their verdicts.
//
// An Input goes in, an Output with findings and verdicts comes out. A rule is a row: an id that is never reused, a
// severity for each tier, the facts that it needs, and a pure function over a pass. Its Page has a title, teaching
// text and an example. Run judges the claims, gathers the facts that the rows of this commit need, once, and runs the
// rows. A rule has no context and returns no error, so it can ask nobody. Finding is not scoring: a rule knows
// nothing of points.
//
// Gatherers open no file and start no git: what they ask for, the caller's Source answers. So hook, command and CI
// run the same code over the same input type. Package rules must never import repo or judge.
package rules

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
	"golang.org/x/tools/txtar"
)

type judgedClaim struct {
	Claim
	evidence.ItemVerdict
	Kind evidence.Kind
}

// pass is one run of one rule over the facts of one Input. A rule reads facts and reports; it asks nobody.
type pass struct {
	*facts
	rule      *Rule
	severity  report.Severity
	findings  []report.Finding
	undecided []string
}

// Output is the result of the rules.
type Output struct {
	Findings []report.Finding
	Verdicts []report.ClaimVerdict
	// Anchors are the symbols that unanchored evidence can be tied to.
	Anchors []Anchor
	// Results is what test and coverage reports say about the claims; nil without reports.
	Results *report.Results
	// Tests says how the commit, or range, changes tests and gates; nil if it does not.
	Tests *report.Tests
	// CutPlaces are cited places that may belong to the unit's change, but a shallow clone cut its history.
	CutPlaces []string
	// Undecided says what is unknown because history is cut or an object is missing.
	Undecided []string
}

// Add joins the output for another part of the same message.
func (o *Output) Add(other *Output) {
	o.Findings = append(o.Findings, other.Findings...)
	o.Verdicts = append(o.Verdicts, other.Verdicts...)
	o.Anchors = append(o.Anchors, other.Anchors...)
	o.CutPlaces = append(o.CutPlaces, other.CutPlaces...)
	o.Undecided = append(o.Undecided, other.Undecided...)
	o.Tests = cmp.Or(o.Tests, other.Tests)
	if o.Results == nil || other.Results == nil {
		o.Results = cmp.Or(o.Results, other.Results)
	} else {
		o.Results.Claims = append(o.Results.Claims, other.Results.Claims...)
	}
}

// Anchor is a symbol for one cited place of the message.
type Anchor struct {
	Evidence parser.Evidence
	Symbol   string
}

// Run judges every claim, gathers the facts that the rules need, and runs the rules. An error means undecided.
func Run(ctx context.Context, rules []*Rule, in *Input) (*Output, error) {
	f := &facts{Input: in, registry: newRegistry(in.Registered), rules: rules}
	g, gathered := &gathering{f, newInquiry(ctx)}, map[*gatherer[*gathering]]bool{}
	g.judge()
	g.judgeRuns()
	g.readResults()
	if g.Err != nil {
		return nil, g.Err
	}
	var passes []*pass
	for _, r := range rules {
		s := r.severity(in.Policy, in.Tier)
		if s == 0 || !r.appliesTo(in) {
			continue
		}
		if err := gather(g, g.inquiry, r.needs, gathered); err != nil {
			return nil, fmt.Errorf("%w [%s]", err, r.ID)
		}
		passes = append(passes, &pass{facts: f, rule: r, severity: s})
	}
	for _, p := range passes {
		p.rule.Run(p)
	}
	return f.output(passes), nil
}

func (f *facts) output(passes []*pass) *Output {
	out := &Output{}
	for _, p := range passes {
		out.Findings, out.Undecided = append(out.Findings, p.findings...), append(out.Undecided, p.undecided...)
	}
	out.Findings = report.Normalize(out.Findings)
	if f.IsWholeCommit {
		out.Tests = f.weaknesses.report()
	} else if f.Results != nil {
		out.Results = f.Results.summary(f.checkedClaims)
	}
	for _, c := range f.claims {
		out.Verdicts = append(out.Verdicts, f.verdict(c))
		for k, r := range c.Results {
			if r.IsCut {
				out.CutPlaces = append(out.CutPlaces, c.Evidence[k].Place())
			}
			if r.Anchor != "" && c.File == "" && c.Evidence[k].Note == "" {
				out.Anchors = append(out.Anchors, Anchor{c.Evidence[k], r.Anchor})
			}
		}
	}
	for _, c := range f.checkedRuns {
		out.Verdicts = append(out.Verdicts, c.claimVerdict(f.Part.Unit.Value))
	}
	return out
}

// report adds a finding of the running rule, filling in rule, severity and unit, and returns it. It can be waived at
// its path and at the places that it is about. What rests on the plan compares with the parent.
func (p *pass) report(f report.Finding, places ...string) *report.Finding {
	f.Rule, f.Severity, f.IsRelative = p.rule.ID, p.severity, f.IsRelative || p.rule.RestsOnPlan
	f.Unit = cmp.Or(f.Unit, p.Part.Unit.Value)
	p.waive(&f, append(places, f.Path)...)
	p.findings = append(p.findings, f)
	return &p.findings[len(p.findings)-1]
}

func (p *pass) reportClaim(c *judgedClaim, message, hint string) *report.Finding {
	var places []string
	for _, e := range c.Evidence {
		places = append(places, e.Place(), e.Path)
	}
	return p.report(c.finding(message, hint), places...)
}

func (j *judgedClaim) finding(message, hint string) report.Finding {
	if j.Box != "" && j.UnclearReason == "" {
		message = fmt.Sprintf("%s. A ticked box claims it: %s, %s.", strings.TrimSuffix(message, "."), j.File, j.Box)
		hint = strings.Replace(hint, "report the item as skipped with a reason", "untick the box", 1)
	}
	f := findingAt(j.Item.Span, message, hint)
	f.Path, f.Item = j.File, j.Item.Value
	return f
}

func (p *pass) reportText(t parser.Text, message, hint string) {
	p.report(findingAt(t.Span, message, hint))
}

// findingAt is a finding at a place of the message.
func findingAt(at report.Span, message, hint string) report.Finding {
	return report.Finding{
		Line: at.Start.Line, Column: at.Start.Column, EndLine: at.End.Line, Message: message, Hint: hint,
	}
}

// findingIn is a finding about a file as a whole.
func findingIn(path, message, hint string) report.Finding {
	return report.Finding{Path: path, Line: 1, Column: 1, EndLine: 1, Message: message, Hint: hint}
}

// pages are what the documentation says of the rules, a file a rule.
//
//go:embed pages/*.txt
var pages embed.FS

// Page is the documentation of a rule.
type Page struct {
	// Title is the rule in one line.
	Title string
	// Doc explains, in Markdown: what is wrong, why it matters, how to fix it.
	Doc string
	// Example is a small commit that the rule reports, in sections, and the output.
	Example []txtar.File
}

// Page is that of the rule, as rules/ID.txt has it, which must be there: the title, the teaching text, and behind them
// as a txtar archive the example. Its sections are, in this order,
//
//	-- policy --        the policy before the commit
//	-- plan --          the checklist of unit T01, an item a line
//	-- leases --        «TASK by NAME» a line
//	-- runs --          «COMMAND, exit code N» a line, of what was run in the session
//	-- before PATH --   a file before the commit
//	-- commit PATH --   a file that the commit writes
//	-- report KIND --   a report of results
//	-- message --       its message; what follows is of the next commit
//	-- said --          what acta says, which a test of package judge writes
func (r *Rule) Page() Page {
	text, err := pages.ReadFile("pages/" + r.ID + ".txt")
	if err != nil {
		panic(err) // a test checks that each rule has a page
	}
	a := txtar.Parse(text)
	title, doc, _ := strings.Cut(string(a.Comment), "\n")
	return Page{Title: title, Doc: strings.TrimSpace(doc), Example: a.Files}
}

// waive turns an error into a warning if the message waives the rule at one of the places and the policy allows it.
// Otherwise the hint says why the waiver does not count.
func (p *pass) waive(f *report.Finding, places ...string) {
	waive(p.Policy, f, p.Part.Waivers, func(rule string) bool { return rule == f.Rule }, places)
}

// waiveByCause is waive for an unclear place, which may be waived by the rule that made it unclear.
func (p *pass) waiveByCause(f *report.Finding, r evidence.Result, places ...string) {
	waive(p.Policy, f, p.Part.Waivers, func(rule string) bool {
		return f.Rule == string(evidence.Uncertain) && f.Rule != rule &&
			slices.ContainsFunc(r.Problems, func(e evidence.Problem) bool { return string(e.Code) == rule })
	}, places)
}

// waive lets a waiver of a rule and a place of an error count, or says why none does.
func waive(
	p *policy.Policy, f *report.Finding, waivers []parser.Waiver, isMeant func(rule string) bool, places []string,
) {
	why := ""
	for _, w := range waivers {
		switch {
		case f.Severity != report.Error || !isMeant(w.Rule.Value):
		case !IsWaivable(w.Rule.Value):
			why = "this rule guards the integrity of the record and cannot be waived"
		case !p.CanWaive(w.Rule.Value):
			why = fmt.Sprintf("the policy does not list %s as waivable", w.Rule.Value)
		case w.Err != "":
			why = w.Err
		case !slices.Contains(places, waivedPlace(w)):
			why = cmp.Or(why, "the place is "+cmp.Or(append(places, "none, so it cannot be waived")...))
		default:
			if why = reasonProblem(w.Reason.Value); why == "" {
				f.Severity, f.Hint = report.Warning, "waived: "+w.Reason.Value
			}
		}
	}
	if f.Severity == report.Error && why != "" {
		f.Hint = JoinHints(f.Hint, "no waiver counts here: "+why)
	}
}

// JoinHints is two hints in one.
func JoinHints(a, b string) string {
	return strings.TrimPrefix(a+"; "+b, "; ")
}

// waivedPlace is the place of a waiver in the form of findings: evidence as cited, or a path.
func waivedPlace(w parser.Waiver) string {
	if at := parser.ParseEvidence(w.Place.Value, w.Place.Span.Start); len(at) == 1 {
		return at[0].Place()
	}
	return w.Place.Value
}
