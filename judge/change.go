package judge

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// change is the change of a commit: landed, staged, or staged as an amend.
type change interface {
	// changedPaths lists the paths that differ from the parent's tree; with withLines it also counts changed lines.
	changedPaths(ctx context.Context, withLines bool) (paths []string, n int, err error)
	// mergedTrees are the snapshots of a merge's further parents; none for another commit.
	mergedTrees(ctx context.Context) ([]evidence.Tree, error)
	// prefetch reads both versions of the paths ahead.
	prefetch(ctx context.Context, paths []string) error
	// resultTree is the tree that the commit leaves.
	resultTree(ctx context.Context) (repo.ID, error)
}

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
	return s.answers.merged.get(func() ([]evidence.Tree, error) { return s.change.mergedTrees(ctx) })
}

// changedPaths lists the paths that the commit changes, and counts changed lines if withLines is set. git runs at most
// twice.
func (s *subject) changedPaths(ctx context.Context, withLines bool) ([]string, int, error) {
	paths := &s.answers.files[0]
	if withLines {
		paths = &s.answers.files[1]
	}
	l, err := paths.get(func() (changedFiles, error) {
		paths, n, err := s.change.changedPaths(ctx, withLines)
		return changedFiles{paths, n}, err
	})
	return l.paths, l.lines, err
}

// landedChange is a commit that is there. before is the tree of its first parent, "" for none.
type landedChange struct {
	repo         *repo.Repo
	otherParents []repo.ID // the parents of a merge behind the first
	before, tree repo.ID
	maxBytes     int64
}

func (c *landedChange) changedPaths(ctx context.Context, withLines bool) ([]string, int, error) {
	return snapshot.Changes(ctx, c.repo, c.before, c.tree, withLines)
}

func (c *landedChange) mergedTrees(ctx context.Context) ([]evidence.Tree, error) {
	return snapshot.Trees(ctx, c.repo, c.otherParents)
}

func (c *landedChange) prefetch(ctx context.Context, paths []string) error {
	for _, tree := range []repo.ID{c.before, c.tree} {
		if err := c.repo.Snapshot(tree).Prefetch(ctx, paths, c.maxBytes); err != nil {
			return err
		}
	}
	return nil
}

func (c *landedChange) resultTree(context.Context) (repo.ID, error) { return c.tree, nil }

// amendedChange compares the index with the grandparent, in case the commit amends the parent.
type amendedChange struct {
	*stagedTree
	grandparent, parent *repo.Commit
	subject             *subject // compares the index with the parent
}

func (c *amendedChange) changedPaths(ctx context.Context, withLines bool) ([]string, int, error) {
	// The index has no tree id. It can differ from the grandparent only where HEAD does, or where it differs from HEAD.
	paths, n, err := c.subject.changedPaths(ctx, withLines)
	replaced, m, errReplaced := snapshot.Changes(ctx, c.repo, c.grandparent.Tree, c.parent.Tree, withLines)
	paths = append(slices.Clone(paths), replaced...)
	slices.Sort(paths)
	return slices.Compact(paths), n + m, cmp.Or(err, errReplaced)
}

// mergedTrees are the parent's: a commit that amends a merge is a merge.
func (c *amendedChange) mergedTrees(ctx context.Context) ([]evidence.Tree, error) {
	merged, err := snapshot.Trees(ctx, c.repo, c.parent.Parents[1:])
	return merged, ignoreAbsent(err) // cut by a shallow clone
}
