package judge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
)

// stagedTree is the tree that the index would commit: the parent's snapshot with the index's changes. git writes the
// tree only if these two are not enough.
type stagedTree struct {
	evidence.Tree // the parent's, or the empty tree
	repo          *repo.Repo
	inHook        bool    // git has started it, and names the index that it commits
	before        repo.ID // the parent's tree; "" for none
	maxBytes      int64   // of a file that is read ahead
	index         answer[[]repo.Change]
	tree          answer[repo.ID]
}

// newStagedTree starts to compare the index in the background.
func newStagedTree(ctx context.Context, r *repo.Repo, inHook bool) *stagedTree {
	t := &stagedTree{repo: r, Tree: snapshot.Tree(r, ""), inHook: inHook}
	go func() { _, _ = t.changes(ctx) }() // a later call returns the error
	return t
}

func (t *stagedTree) changes(ctx context.Context) ([]repo.Change, error) {
	return t.index.get(func() ([]repo.Change, error) { return t.repo.IndexChanges(ctx) })
}

func (t *stagedTree) resultTree(ctx context.Context) (repo.ID, error) {
	return t.tree.get(func() (repo.ID, error) { return writtenTree(ctx, t.repo, t.inHook) })
}

func writtenTree(ctx context.Context, r *repo.Repo, inHook bool) (repo.ID, error) {
	if inHook {
		return r.HookTree(ctx)
	}
	return r.IndexTree(ctx)
}

func (t *stagedTree) mergedTrees(ctx context.Context) ([]evidence.Tree, error) {
	heads, errHeads := t.repo.MergeHeads(ctx)
	trees, err := snapshot.Trees(ctx, t.repo, heads)
	return trees, cmp.Or(errHeads, err)
}

func (t *stagedTree) snapshot() evidence.Tree { return evidence.Tree{Files: t, Cache: t.Cache} }

func (t *stagedTree) writtenSnapshot(ctx context.Context) (evidence.Tree, error) {
	id, err := t.resultTree(ctx)
	return snapshot.Tree(t.repo, id), err
}

// Stat describes what the index would commit at a path.
func (t *stagedTree) Stat(ctx context.Context, path string) (evidence.Entry, error) {
	changes, err := t.changes(ctx)
	if err != nil {
		return evidence.Entry{}, err
	}
	if changesBelow(changes, path) {
		tree, err := t.writtenSnapshot(ctx)
		if err != nil {
			return evidence.Entry{}, err
		}
		return tree.Stat(ctx, path)
	}
	c, found := changeOf(changes, path)
	switch {
	case !found:
		return t.Tree.Stat(ctx, path)
	case c.NewID == "":
		return evidence.Entry{Path: path}, nil
	}
	return evidence.Entry{Path: path, Kind: snapshot.Kind(c.NewMode), ID: string(c.NewID), Mode: c.NewMode}, nil
}

func changeOf(changes []repo.Change, path string) (repo.Change, bool) {
	i, found := slices.BinarySearchFunc(changes, path, func(c repo.Change, path string) int {
		return strings.Compare(c.Path, path)
	})
	if !found {
		return repo.Change{}, false
	}
	return changes[i], true
}

// changesBelow reports whether the path is, or was, a folder in which something changes.
func changesBelow(changes []repo.Change, path string) bool {
	if path == "" {
		return len(changes) > 0
	}
	i, _ := slices.BinarySearchFunc(changes, path+"/", func(c repo.Change, path string) int {
		return strings.Compare(c.Path, path)
	})
	return i < len(changes) && strings.HasPrefix(changes[i].Path, path+"/")
}

// Renamed looks for renames only if the index deletes a path.
func (t *stagedTree) Renamed(ctx context.Context, earlier *evidence.Tree, path string) (string, error) {
	changes, err := t.changes(ctx)
	if err != nil {
		return "", err
	}
	deleted := func(c repo.Change) bool { return c.NewID == "" }
	if earlier.Name == t.Name && !slices.ContainsFunc(changes, deleted) {
		return "", nil
	}
	tree, err := t.writtenSnapshot(ctx)
	if err != nil {
		return "", err
	}
	return tree.Renamed(ctx, earlier, path)
}

// Paths lists the files of the tree as git writes it.
func (t *stagedTree) Paths(ctx context.Context) ([]string, error) {
	tree, err := t.writtenSnapshot(ctx)
	if err != nil {
		return nil, err
	}
	return tree.Paths(ctx)
}

// prefetch reads ahead the parent's version of the paths and the one that is staged.
func (t *stagedTree) prefetch(ctx context.Context, paths []string) error {
	errBefore := t.repo.Snapshot(t.before).Prefetch(ctx, paths, t.maxBytes)
	changes, errIndex := t.changes(ctx)
	if err := cmp.Or(errBefore, errIndex); err != nil {
		return err
	}
	var ids []repo.ID
	for _, path := range paths {
		if c, found := changeOf(changes, path); found && c.NewID != "" && snapshot.Kind(c.NewMode) != evidence.Submodule {
			ids = append(ids, c.NewID)
		}
	}
	return t.repo.PrefetchBlobs(ctx, ids, t.maxBytes)
}

// changedPaths lists the paths that the index changes; for the number of lines git writes the tree.
func (t *stagedTree) changedPaths(ctx context.Context, withLines bool) ([]string, int, error) {
	if withLines {
		after, err := t.resultTree(ctx)
		if err != nil {
			return nil, 0, err
		}
		return snapshot.Changes(ctx, t.repo, t.before, after, true)
	}
	all, err := t.changes(ctx)
	paths := make([]string, 0, len(all))
	for _, c := range all {
		paths = append(paths, c.Path)
	}
	return paths, 0, err
}
