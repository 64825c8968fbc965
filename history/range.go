package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// sinceCommit is the commit that a policy's since names.
func sinceCommit(ctx context.Context, r *repo.Repo, from string) (repo.Commit, error) {
	first, err := r.Commit(ctx, from)
	if errors.Is(err, repo.ErrNotFound) {
		err = &policy.ConfigError{Err: fmt.Errorf("%s: since names commit %q, which is not here", policy.Path, from)}
	}
	return first, err
}

// Since leaves out the commits before the policy's since.
func Since(ctx context.Context, r *repo.Repo, ids []repo.ID, from, head string) ([]repo.ID, error) {
	if from == "" {
		return ids, nil
	}
	first, err := sinceCommit(ctx, r, from)
	if err != nil {
		return nil, err
	}
	later, err := r.Range(ctx, string(first.ID), head)
	if err != nil {
		return nil, err
	}
	keep := map[repo.ID]bool{first.ID: true}
	for _, id := range later {
		keep[id] = true
	}
	var out []repo.ID
	for _, id := range ids {
		if keep[id] {
			out = append(out, id)
		}
	}
	return out, nil
}

// RangeName is «BASE..HEAD» with full ids, or the id of head where there is no base.
func RangeName(ctx context.Context, r *repo.Repo, base, head string) (string, error) {
	to, err := r.Commit(ctx, head)
	if err != nil || base == "" {
		return string(to.ID), err
	}
	from, err := r.Commit(ctx, base)
	return string(from.ID) + ".." + string(to.ID), err
}
