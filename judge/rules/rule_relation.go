package rules

import (
	"fmt"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// Citation is an earlier claim, of another unit, that cites the same lines.
type Citation struct {
	// Commit is the full id of the commit that made the claim.
	Commit, Unit, Item string
}

// citedPlace is a place that a claim cites, by number.
type citedPlace struct {
	*judgedClaim
	place int
}

// gatherCitations finds earlier claims of other units that cite the same unchanged lines.
func (f *gathering) gatherCitations() {
	f.citations = map[citedPlace]*Citation{}
	for _, c := range f.claims {
		for k, e := range c.Evidence {
			if c.citesLines(k) && k < len(c.Results) && c.Results[k].IsOutside {
				found, err := f.Source.EarlierCitation(f.Ctx, e)
				f.citations[citedPlace{c, k}] = found
				f.Note(err)
			}
		}
	}
}

// citesLines reports whether a claim cites lines that are there, at the place of a number.
func (j *judgedClaim) citesLines(k int) bool {
	e := &j.Evidence[k]
	return j.Status == parser.Done && e.Err == "" && !e.IsRemoved && e.Start > 0
}

func runReused(p *pass) {
	cited := p.earlierCitations()
	for _, c := range p.claims {
		for k, e := range c.Evidence {
			if !c.citesLines(k) {
				continue
			}
			place := e.Place()
			trimmedPlace := place
			if k < len(c.Results) && 0 < c.Results[k].First && c.Results[k].First <= c.Results[k].Last {
				trimmed := e
				trimmed.Start, trimmed.End = c.Results[k].First, c.Results[k].Last
				trimmedPlace = trimmed.Place()
			}
			first, isCited := cited[trimmedPlace]
			switch {
			case isCited && (first.Unit != "" || p.registry.key(first.Item) != p.registry.key(c.Item.Value)):
				p.reportReused(c, place, first)
				continue
			case !isCited:
				cited[trimmedPlace] = Citation{Item: c.Item.Value}
			}
			if earlier := p.citations[citedPlace{c, k}]; earlier != nil {
				p.reportReused(c, place, *earlier).IsRelative = true
			}
		}
	}
}

// earlierCitations are the places that earlier parts of a joined message cite for other units.
func (p *pass) earlierCitations() map[string]Citation {
	cited := map[string]Citation{}
	for _, part := range p.Message.Parts {
		if part == p.Part {
			break
		}
		if part.Kind != parser.Act || parser.SameUnit(part.Unit.Value, p.Part.Unit.Value) {
			continue
		}
		for _, c := range part.Claims {
			for _, e := range c.Evidence {
				if _, ok := cited[e.Place()]; !ok && c.Status == parser.Done {
					cited[e.Place()] = Citation{Unit: part.Unit.Value, Item: c.Item.Value}
				}
			}
		}
	}
	return cited
}

func (p *pass) reportReused(c *judgedClaim, place string, first Citation) *report.Finding {
	by := fmt.Sprintf("for '%s'", first.Item)
	if first.Unit != "" {
		by += " of " + first.Unit
	}
	if first.Commit != "" {
		by += fmt.Sprintf(", in commit %.12s", first.Commit)
	}
	return p.reportClaim(c, fmt.Sprintf("Evidence '%s' is already cited %s.", place, by),
		"cite the lines that implement this item")
}

// unreferencedFunction is a cited private function that nothing else in the tree names.
type unreferencedFunction struct {
	citedPlace
	evidence.UnusedFunction
}

func (f *gathering) gatherReferences() {
	for _, c := range f.claims {
		for k, r := range c.Results {
			for _, u := range r.Unused {
				isUnreferenced, err := f.Judge.Unreferenced(f.Ctx, c.Evidence[k].Path, u)
				f.Note(err)
				if isUnreferenced {
					f.unreferencedFunctions = append(f.unreferencedFunctions, unreferencedFunction{citedPlace{c, k}, u})
				}
			}
		}
	}
}

func runEvidenceUnreferenced(p *pass) {
	for _, u := range p.unreferencedFunctions {
		cited := &u.Evidence[u.place]
		p.reportProblem(u.judgedClaim, u.place, evidence.Problem{
			Path: cited.Path, Line: u.Line, EndLine: u.Line,
			Message: fmt.Sprintf("Nothing else in the tree names the private function %s, which evidence '%s' cites.", u.Name,
				cited.Place()),
			Hint: "call it where it is needed, or cite the code that does the work",
		})
	}
}
