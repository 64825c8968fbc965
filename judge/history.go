package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// Deed is an ACT or ADAPT that has landed: a commit, or one title of a squash.
type Deed struct {
	Commit repo.Commit
	Part   *parser.Part
	// Verdicts are those of its claims, in order. Where it could not be judged they are unclear, and say why.
	Verdicts []diag.ClaimVerdict
	// Failed: the attempt says itself that it failed, or one of its claims is not verified.
	Failed bool
	// Files are the paths that the commit changes, compared with its first parent.
	Files []string
	// Moved are the statuses that an ADAPT moved in the plan.
	Moved []plan.Move
}

// History is what has been done, the oldest first.
type History struct {
	Deeds []Deed
	// Tier is the default of the policy.
	Tier policy.Tier
	// Warnings say what was left out.
	Warnings []string
}

// Deeds lists the last ACTs that head reaches (500 of them) and the ADAPTs between
// them, with their verdicts, under the policy that stands there. A branch that is
// not born has none.
func Deeds(ctx context.Context, r *repo.Repo, head, release string) (*History, error) {
	g := &gatherer{repo: r, cache: newCache()}
	if err := g.listing(ctx, head, release); err != nil {
		if isUnborn(err) {
			return &History{Tier: policy.Default().DefaultTier}, nil
		}
		return nil, err
	}
	h := &History{Tier: g.policy.DefaultTier, Warnings: g.warnings}
	for _, d := range g.deeds {
		if err := g.tell(ctx, h, d); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// DeedsOf is Deeds of one commit alone; none where it claims nothing. Where runs is not nil, the runs that an ACT
// claims are held to those of its session as well: each of which the record says something is one more verdict.
func DeedsOf(ctx context.Context, r *repo.Repo, commit, release string, runs Runs) (*History, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	tree := snapshot(r, c.Tree)
	g := &gatherer{repo: r, cache: newCache(), runs: runs}
	if g.policy, err = readPolicy(ctx, &tree, release); err != nil {
		return nil, err
	}
	h := &History{Tier: g.policy.DefaultTier}
	d, err := g.deed(ctx, c.ID, false)
	if err == nil && d != nil {
		err = g.tell(ctx, h, d)
	}
	for _, u := range g.undecided {
		h.Warnings = append(h.Warnings, u.Error())
	}
	return h, err
}

// tell adds what a commit did.
func (g *gatherer) tell(ctx context.Context, h *History, d *deed) error {
	c, err := g.repo.Commit(ctx, d.id)
	if err != nil {
		return err
	}
	var files []string
	sub, errJudge := landedSubject(ctx, g.repo, c.ID, g.policy, g.cache)
	if errJudge == nil {
		if g.runs != nil {
			sub.runs = sub.readingRuns(g.runs)
		}
		if files, err = g.filesOf(ctx, c); err != nil {
			return err
		}
	}
	moved, err := g.adapted(ctx, c, d.message.Parts)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		h.Warnings = append(h.Warnings, err.Error())
	}
	for i := range d.message.Parts {
		part := &d.message.Parts[i]
		if part.Kind != parser.Act && part.Kind != parser.Adapt {
			continue
		}
		deed := Deed{Commit: c, Part: part, Failed: check.Failed(part), Files: files, Moved: moved[i]}
		why := errJudge
		if why == nil {
			deed.Verdicts, why = sub.partVerdicts(ctx, part)
		}
		if why != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			deed.Verdicts = unjudged(part, why)
			h.Warnings = append(h.Warnings, fmt.Sprintf("commit %.12s could not be judged: %v", d.id, why))
		}
		for _, v := range deed.Verdicts {
			deed.Failed = deed.Failed || v.Verdict == diag.NotVerified
		}
		h.Deeds = append(h.Deeds, deed)
	}
	if errJudge == nil {
		h.Warnings = append(h.Warnings, sub.unread...)
	}
	return nil
}

// filesOf are the paths that a commit changes.
func (g *gatherer) filesOf(ctx context.Context, c repo.Commit) ([]string, error) {
	before := repo.EmptyTree
	if len(c.Parents) > 0 {
		parent, err := g.repo.Commit(ctx, string(c.Parents[0]))
		if errors.Is(err, repo.ErrShallow) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		before = parent.Tree
	}
	return g.repo.Differing(ctx, before, c.Tree)
}

// partVerdicts judges the claims of one part and asks no rules.
func (s *subject) partVerdicts(ctx context.Context, part *parser.Part) ([]diag.ClaimVerdict, error) {
	if part.Kind != parser.Act {
		return nil, nil
	}
	in, err := s.input(ctx, part)
	if err != nil {
		return nil, err
	}
	out, err := check.Run(ctx, nil, in)
	if err != nil {
		return nil, err
	}
	return out.Verdicts, nil
}

// unjudged are the claims of a part that could not be judged.
func unjudged(part *parser.Part, why error) []diag.ClaimVerdict {
	var all []diag.ClaimVerdict
	for _, c := range part.Claims {
		all = append(all, diag.ClaimVerdict{
			Unit: part.Unit.Value, Item: c.Item.Value, Status: string(c.Status), Evidence: c.Cited.Value, Verdict: diag.Unclear, Reason: why.Error(),
		})
	}
	return all
}
