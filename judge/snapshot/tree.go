package snapshot

import (
	"context"
	"errors"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
)

// Tree adapts a tree of the repository for evidence.
func Tree(r *repo.Repo, tree repo.ID) evidence.Tree {
	return evidence.Tree{Name: string(tree), Files: treeFiles{r.Snapshot(tree), r, tree}}
}

// treeFiles are the files of a tree of the repository.
type treeFiles struct {
	*repo.Snapshot
	repo *repo.Repo
	tree repo.ID
}

func (f treeFiles) Stat(ctx context.Context, path string) (evidence.Entry, error) {
	e, err := f.Entry(ctx, path)
	if errors.Is(err, repo.ErrNotFound) {
		return evidence.Entry{Path: path}, nil
	}
	if err != nil {
		return evidence.Entry{}, err
	}
	return evidence.Entry{Path: path, Kind: kind(e.Mode), ID: string(e.ID), Mode: e.Mode}, nil
}

func (f treeFiles) Size(ctx context.Context, e evidence.Entry) (int64, error) {
	return f.Snapshot.Size(ctx, repo.ID(e.ID))
}

func (f treeFiles) Read(ctx context.Context, e evidence.Entry) ([]byte, error) {
	return f.Blob(ctx, repo.ID(e.ID))
}

func (f treeFiles) Renamed(ctx context.Context, earlier *evidence.Tree, path string) (string, error) {
	renamed, err := f.repo.Renames(ctx, repo.ID(earlier.Name), f.tree)
	return renamed[path], err
}

// kind is an entry's kind, by its mode in git.
func kind(mode string) evidence.EntryKind {
	switch mode {
	case "040000":
		return evidence.Folder
	case "120000":
		return evidence.Symlink
	case "160000":
		return evidence.Submodule
	}
	return evidence.File
}

// Trees are the trees of commits.
func Trees(ctx context.Context, r *repo.Repo, commits []repo.ID) ([]evidence.Tree, error) {
	var all []evidence.Tree
	for _, id := range commits {
		c, err := r.Commit(ctx, string(id))
		if err != nil {
			return nil, err
		}
		all = append(all, Tree(r, c.Tree))
	}
	return all, nil
}

// File returns the bytes of a regular file, nil if it is missing.
func File(ctx context.Context, t evidence.Tree, path string) ([]byte, error) {
	e, err := t.Stat(ctx, path)
	if err != nil || e.Kind != evidence.File {
		return nil, err
	}
	return t.Read(ctx, e)
}

// Changes lists the paths that differ between two trees; with withLines it also counts changed lines.
func Changes(ctx context.Context, r *repo.Repo, before, after repo.ID, withLines bool) ([]string, int, error) {
	if !withLines {
		paths, err := r.ChangedPaths(ctx, before, after)
		return paths, 0, err
	}
	all, err := r.Changes(ctx, before, after, repo.DiffOptions{Counts: true})
	paths, n := make([]string, 0, len(all)), 0
	for _, c := range all {
		paths = append(paths, c.Path)
		// A binary file counts as one changed line.
		n += max(c.Added, 0) + max(c.Deleted, 0)
		if c.Added < 0 {
			n++
		}
	}
	return paths, n, err
}
