package judge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// takenBack lists the ids of the commits that a commit says it reverts, as far as they are here and it does: it changes a path
// that the reverted commit changed, and nothing of what that changed and cites as done is left as it was cited.
func takenBack(ctx context.Context, r *repo.Repo, revert repo.Commit, m *parser.Message) ([]string, error) {
	var ids []string
	for _, text := range m.Reverts {
		c, err := r.Commit(ctx, strings.ToLower(text.Value))
		if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrShallow) {
			continue
		}
		if err != nil {
			return nil, err
		}
		gone, err := takesBack(ctx, r, revert, c)
		if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrShallow) {
			gone, err = true, nil // a shallow clone left out what to compare with, and nobody is charged for that
		}
		if err != nil {
			return nil, err
		}
		if gone {
			ids = append(ids, string(c.ID))
		}
	}
	return ids, nil
}

func takesBack(ctx context.Context, r *repo.Repo, revert, reverted repo.Commit) (bool, error) {
	did, before, err := changedBy(ctx, r, reverted)
	if err != nil {
		return false, err
	}
	undoes, _, err := changedBy(ctx, r, revert)
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(did, func(path string) bool { return slices.Contains(undoes, path) }) {
		return false, nil
	}
	m, err := spoken(ctx, r, reverted)
	if err != nil {
		return false, err
	}
	then, now := snapshot(r, reverted.Tree), snapshot(r, revert.Tree)
	for i := range m.Parts {
		for _, claim := range m.Parts[i].Claims {
			for _, e := range claim.Evidence {
				if claim.Status != parser.Done || e.Err != "" || !slices.Contains(did, e.Path) {
					continue
				}
				left, err := stands(ctx, before, then, now, e)
				if err != nil || left {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// changedBy lists what a commit changed, and gives the snapshot before it; nil for a root commit.
func changedBy(ctx context.Context, r *repo.Repo, c repo.Commit) ([]string, *evidence.Tree, error) {
	if len(c.Parents) == 0 {
		paths, err := r.Differing(ctx, "", c.Tree)
		return paths, nil, err
	}
	parent, err := r.Commit(ctx, string(c.Parents[0]))
	if err != nil {
		return nil, nil, err
	}
	before := snapshot(r, parent.Tree)
	paths, err := r.Differing(ctx, parent.Tree, c.Tree)
	return paths, &before, err
}

// stands reports whether what was cited of a changed file is in a later snapshot as it was then.
func stands(ctx context.Context, before *evidence.Tree, then, now evidence.Tree, e parser.Evidence) (bool, error) {
	was, err := then.Stat(ctx, e.Path)
	if err != nil {
		return false, err
	}
	is, err := now.Stat(ctx, e.Path)
	if err != nil {
		return false, err
	}
	if before != nil {
		old, err := before.Stat(ctx, e.Path)
		if err != nil || old.Kind == is.Kind && old.ID == is.ID && old.Mode == is.Mode {
			return false, err
		}
	}
	if was.Kind != is.Kind || was.ID == is.ID || e.Start == 0 || e.Removed || was.Kind != evidence.File {
		return was.Kind == is.Kind && was.ID == is.ID, nil
	}
	src, err := then.Read(ctx, was)
	if err != nil {
		return false, err
	}
	later, err := now.Read(ctx, is)
	return err == nil && evidence.Holds(later, src, e.Start, e.End), err
}
