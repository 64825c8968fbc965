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
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// answer computes a value once. Errors are not kept. It is safe for concurrent use.
type answer[T any] struct {
	mu      sync.Mutex
	isKnown bool
	value   T
}

func (a *answer[T]) get(find func() (T, error)) (T, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.isKnown {
		return a.value, nil
	}
	value, err := find()
	if err == nil {
		a.value, a.isKnown = value, true
	}
	return value, err
}

type changedFiles struct {
	paths []string
	lines int
}

// answers are the values computed once while a commit is judged.
type answers struct {
	files      [2]answer[changedFiles] // without and with lines
	tests      answer[*weaker.Account]
	planBefore answer[*plan.Index]
	merged     answer[[]evidence.Tree]
}

// Merged are the snapshots of a merge's further parents; none for another commit. Rules ask for every path.
func (s *subject) Merged(ctx context.Context) ([]evidence.Tree, error) {
	return s.answers.merged.get(func() ([]evidence.Tree, error) {
		return snapshot.Trees(ctx, s.history.repo, s.otherParents)
	})
}

// changedPaths lists the paths that the commit changes, and counts changed lines if withLines is set. git runs at most
// twice.
func (s *subject) changedPaths(ctx context.Context, withLines bool) ([]string, int, error) {
	paths := &s.answers.files[0]
	if withLines {
		paths = &s.answers.files[1]
	}
	l, err := paths.get(func() (changedFiles, error) {
		paths, n, err := snapshot.Changes(ctx, s.history.repo, s.treeBefore(), s.treeID(), withLines)
		return changedFiles{paths, n}, err
	})
	return l.paths, l.lines, err
}

// treeID is the tree that the commit leaves, treeBefore that of its first parent, "" for none.
func (s *subject) treeID() repo.ID { return repo.ID(s.tree.Name) }

func (s *subject) treeBefore() repo.ID {
	if s.base == nil {
		return ""
	}
	return repo.ID(s.base.Name)
}

// prefetch reads ahead the version of the paths before the commit and the one after it.
func (s *subject) prefetch(ctx context.Context, paths []string) error {
	for _, tree := range []repo.ID{s.treeBefore(), s.treeID()} {
		if err := s.history.repo.Snapshot(tree).Prefetch(ctx, paths, s.policy.MaxFileBytes); err != nil {
			return err
		}
	}
	return nil
}

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
	return a.Reversals(ctx, a.message)
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

// LastAct of an ACT's unit ignores commits that a shallow clone left out.
func (a commitSource) LastAct(ctx context.Context, key string) (plan.Act, error) {
	if a.part.Kind == parser.Act {
		return a.findAct(ctx, &ActSearch{Key: key, LocalOnly: true})
	}
	return a.findAct(ctx, &ActSearch{Key: key, Current: &a.tree})
}

func (a commitSource) EarlierCitation(ctx context.Context, e parser.Evidence) (*rules.Citation, error) {
	return a.Ancestors.EarlierCitation(ctx, &a.tree, a.part.Unit.Value, e)
}

func (a commitSource) Runs(ctx context.Context) ([]rules.RecordedRun, error) {
	return a.runs(ctx, a.part.Session.Value)
}

// Proofs are the session's, and those in notes on the commit, its parents and the end of its range.
func (a commitSource) Proofs(ctx context.Context) ([]report.Proof, error) {
	runs, err := a.Runs(ctx)
	if err != nil {
		return nil, err
	}
	trees, tip := []string{a.tree.Name}, cmp.Or(string(a.id), "HEAD")
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
