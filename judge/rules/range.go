package rules

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// FollowedClaim is a verified claim and its state at the end of a range.
type FollowedClaim struct {
	// ClaimVerdict is the claim as it was made; Commit made it.
	report.ClaimVerdict
	// Places are all places that it cites, with their states. IsEarlier: it was made before the range.
	Places    []FollowedPlace
	IsEarlier bool
	// Place is the cited place in the worst state, Trace its state.
	Place string
	Trace evidence.Trace
	// BrokenBy is the commit that broke it, if known; Tier is the place's tier there, Waive that commit's waivers.
	BrokenBy string
	Tier     policy.Tier
	Waivers  []parser.Waiver
	// WasBrokenBefore: it broke before the range. ReopenedBy is the later commit that reopened its unit, "" without one.
	WasBrokenBefore bool
	ReopenedBy      string
}

// FollowedPlace is a cited place and its state.
type FollowedPlace struct {
	Evidence parser.Evidence
	Trace    evidence.Trace
}

// RangeInput is everything that the rules over a range may know.
type RangeInput struct {
	// Policy is the base's.
	Policy *policy.Policy
	// Followed are the claims of the range, and earlier ones whose files it changes.
	Followed []FollowedClaim
	// Before and After are the snapshots before the range and at its end. Before is nil if the range begins with a root
	// commit.
	Before, After *evidence.Tree
	// Head is the commit at the end of the range.
	Head string
	// Plan reads the plan at both ends; nil skips the rules about it.
	Plan rangePlan
	// Plans keeps the plans that were read.
	Plans *plan.Cache
	// Tests compares tests and gates; nil skips the rules about them.
	Tests rangeTests
	// Tiers gives the tiers of the range's commits.
	Tiers tierSource
	// Results are reports of tests and coverage of the end of the range; nil without any. Acts are the ACTs to compare
	// them with, the oldest first.
	Results *Results
	Acts    []RangeAct
	// Steps yields the commits of the range, parents before children.
	Steps iter.Seq2[RangeStep, error]
}

// RangeStep is one commit of a range.
type RangeStep struct {
	Commit  string
	Tree    evidence.Tree
	Parents []evidence.Tree
}

type rangePass struct {
	*rangeFacts
	rule     *Rule
	findings []report.Finding
	repeats  []report.Finding
}

type rangeFacts struct {
	*RangeInput
	undecided     []string // why some of it is not known
	checkedClaims []*checkedClaim
	weaknesses
	completed      []*plan.Violation // units completed in the range without an ACT
	planPath       string
	replacedIntent replacedIntent
}

// RangeOutput is the result of the rules over a range.
type RangeOutput struct {
	Output
	// Repeats are findings that only repeat a finding of a refused commit of the range.
	Repeats []report.Finding
}

// RunRange runs the rules over ranges. An error means undecided.
func RunRange(ctx context.Context, rules []*Rule, in *RangeInput) (*RangeOutput, error) {
	f := &rangeFacts{RangeInput: in}
	g, gathered := &rangeGathering{f, newInquiry(ctx)}, map[*gatherer[*rangeGathering]]bool{}
	if g.readResults(); g.Err != nil {
		return nil, g.Err
	}
	out := &RangeOutput{}
	for _, r := range rules {
		if r.RunRange == nil {
			continue
		}
		if err := gather(g, g.inquiry, r.rangeNeeds, gathered); err != nil {
			return nil, fmt.Errorf("%w [%s]", err, r.ID)
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

// report adds a finding about a commit, with the rule's severity in its tier, at most maximum; nothing if the rule is
// off there. The commit's waivers count at the places.
func (p *rangePass) report(
	f report.Finding, maximum report.Severity, tier policy.Tier, waivers []parser.Waiver, places ...string,
) {
	f.Rule, f.Severity = p.rule.ID, min(p.rule.severity(p.Policy, tier), maximum)
	if f.Severity == 0 {
		return
	}
	waive(p.Policy, &f, waivers, func(rule string) bool { return rule == f.Rule }, places)
	p.findings = append(p.findings, f)
}

// runCompletedInRange checks that each unit completed in the range has an ACT, and completed units below it. A merge or
// a revert may bring a completion that no commit of the range answers for.
func runCompletedInRange(p *rangePass) {
	severity := p.rule.severity(p.Policy, p.Policy.DefaultTier)
	for _, v := range p.completed {
		if v.IsUndecided || v.Rule != p.rule.ID { // the commit that accepts an item says so
			continue
		}
		f := violationFinding(v, p.planPath)
		f.Rule, f.Severity, f.Commit = v.Rule, severity, p.Head
		p.repeats = append(p.repeats, f)
	}
}

// gatherCompleted finds the units that are complete only at the end and without an ACT, and the plan's path.
func (f *rangeGathering) gatherCompleted() {
	if f.Plan == nil || f.After == nil || find(plan.RuleMoveIllegal).severity(f.Policy, f.Policy.DefaultTier) == 0 {
		return
	}
	f.planPath = answer(f.inquiry, f.Plan.PlanPath)
	after := f.planAt(f.After, f.planPath, f.Plans) // the commit of a malformed plan has the finding
	if after == nil || !slices.ContainsFunc(after.Nodes, func(n *plan.Node) bool { return n.Status == plan.Complete }) {
		return
	}
	before := answer(f.inquiry, f.Plan.PlanBefore)
	if before == nil {
		return
	}
	c := plan.Change{Before: before.Nodes[0].Unit, After: after.Nodes[0].Unit, IsSquash: true, History: f.Plan}
	found, err := plan.CheckCompleted(f.Ctx, c)
	f.completed = found
	f.Note(err)
	for _, v := range f.completed {
		if v.IsUndecided {
			f.undecided = append(f.undecided, v.Message)
		}
	}
}
