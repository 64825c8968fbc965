package main

import (
	"context"
	"errors"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
)

// reader is a repository, and the tree of its newest commit.
type reader struct {
	*repo.Repo
	newest evidence.Tree
}

// open opens a repository, and lists the files of its newest commit.
func open(ctx context.Context, dir string) (r *reader, paths []string, err error) {
	of, err := repo.Open(ctx, dir, repo.Options{})
	if err != nil {
		return nil, nil, err
	}
	head, err := of.Head(ctx)
	if err == nil {
		r = &reader{of, treeOf(of, head)}
		paths, err = r.newest.Paths(ctx)
	}
	if err != nil {
		return nil, nil, errors.Join(err, of.Close())
	}
	return r, paths, nil
}

// treeOf is the tree of a commit, whose files have the names that they have: what follows from renames is not measured.
func treeOf(r *repo.Repo, c repo.Commit) evidence.Tree {
	tree := snapshot.Tree(r, c.Tree)
	tree.Files = unrenamed{tree.Files}
	return tree
}

type unrenamed struct{ evidence.Files }

func (unrenamed) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }
