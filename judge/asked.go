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

// asked is the rules.Source of one part of a subject's message.
type asked struct {
	*subject
	part *parser.Part
}

// Changed, and the methods that follow it, are those of rules.Source, which says what each of them means.
func (a asked) Changed(ctx context.Context) ([]string, error) {
	paths, _, err := a.changed(ctx, false)
	return paths, err
}

func (a asked) Merged(ctx context.Context) ([]evidence.Tree, error) {
	return a.change.merged(ctx)
}

func (a asked) Tests(ctx context.Context) (*weaker.Account, error) {
	return a.answers.less.of(func() (*weaker.Account, error) {
		if a.facts != nil {
			found, err := a.facts.of(ctx, a.id)
			return found.Account, err
		}
		return a.asksLess(ctx)
	})
}

func (a asked) AddsNoStub(ctx context.Context) (bool, error) {
	if a.facts == nil {
		return false, nil
	}
	found, err := a.facts.of(ctx, a.id)
	return err == nil && !found.Stubs, ctx.Err()
}

// compareBeside lets tests and gates be compared while claims are judged, since who commits waits for both. What it
// returns ends that.
func (s *subject) compareBeside(ctx context.Context) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var comparing sync.WaitGroup
	comparing.Go(func() { _, _ = asked{subject: s}.Tests(ctx) }) // whoever asks is told the error
	return func() {
		stop()
		comparing.Wait()
	}
}

func (a asked) Reverted(ctx context.Context) ([]rules.RevertedCommit, error) {
	if a.behind == nil {
		return nil, nil
	}
	return a.behind.Reversals(ctx, a.message)
}

func (a asked) PathTier(ctx context.Context, path string) (policy.Tier, error) {
	raised, _ := policy.ParseTier(a.part.Tier.Value)
	if len(a.policy.TierRules) == 0 {
		return max(a.policy.DefaultTier, raised), nil
	}
	changed, lines, err := a.changed(ctx, a.policy.NeedsLines())
	return max(a.policy.PathTier(path, len(changed), lines), raised), err
}

func (a asked) PlanPath(ctx context.Context) (string, error) {
	return planPath(ctx, &a.tree, a.policy)
}

func (a asked) PlanBefore(ctx context.Context) (*plan.Index, error) { return a.usablePlan(ctx) }

func (a asked) PlanChanged(ctx context.Context) (*evidence.Tree, error) {
	if a.behind == nil {
		return nil, nil
	}
	return a.behind.PlanChanged(ctx)
}

// LastAct of an ACT's unit goes as far as history is there: one that a shallow clone left out is none to wait for.
func (a asked) LastAct(ctx context.Context, key string) (plan.Act, error) {
	if a.part.Kind == parser.Act {
		return a.search(ctx, &ActSearch{Key: key, Here: true})
	}
	now := &a.tree
	if now.Name == "" { // an ADAPT changes nothing but the plan
		now = a.base
	}
	return a.search(ctx, &ActSearch{Key: key, Now: now})
}

func (a asked) Cited(ctx context.Context, e parser.Evidence) (*rules.Citation, error) {
	if a.behind == nil {
		return nil, nil
	}
	return a.behind.Cited(ctx, &a.tree, a.part.Unit.Value, e)
}

func (a asked) Reaches(ctx context.Context, commit, earlier string) bool {
	return a.behind != nil && a.behind.Reaches(ctx, commit, earlier)
}

func (a asked) Runs(ctx context.Context) ([]rules.RecordedRun, error) {
	return a.runs(ctx, a.part.Session.Value)
}

// Since holds the tree that a run had against the commit's.
func (a asked) Since(ctx context.Context, run *rules.RecordedRun) (other bool, paths []string, err error) {
	if a.ranOn == nil {
		return false, nil, nil
	}
	return a.ranOn.since(ctx, run)
}

// Proofs are those that the session tells of, and notes on the commit, its parents and the end of its range.
func (a asked) Proofs(ctx context.Context) ([]report.Proof, error) {
	runs, err := a.Runs(ctx)
	if err != nil || a.ranOn == nil {
		return nil, err
	}
	own, err := a.ranOn.change.leaves(ctx)
	if err != nil {
		return nil, err
	}
	trees, tip := []string{string(own)}, cmp.Or(string(a.id), "HEAD")
	if w, ok := a.span.(within); ok {
		tip = w.head
	}
	if end, err := a.ranOn.repo.Commit(ctx, tip); err == nil { // without a commit there are no notes
		noted, err := a.history.notedOn(ctx, append(end.Parents, end.ID)...)
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
