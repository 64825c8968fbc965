package evidence

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
)

// ItemVerdict is what is known of a reported item.
type ItemVerdict struct {
	// Results are those of the places that it cites, in their order.
	Results []Result
	Verdict diag.Verdict
	// Why says why it is not verified, or what the report gives for skipping it.
	Why string
	// Contradiction: a cited place is the opposite of what the item says.
	Contradiction bool
	// Form: it is not verified for how it is written alone, which is no untruth.
	Form bool
	// Compares: the verdict rests on what the commit changes.
	Compares bool
}

// Item judges a reported item. One that is done is as well shown as the worst of the places that it cites.
func (j *Judge) Item(ctx context.Context, c parser.Claim, kind Kind) (ItemVerdict, error) {
	switch {
	case c.Status == parser.Pending:
		return ItemVerdict{Verdict: diag.NotVerified, Why: "reported as pending"}, nil
	case c.Status == parser.Skipped:
		return ItemVerdict{Verdict: diag.Skipped, Why: c.Reason.Value}, nil
	case len(c.Evidence) == 0:
		return ItemVerdict{Verdict: diag.NotVerified, Why: "no evidence is cited", Form: true}, nil
	}
	v := ItemVerdict{Verdict: diag.Verified, Form: true}
	var places []Claim
	var reasons []string
	for _, e := range c.Evidence {
		place := Claim{Evidence: e, Item: c.Item.Value, Kind: kind}
		r, err := j.Evidence(ctx, place)
		if err != nil {
			return v, err
		}
		places, v.Results = append(places, place), append(v.Results, r)
		v.Verdict = max(v.Verdict, r.Verdict)
		v.Contradiction = v.Contradiction || r.Contradiction
		v.Form = v.Form && (r.Verdict != diag.NotVerified || e.Err != "")
		if r.Reason != "" {
			reasons = append(reasons, r.Reason)
		}
	}
	v.Form = v.Form && v.Verdict == diag.NotVerified
	if why := setAside(places, v.Results); why != nil {
		v.Verdict, reasons = diag.Unclear, why
	}
	v.Why = strings.Join(reasons, "; ")
	for _, r := range v.Results {
		v.Compares = v.Compares || slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Compares })
	}
	return v, nil
}
