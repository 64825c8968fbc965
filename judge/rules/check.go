package rules

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
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
	for i := range f.claims {
		c := &f.claims[i]
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

func (p *pass) reportMilder(f report.Finding, places ...string) {
	severity := p.severity
	if p.severity = p.rule.milderSeverity(p.Policy, p.Tier); p.severity != 0 {
		p.report(f, places...)
	}
	p.severity = severity
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
