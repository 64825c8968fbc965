package rules

import (
	"context"
	"iter"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// FollowedClaim is a verified claim and what has become of it at the end of a range.
type FollowedClaim struct {
	// ClaimVerdict is the claim as it was made; Commit made it.
	report.ClaimVerdict
	// Places are all that it cites, and what became of each. Earlier: it was made before the range.
	Places    []FollowedPlace
	IsEarlier bool
	// Place is the one of its cited places that fares worst, and Trace what became of that.
	Place string
	Trace evidence.Trace
	// BrokenBy is the commit that did it, as far as that is known, Tier how strictly the
	// place is held there, and Waive what its message waives.
	BrokenBy string
	Tier     policy.Tier
	Waive    []parser.Waiver
	// WasBrokenBefore: it was so before the range. Reopened is the commit that reopened its unit since, "" without one.
	WasBrokenBefore bool
	ReopenedBy      string
}

// FollowedPlace is a cited place, and what has become of it.
type FollowedPlace struct {
	Cited parser.Evidence
	Trace evidence.Trace
}

// RangeInput is everything that the rules over a range may know.
type RangeInput struct {
	// Policy is the base's.
	Policy *policy.Policy
	// Followed are the claims of the range, and earlier ones whose files it touches.
	Followed []FollowedClaim
	// Before and After are the snapshots that the range leads from and to. Before is nil where nothing stands before it.
	Before, After *evidence.Tree
	// Head is the commit at the end of the range.
	Head string
	// Plan answers what is asked of the plan at both ends; nil asks nothing of it.
	Plan rangePlan
	// Plans keeps the plans that were read.
	Plans *plan.Cache
	// Tests tells of tests and gates; nil asks nothing of them.
	Tests rangeTests
	// Tiers tells how strictly the commits of the range are held.
	Tiers tierSource
	// Results are reports of tests and coverage of the end of the range; nil without any.
	Results *RangeResults
	// Steps yields the commits of the range, parents before children.
	Steps iter.Seq2[RangeStep, error]
}

// RangeStep is one commit of a range.
type RangeStep struct {
	Commit  string
	Tree    evidence.Tree
	Parents []evidence.Tree
}

// rangePass is one run of one rule over what is known of a RangeInput.
type rangePass struct {
	*rangeFacts
	rule     *Rule
	findings []report.Finding
	repeats  []report.Finding
}

// rangeFacts are all that is known of a range: the input, what results say, and what has been gathered.
type rangeFacts struct {
	*RangeInput
	gathered      Needs
	undecided     []string // why some of it is not known
	checkedClaims []checkedClaim
	weaknesses
	completed      []*plan.Violation // units that are complete at the end alone and rest on nothing
	planPath       string
	replacedIntent replacedIntent
}

// rangeGatherers find out what rules over ranges need.
func rangeGatherers() []gatherer[*rangeFacts] {
	return []gatherer[*rangeFacts]{
		{needsWeakenings, 0, (*rangeFacts).gatherWeakenings},
		{needsChange, 0, (*rangeFacts).gatherCompleted},
		{needsIntent, 0, (*rangeFacts).gatherIntent},
	}
}

// RangeOutput is what the rules found of a range.
type RangeOutput struct {
	Findings []report.Finding
	// Repeats are findings that come to the same as what a refused commit of the range was told.
	Repeats []report.Finding
	// Tests is what became of tests and gates between its ends; nil where nothing did.
	Tests *report.Tests
	// Results is what reports of tests and coverage say of the claims; nil where there are none.
	Results *report.Results
	// Undecided is what cannot be decided, since a shallow clone left history out or an object is missing.
	Undecided []string
}

// RunRange runs the rules over ranges and leaves out those over commits. An error
// means that something could not be decided.
func RunRange(ctx context.Context, rules []*Rule, in *RangeInput) (*RangeOutput, error) {
	f := &rangeFacts{RangeInput: in}
	if err := f.readResults(ctx); err != nil {
		return nil, err
	}
	out := &RangeOutput{}
	for _, r := range rules {
		if r.RunRange == nil {
			continue
		}
		if err := gather(ctx, f, rangeGatherers, r.Needs, &f.gathered); err != nil {
			return nil, &ruleError{Rule: r.ID, Err: err}
		}
		p := &rangePass{rangeFacts: f, rule: r}
		r.RunRange(p)
		out.Findings, out.Repeats = append(out.Findings, p.findings...), append(out.Repeats, p.repeats...)
	}
	out.Findings, out.Tests, out.Undecided = report.Normalize(out.Findings), f.weaknesses.report(), f.undecided
	if f.Results != nil {
		out.Results = f.Results.summary(f.checkedClaims)
	}
	return out, nil
}

// report adds a finding of the running rule about a claim, with the severity that
// the rule has in its tier, most at the most; where the rule is off there it adds nothing.
func (p *rangePass) report(c *FollowedClaim, maximum report.Severity, f report.Finding) {
	s := p.rule.severity(p.Policy, c.Tier)
	if s == 0 {
		return
	}
	f.Rule, f.Severity, f.Commit, f.Unit, f.Item = p.rule.ID, min(s, maximum), c.BrokenBy, c.Unit, c.Item
	places := []string{c.Place, c.Trace.Path}
	for _, w := range c.Waive {
		if f.Severity == report.Error && w.Err == "" && w.Rule.Value == f.Rule && slices.Contains(places, waivedPlace(w)) {
			applyWaiver(p.Policy, &f, w)
		}
	}
	p.findings = append(p.findings, f)
}
