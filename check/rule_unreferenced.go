package check

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/evidence"
)

func runEvidenceUnreferenced(ctx context.Context, p *Pass) error {
	for i := range p.claims {
		c := &p.claims[i]
		for k, r := range c.Results {
			for _, u := range r.Unused {
				alone, err := p.Judge.Unreferenced(ctx, c.Evidence[k].Path, u)
				if err != nil {
					return err
				}
				if alone {
					p.reportProblem(c, k, evidence.Problem{
						Path: c.Evidence[k].Path, Line: u.Line, EndLine: u.Line,
						Message: fmt.Sprintf("Nothing else in the tree names the private function %s, which evidence '%s' cites.", u.Name,
							c.Evidence[k].Place()),
						Hint: "call it from where it is needed, or cite what does the work",
					})
				}
			}
		}
	}
	return nil
}
