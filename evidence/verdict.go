package evidence

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// ItemVerdict is what is known of a reported item.
type ItemVerdict struct {
	// Results are those of the places that it cites, in their order.
	Results []Result
	Verdict report.Verdict
	// Why says why it is not verified, or what the report gives for skipping it.
	Why string
	// Contradiction: a cited place is the opposite of what the item says.
	Contradiction bool
	// Form: nothing but how it is reported keeps it from being verified: no evidence, evidence that cannot be read or
	// names what is not there, or an open item. What it says may be true.
	Form bool
	// Compares: the verdict rests on what the commit changes.
	Compares bool
}

// Item judges a reported item. One that is done is worth as much as the worst of the places that it cites.
func (j *Judge) Item(ctx context.Context, c parser.Claim, kind Kind) (ItemVerdict, error) {
	switch {
	case c.Status == parser.Pending:
		return ItemVerdict{Verdict: report.NotVerified, Why: "reported as pending", Form: true}, nil
	case c.Status == parser.Skipped:
		return ItemVerdict{Verdict: report.Skipped, Why: c.Reason.Value}, nil
	case len(c.Evidence) == 0:
		return ItemVerdict{Verdict: report.NotVerified, Why: "no evidence is cited", Form: true}, nil
	}
	v := ItemVerdict{Verdict: report.Verified, Form: true}
	var places []Claim
	for _, e := range c.Evidence {
		place := Claim{Evidence: e, Item: c.Item.Value, Kind: kind}
		r, err := j.Evidence(ctx, place)
		if err != nil {
			return v, err
		}
		places = append(places, place)
		v.add(r)
	}
	if err := j.about(ctx, c, kind, &v); err != nil {
		return v, err
	}
	v.conclude(places)
	return v, nil
}

// add takes in what is known of one more place.
func (v *ItemVerdict) add(r Result) {
	v.Results = append(v.Results, r)
	v.Verdict = max(v.Verdict, r.Verdict)
	v.Contradiction = v.Contradiction || r.Contradiction
	v.Form = v.Form && (r.Verdict != report.NotVerified || r.fails(codeFormatInvalid, codeFileNotFound, codeOutOfRange))
}

// fails reports whether one of the problems has one of the codes.
func (r *Result) fails(codes ...Code) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return slices.Contains(codes, p.Code) })
}

// conclude says what the places show together, and why.
func (v *ItemVerdict) conclude(places []Claim) {
	v.Form = v.Form && v.Verdict == report.NotVerified
	if setAside(places, v.Results) {
		v.Verdict = report.Unclear
	}
	var reasons []string
	for _, r := range v.Results {
		if r.Reason != "" {
			reasons = append(reasons, r.Reason)
		}
		v.Compares = v.Compares || slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Compares })
	}
	v.Why = strings.Join(reasons, "; ")
}
