package evidence

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// ItemVerdict is the verdict on a reported item.
type ItemVerdict struct {
	// Results are those of the cited places, in order.
	Results []Result
	Verdict report.Verdict
	// Why says why it is not verified, or is the reported reason for skipping it.
	Why string
	// Contradiction: a cited place contradicts the item.
	Contradiction bool
	// IsFormal: only the report is at fault: no evidence, malformed evidence or evidence of a missing place, or an open
	// item. The claim may be true.
	IsFormal bool
	// IsRelative: the verdict depends on the commit's change.
	IsRelative bool
}

// Item judges a reported item. The worst of its cited places decides.
func (j *Judge) Item(ctx context.Context, c parser.Claim, kind Kind) (ItemVerdict, error) {
	switch {
	case c.Status == parser.Pending:
		return ItemVerdict{Verdict: report.NotVerified, Why: "reported as pending", IsFormal: true}, nil
	case c.Status == parser.Skipped:
		return ItemVerdict{Verdict: report.Skipped, Why: c.Reason.Value}, nil
	case len(c.Evidence) == 0:
		return ItemVerdict{Verdict: report.NotVerified, Why: "no evidence is cited", IsFormal: true}, nil
	}
	v, k := ItemVerdict{Verdict: report.Verified, IsFormal: true}, j.call(ctx)
	var places []Claim
	for _, e := range c.Evidence {
		place := Claim{Evidence: e, Item: c.Item.Value, Kind: kind}
		places = append(places, place)
		v.add(k.judgeEvidence(place))
		if k.Err != nil {
			return v, k.Err
		}
	}
	k.judgeNames(c, kind, &v)
	v.finish(places)
	return v, k.Err
}

func (v *ItemVerdict) add(r Result) {
	v.Results = append(v.Results, r)
	v.Verdict = max(v.Verdict, r.Verdict)
	v.Contradiction = v.Contradiction || r.Contradiction
	v.IsFormal = v.IsFormal && (r.Verdict != report.NotVerified ||
		r.fails(codeFormatInvalid, codeFileNotFound, codeOutOfRange))
}

func (r *Result) fails(codes ...Code) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return slices.Contains(codes, p.Code) })
}

func (v *ItemVerdict) finish(places []Claim) {
	v.IsFormal = v.IsFormal && v.Verdict == report.NotVerified
	if applyAsides(places, v.Results) {
		v.Verdict = report.Unclear
	}
	var reasons []string
	for _, r := range v.Results {
		if r.Reason != "" {
			reasons = append(reasons, r.Reason)
		}
		v.IsRelative = v.IsRelative || slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.IsRelative })
	}
	v.Why = strings.Join(reasons, "; ")
}
