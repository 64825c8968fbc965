package judge

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// commitSource is the rules.Source of one part of a subject's message.
type commitSource struct {
	*subject
	part *parser.Part
}

// Changed and the following methods implement rules.Source.
func (a commitSource) Changed(ctx context.Context) ([]string, error) {
	paths, _, err := a.changedPaths(ctx, false)
	return paths, err
}

func (a commitSource) Tests(ctx context.Context) (*weaker.Account, error) {
	return a.answers.tests.get(func() (*weaker.Account, error) {
		if a.facts != nil {
			result, err := a.facts.forCommit(ctx, a.id)
			return result.Account, err
		}
		return a.compareTests(ctx)
	})
}

func (a commitSource) AddsNoStub(ctx context.Context) (bool, error) {
	if a.facts == nil {
		return false, nil
	}
	found, err := a.facts.forCommit(ctx, a.id)
	return err == nil && !found.MayAddStubs, ctx.Err()
}

// compareTestsAhead compares tests and gates while claims are judged. The returned function stops it.
func (s *subject) compareTestsAhead(ctx context.Context) (stopAndWait func()) {
	ctx, stop := context.WithCancel(ctx)
	var comparing sync.WaitGroup
	comparing.Go(func() { _, _ = commitSource{subject: s}.Tests(ctx) }) // a later call returns the error
	return func() {
		stop()
		comparing.Wait()
	}
}

func (a commitSource) RevertedCommits(ctx context.Context) ([]rules.RevertedCommit, error) {
	return a.ancestors.Reversals(ctx, a.message)
}

func (a commitSource) PathTier(ctx context.Context, path string) (policy.Tier, error) {
	raised, _ := policy.ParseTier(a.part.Tier.Value)
	if len(a.policy.TierRules) == 0 {
		return max(a.policy.DefaultTier, raised), nil
	}
	changed, lines, err := a.changedPaths(ctx, a.policy.NeedsLines())
	return max(a.policy.PathTier(path, len(changed), lines), raised), err
}

func (a commitSource) PlanPath(ctx context.Context) (string, error) {
	return planPath(ctx, &a.tree, a.policy)
}

func (a commitSource) LastPlanChange(ctx context.Context) (*evidence.Tree, error) {
	return a.ancestors.LastPlanChange(ctx)
}

// LastAct of an ACT's unit ignores commits that a shallow clone left out.
func (a commitSource) LastAct(ctx context.Context, key string) (plan.Act, error) {
	if a.part.Kind == parser.Act {
		return a.findAct(ctx, &ActSearch{Key: key, LocalOnly: true})
	}
	current := &a.tree
	if current.Name == "" { // an ADAPT changes only the plan
		current = a.base
	}
	return a.findAct(ctx, &ActSearch{Key: key, Current: current})
}

func (a commitSource) EarlierCitation(ctx context.Context, e parser.Evidence) (*rules.Citation, error) {
	return a.ancestors.EarlierCitation(ctx, &a.tree, a.part.Unit.Value, e)
}

func (a commitSource) HasAncestor(ctx context.Context, commit, earlier string) bool {
	return a.ancestors.HasAncestor(ctx, commit, earlier)
}

func (a commitSource) Runs(ctx context.Context) ([]rules.RecordedRun, error) {
	return a.runs(ctx, a.part.Session.Value)
}

// Proofs are the session's, and those in notes on the commit, its parents and the end of its range.
func (a commitSource) Proofs(ctx context.Context) ([]report.Proof, error) {
	runs, errRuns := a.Runs(ctx)
	tree, errTree := a.change.resultTree(ctx)
	if err := cmp.Or(errRuns, errTree); err != nil {
		return nil, err
	}
	trees, tip := []string{string(tree)}, cmp.Or(string(a.id), "HEAD")
	if w, ok := a.span.(commitSpan); ok {
		tip = w.headRev
	}
	if end, err := a.history.repo.Commit(ctx, tip); err == nil { // without a commit there are no notes
		noted, err := a.history.notedRuns(ctx, append(end.Parents, end.ID)...)
		if err != nil {
			return nil, err
		}
		if runs = append(runs, noted...); a.id != "" {
			trees = append(trees, string(end.Tree))
		}
	}
	var proofs []report.Proof
	for _, run := range runs {
		if run.Proof != nil && slices.Contains(trees, run.Proof.Tree) {
			proofs = append(proofs, *run.Proof)
		}
	}
	return proofs, nil
}
