package rules

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// RangeResults are reports of the end of a range, and what they are held against besides its claims.
type RangeResults struct {
	*Results
	// Acts are the ACTs of the range, the oldest first.
	Acts []RangeAct
}

// RangeAct is an ACT of a range.
type RangeAct struct {
	Commit string
	Part   *parser.Part
	// Stands: what came after it changed no code, so that results of the end of the range are of it as well.
	Stands bool
	tier   policy.Tier
}

// strictness tells how strictly a commit is held that cites paths, and what its message waives.
type strictness interface {
	HeldAll(ctx context.Context, commit string, cited []string) (policy.Tier, []parser.Waive, error)
}

// hold finds what results say of the verified claims of a part.
func (f *facts) hold(ctx context.Context) error {
	if f.Results == nil || f.OfCommit {
		return nil
	}
	for i := range f.claims {
		c := &f.claims[i]
		if c.Status != parser.Done || c.Verdict != report.Verified {
			continue
		}
		held := heldClaim{ClaimVerdict: f.verdict(c)}
		for k, e := range c.Evidence {
			if e.Err != "" || e.Removed || k >= len(c.Results) {
				continue
			}
			first, last := c.Results[k].First, c.Results[k].Last
			if first == 0 {
				first, last = e.Start, e.End
			}
			if err := held.at(ctx, f.Results, e.Place(), e.Path, first, last); err != nil {
				return err
			}
		}
		f.tested = append(f.tested, held)
	}
	return nil
}

// hold finds what results say of the claims of the range, where their code stands at its end, and how strictly each
// commit is held that they say something against.
func (f *rangeFacts) hold(ctx context.Context) error {
	if f.Results == nil {
		return nil
	}
	for i := range f.Followed {
		c := &f.Followed[i]
		if c.Earlier || c.Reopened != "" {
			continue
		}
		held := heldClaim{ClaimVerdict: c.ClaimVerdict}
		for _, at := range c.Places {
			if at.Cited.Removed || at.Trace.State >= evidence.StateUnclear {
				continue
			}
			err := held.at(ctx, f.Results.Results, at.Cited.Place(), at.Trace.Path, at.Trace.Line, at.Trace.EndLine)
			if err != nil {
				return err
			}
			h := &held.places[len(held.places)-1]
			if failedTests(h) == nil && testsNotRun(h) == nil && notExecuted(h) == nil {
				continue
			}
			if h.tier, h.waive, err = f.Holder.HeldAll(ctx, c.Commit, []string{h.path}); err != nil {
				return err
			}
		}
		f.tested = append(f.tested, held)
	}
	return f.holdActs(ctx)
}

// holdActs finds how strictly the ACTs are held that results say something against.
func (f *rangeFacts) holdActs(ctx context.Context) (err error) {
	for i := range f.Results.Acts {
		a := &f.Results.Acts[i]
		isFalse := func(r parser.ClaimedRun) bool { return f.Results.contradicts(r) != "" }
		if !f.Results.isEmpty() && !slices.ContainsFunc(a.Part.Ran, isFalse) {
			continue
		}
		var paths []string
		for _, c := range a.Part.Claims {
			for _, e := range c.Evidence {
				paths = append(paths, e.Path)
			}
		}
		if a.tier, _, err = f.Holder.HeldAll(ctx, a.Commit, paths); err != nil {
			return err
		}
	}
	return nil
}

// wholeFile is the last line of a place without lines.
const wholeFile = 1<<31 - 2

// at adds a place; lines of 0 are the whole file.
func (c *heldClaim) at(ctx context.Context, r *Results, cited, path string, first, last int) error {
	if first == 0 {
		first, last = 1, wholeFile
	}
	h := heldPlace{cited: cited, path: path, first: first, last: last}
	err := r.place(ctx, &h)
	c.places = append(c.places, h)
	return err
}

// tell is what the report says of results.
func (r *Results) tell(held []heldClaim) *report.Results {
	out := &report.Results{Files: r.set.Files, Claims: []report.ClaimResults{}}
	for i := range held {
		if said := held[i].report(); said != nil {
			out.Claims = append(out.Claims, *said)
		}
	}
	return out
}

// eachPlace asks a question of each place of claims.
func eachPlace(
	held []heldClaim, ask func(*heldPlace) *report.Finding, report func(*heldClaim, *heldPlace, report.Finding),
) {
	for i := range held {
		for k := range held[i].places {
			if f := ask(&held[i].places[k]); f != nil {
				report(&held[i], &held[i].places[k], *f)
			}
		}
	}
}

// onPlaces asks a question of each place of the claims of a part.
func onPlaces(ask func(*heldPlace) *report.Finding) func(*pass) {
	return func(p *pass) {
		eachPlace(p.tested, ask, func(c *heldClaim, h *heldPlace, f report.Finding) {
			f.Item = c.Item
			p.report(f, h.cited, c.Evidence)
		})
	}
}

// onRangePlaces asks a question of each place of the claims of a range. A finding is as strict as the commit that made
// the claim is held.
func onRangePlaces(ask func(*heldPlace) *report.Finding) func(*rangePass) {
	return func(p *rangePass) {
		eachPlace(p.tested, ask, func(c *heldClaim, h *heldPlace, f report.Finding) {
			about := FollowedClaim{ClaimVerdict: c.ClaimVerdict, Place: h.cited, By: c.Commit, Tier: h.tier, Waive: h.waive}
			about.Trace.Path = h.path
			p.report(&about, report.Error, f)
		})
	}
}
