package history

import (
	"context"
	"path"
	"slices"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
)

// Acts are the ACTs of the range, the oldest first. It is asked after Input.
func (g *Reader) Acts(ctx context.Context) ([]check.RangeAct, error) {
	var all []check.RangeAct
	for _, d := range g.commits {
		if d.earlier || d.taken {
			continue
		}
		stands, known := false, false
		for i := range d.message.Parts {
			part := &d.message.Parts[i]
			if part.Kind != parser.Act {
				continue
			}
			if !known {
				var err error
				if stands, err = g.stands(ctx, d.id); err != nil {
					return nil, err
				}
				known = true
			}
			all = append(all, check.RangeAct{Commit: d.id, Part: part, Stands: stands})
		}
	}
	return all, nil
}

// stands reports whether nothing but the plan and prose differs between a commit and the end of the range.
func (g *Reader) stands(ctx context.Context, commit string) (bool, error) {
	c, err := g.repo.Commit(ctx, commit)
	if err != nil {
		return false, err
	}
	paths, err := g.repo.Differing(ctx, c.Tree, g.head.Tree)
	return err == nil && !slices.ContainsFunc(paths, func(p string) bool {
		return p != g.policy.Plan && (path.Ext(p) != ".md" || evidence.HasDefinitions(p))
	}), err
}
