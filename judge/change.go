package judge

import (
	"context"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

// change is what a commit changes: one that has landed, the one that is staged, or that as an amend.
type change interface {
	// changed lists the paths that differ from the tree before, and counts changed lines where asked to.
	changed(ctx context.Context, lines bool) (paths []string, n int, err error)
	// merged are the snapshots of a merge's further parents; none of another commit.
	merged(ctx context.Context) ([]evidence.Tree, error)
	// prefetch reads ahead what will be asked of the paths, before and after.
	prefetch(ctx context.Context, paths []string) error
	// leaves is the tree that the commit leaves.
	leaves(ctx context.Context) (repo.ID, error)
}

// answer is what was found out when it was first asked for. An error is not kept. It is safe for concurrent use.
type answer[T any] struct {
	mu    sync.Mutex
	known bool
	value T
}

func (a *answer[T]) of(find func() (T, error)) (T, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known {
		return a.value, nil
	}
	value, err := find()
	if err == nil {
		a.value, a.known = value, true
	}
	return value, err
}

// listing is what a commit changes: the paths, and how many lines.
type listing struct {
	paths []string
	lines int
}

// answers are what has been found out for one judging of a commit.
type answers struct {
	listed     [2]answer[listing] // without and with lines
	less       answer[*weaker.Account]
	planBefore answer[*plan.Index]
}

// changed asks what the commit changes, so that git is asked at most twice however many parts a message has.
func (s *subject) changed(ctx context.Context, lines bool) ([]string, int, error) {
	known := &s.answers.listed[0]
	if lines {
		known = &s.answers.listed[1]
	}
	l, err := known.of(func() (listing, error) {
		paths, n, err := s.change.changed(ctx, lines)
		return listing{paths, n}, err
	})
	return l.paths, l.lines, err
}

// landedChange is a commit that is there. before is the tree of its first parent, "" for none.
type landedChange struct {
	repo         *repo.Repo
	further      []repo.ID // the parents of a merge behind the first
	before, tree repo.ID
	maxBytes     int64
}

func (c *landedChange) changed(ctx context.Context, lines bool) ([]string, int, error) {
	return snapshot.Changes(ctx, c.repo, c.before, c.tree, lines)
}

func (c *landedChange) merged(ctx context.Context) ([]evidence.Tree, error) {
	return snapshot.Trees(ctx, c.repo, c.further)
}

func (c *landedChange) prefetch(ctx context.Context, paths []string) error {
	for _, tree := range []repo.ID{c.before, c.tree} {
		if err := c.repo.Snapshot(tree).Prefetch(ctx, paths, c.maxBytes); err != nil {
			return err
		}
	}
	return nil
}

func (c *landedChange) leaves(context.Context) (repo.ID, error) { return c.tree, nil }

// amendedChange is what is staged, held against the parent of the commit that it may replace.
type amendedChange struct {
	*stagedTree
	grand, parent *repo.Commit
	sub           *subject // what is staged, held against the parent
	mergedOnce    answer[[]evidence.Tree]
}

func (c *amendedChange) changed(ctx context.Context, lines bool) ([]string, int, error) {
	// What the index would commit has no name: it differs where HEAD does, or it does from HEAD.
	paths, n, err := c.sub.changed(ctx, lines)
	if err != nil {
		return nil, 0, err
	}
	replaced, m, err := snapshot.Changes(ctx, c.repo, c.grand.Tree, c.parent.Tree, lines)
	paths = append(slices.Clone(paths), replaced...)
	slices.Sort(paths)
	return slices.Compact(paths), n + m, err
}

// merged are what the parent merged, for who amends it makes a merge, too.
func (c *amendedChange) merged(ctx context.Context) ([]evidence.Tree, error) {
	return c.mergedOnce.of(func() ([]evidence.Tree, error) {
		merged, err := snapshot.Trees(ctx, c.repo, c.parent.Parents[1:])
		if repo.IsAbsent(err) {
			return nil, nil // cut by a shallow clone
		}
		return merged, err
	})
}
