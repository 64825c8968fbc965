package hooks

import (
	"context"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// ReferenceTransaction is git's reference-transaction hook, which `acta install --seal` adds: it judges the commits
// that a branch gets, however they were made, and may refuse the update. git calls it for every change of any ref, in
// several states, with a line for each: old id, new id, name (githooks(5)). Only the state "prepared" can be refused,
// and only branches are judged: HEAD and the refs of a rebase, merge or bisection must move freely, or the repository
// would be left half way.
//
// New commits are those that no branch, tag or remote has, and that the last fetch did not bring: this committer did
// not make those. A branch may go back to any commit in its reflog. The policy is that of the present branch; of a new
// branch, that of the commit below the new ones.
func ReferenceTransaction(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	if len(c.Args) == 0 || c.Args[0] != "prepared" {
		return &Answer{}, nil
	}
	updates, err := readUpdates(c.Stdin, 3, func(f []string) update { return update{ref: f[2], new: f[1], old: f[0]} })
	if err != nil {
		return nil, err
	}
	// git leaves the old id out of some updates; the ref still names it.
	d := refJudge{repo: r, history: judge.NewHistory(r, nil), bases: []string{baseBefore, baseItself, baseBelow}}
	answer := &Answer{}
	for _, u := range updates {
		if !strings.HasPrefix(u.ref, "refs/heads/") {
			continue
		}
		results, err := d.judgeBranch(ctx, u)
		if err != nil {
			return nil, err
		}
		answer.Results = append(answer.Results, results...)
	}
	return answer, nil
}

func (d refJudge) judgeBranch(ctx context.Context, u update) ([]Result, error) {
	known := repo.KnownCommits{Refs: []string{"refs/heads/*", "refs/tags/*", "refs/remotes/*"}}
	results, err := d.judge(ctx, batch{[]update{u}, known})
	if err == nil && (&Answer{Results: results}).Code() == 0 {
		return results, nil
	}
	// Reflog and FETCH_HEAD are read only after a refusal.
	for _, ask := range []func() ([]repo.ID, error){
		func() ([]repo.ID, error) { return d.repo.Reflog(ctx, u.ref) },
		func() ([]repo.ID, error) { return d.repo.FetchHeads(ctx) },
	} {
		if ids, unread := ask(); unread == nil {
			known.IDs = append(known.IDs, ids...)
		}
	}
	if len(known.IDs) == 0 {
		return results, err
	}
	return d.judge(ctx, batch{[]update{u}, known})
}
