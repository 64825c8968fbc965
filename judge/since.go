package judge

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

func sinceCommit(ctx context.Context, r *repo.Repo, from string) (repo.Commit, error) {
	first, err := r.Commit(ctx, from)
	if errors.Is(err, repo.ErrNotFound) {
		err = &policy.ConfigError{Err: fmt.Errorf("%s: since names commit %q, which is not here", policy.Path, from)}
	}
	return first, err
}

// fetchedParents are the parents of a commit that no shallow clone has cut off.
func fetchedParents(ctx context.Context, r *repo.Repo, c repo.Commit) []repo.ID {
	return slices.DeleteFunc(slices.Clone(c.Parents), func(id repo.ID) bool {
		_, err := r.Commit(ctx, string(id))
		return err != nil
	})
}

// CommitsSince leaves out the commits before the policy's since.
func CommitsSince(ctx context.Context, r *repo.Repo, ids []repo.ID, from, head string) ([]repo.ID, error) {
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
	return slices.DeleteFunc(slices.Clone(ids), func(id repo.ID) bool { return !keep[id] }), nil
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

// Acts are the ACTs of the range, oldest first. Call Input before.
func (g *Reader) Acts(ctx context.Context) ([]rules.RangeAct, error) {
	var all []rules.RangeAct
	for _, d := range g.commits {
		if d.isEarlier || d.isReverted {
			continue
		}
		var unchanged answer[bool]
		for i := range d.message.Parts {
			part := &d.message.Parts[i]
			if part.Kind != parser.Act {
				continue
			}
			isUnchanged, err := unchanged.get(func() (bool, error) { return g.isUnchanged(ctx, d.id) })
			if err != nil {
				return nil, err
			}
			all = append(all, rules.RangeAct{Commit: d.id, Part: part, IsUnchanged: isUnchanged})
		}
	}
	return all, nil
}

// isUnchanged reports whether nothing but the plan and prose differs between a commit and the end of the range.
func (g *Reader) isUnchanged(ctx context.Context, commit string) (bool, error) {
	c, err := g.repo.Commit(ctx, commit)
	if err != nil {
		return false, err
	}
	paths, err := g.repo.ChangedPaths(ctx, c.Tree, g.head.Tree)
	return err == nil && !slices.ContainsFunc(paths, func(p string) bool {
		return p != g.policy.Plan && (path.Ext(p) != ".md" || evidence.HasDefinitions(p))
	}), err
}
