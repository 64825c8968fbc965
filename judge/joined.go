package judge

import (
	"cmp"
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// settleParts settles the parts of a joined message as settle does with commits: a later ACT of the same unit without
// errors supersedes an ACT, and a revert in the message takes it back. Code that is still empty where it is cited is
// not settled. found are the findings of each part, oldest first. It returns the reverted parts.
func settleParts(m *parser.Message, found [][]report.Finding) map[int]bool {
	reverted := RevertedParts(m)
	var clean []string
	for i := len(m.Parts) - 1; i >= 0; i-- {
		p := &m.Parts[i]
		if slices.ContainsFunc(found[i], isEmptyImpl) {
			delete(reverted, i)
		}
		if reverted[i] {
			makeNotes(found[i], "", "reverted in this message")
			continue
		}
		for _, unit := range clean {
			makeNotes(found[i], unit, "superseded by the later ACT of "+unit+" in this message")
		}
		if p.Kind == parser.Act && p.Unit.Value != "" && len(p.Claims)+len(p.Files) > 0 &&
			!slices.ContainsFunc(found[i], isError) {
			clean = append(clean, p.Unit.Value)
		}
	}
	return reverted
}

func isEmptyImpl(f report.Finding) bool { return f.Rule == string(evidence.EmptyImpl) }

func isError(f report.Finding) bool { return f.Severity == report.Error }

// followMoved updates evidence of a joined message whose code a later commit moved to another file: by its symbol, if
// exactly one changed file defines it.
func (s *subject) followMoved(ctx context.Context, claims []rules.Claim) ([]rules.Claim, error) {
	if !s.message.IsSquash {
		return claims, nil
	}
	out := slices.Clone(claims)
	for i := range out {
		out[i].Evidence = slices.Clone(out[i].Evidence)
		for k := range out[i].Evidence {
			e := &out[i].Evidence[k]
			if e.Err != "" || e.IsRemoved || e.Symbol == "" {
				continue
			}
			if err := s.followSymbol(ctx, e); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (s *subject) followSymbol(ctx context.Context, e *parser.Evidence) error {
	at, err := s.tree.Lines(ctx, e.Path, e.Symbol)
	if err != nil || len(at) > 0 {
		return err
	}
	changed, _, errChanged := s.changedPaths(ctx, false)
	found, err := namesakes(ctx, &s.tree, e.Path, changed, e.Symbol)
	if len(found) == 1 {
		e.Path, e.Start, e.End = found[0].Path, found[0].Start, found[0].End
	}
	return cmp.Or(errChanged, err)
}
