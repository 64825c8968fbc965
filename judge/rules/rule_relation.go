package rules

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
)

// Citation is an earlier claim, of another unit, that cites the same lines.
type Citation struct {
	// Commit is the full id of the commit that made the claim.
	Commit, Unit, Item string
}

// citedAt is a place that a claim cites, both by number.
type citedAt struct{ claim, place int }

// gatherCitations looks for earlier claims of other units that cite what this commit does not change.
func (f *facts) gatherCitations(ctx context.Context) (err error) {
	f.citations = map[citedAt]*Citation{}
	for i := range f.claims {
		c := &f.claims[i]
		for k, e := range c.Evidence {
			if !c.mayReuse(k) || k >= len(c.Results) || !c.Results[k].Outside {
				continue
			}
			if f.citations[citedAt{i, k}], err = f.Source.Cited(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayReuse reports whether a claim cites lines that are there, at the place of a number.
func (j *judgedClaim) mayReuse(k int) bool {
	e := &j.Evidence[k]
	return j.Status == parser.Done && e.Err == "" && !e.Removed && e.Start > 0
}

func runReused(p *pass) {
	cited := p.citedBefore()
	for i := range p.claims {
		c := &p.claims[i]
		for k, e := range c.Evidence {
			if !c.mayReuse(k) {
				continue
			}
			place := e.Place()
			same := place
			if k < len(c.Results) && 0 < c.Results[k].First && c.Results[k].First <= c.Results[k].Last {
				trimmed := e
				trimmed.Start, trimmed.End = c.Results[k].First, c.Results[k].Last
				same = trimmed.Place()
			}
			first, known := cited[same]
			switch {
			case known && (first.Unit != "" || p.known.key(first.Item) != p.known.key(c.Item.Value)):
				p.reportReused(c, place, first)
				continue
			case !known:
				cited[same] = Citation{Item: c.Item.Value}
			}
			if earlier := p.citations[citedAt{i, k}]; earlier != nil {
				from := len(p.findings)
				p.reportReused(c, place, *earlier)
				p.comparing(from)
			}
		}
	}
}

// citedBefore are the places that earlier parts of a joined message cite for other units.
func (p *pass) citedBefore() map[string]Citation {
	cited := map[string]Citation{}
	for i := range p.Message.Parts {
		part := &p.Message.Parts[i]
		if part == p.Part {
			break
		}
		if part.Kind != parser.Act || parser.SameUnit(part.Unit.Value, p.Part.Unit.Value) {
			continue
		}
		for _, c := range part.Claims {
			for _, e := range c.Evidence {
				if _, known := cited[e.Place()]; !known && c.Status == parser.Done {
					cited[e.Place()] = Citation{Unit: part.Unit.Value, Item: c.Item.Value}
				}
			}
		}
	}
	return cited
}

func (p *pass) reportReused(c *judgedClaim, place string, first Citation) {
	by := fmt.Sprintf("for '%s'", first.Item)
	if first.Unit != "" {
		by += " of " + first.Unit
	}
	if first.Commit != "" {
		by += fmt.Sprintf(", in commit %.12s", first.Commit)
	}
	p.reportClaim(c, fmt.Sprintf("Evidence '%s' is already cited %s.", place, by),
		"cite the lines that implement this item")
}

// unreferenced is a private function that a claim cites and that nothing else in the tree names.
type unreferenced struct {
	citedAt
	evidence.UnusedFunction
}

// gatherReferences looks for names of the private functions that are cited.
func (f *facts) gatherReferences(ctx context.Context) error {
	for i := range f.claims {
		c := &f.claims[i]
		for k, r := range c.Results {
			for _, u := range r.Unused {
				alone, err := f.Judge.Unreferenced(ctx, c.Evidence[k].Path, u)
				if err != nil {
					return err
				}
				if alone {
					f.unreferenced = append(f.unreferenced, unreferenced{citedAt{i, k}, u})
				}
			}
		}
	}
	return nil
}

func runEvidenceUnreferenced(p *pass) {
	for _, u := range p.unreferenced {
		c := &p.claims[u.claim]
		cited := &c.Evidence[u.place]
		p.reportProblem(c, u.place, evidence.Problem{
			Path: cited.Path, Line: u.Line, EndLine: u.Line,
			Message: fmt.Sprintf("Nothing else in the tree names the private function %s, which evidence '%s' cites.", u.Name,
				cited.Place()),
			Hint: "call it where it is needed, or cite the code that does the work",
		})
	}
}
