package hooks

import (
	"context"
	"errors"
	"slices"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// PrePush is git's pre-push hook: it judges the commits that a push would add to the remote, ref by ref, and may refuse
// the push. git passes the remote and its address, and a line for each ref: local name, local id, remote name, remote
// id (githooks(5)).
//
// The remote's commits are those last fetched and those that git names now. The policy is that of the remote's ref; of
// a new ref, that of the remote's default branch, else of the commit below the new ones. An empty remote, such as a new
// mirror, gets that of origin's default branch.
func PrePush(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	updates, err := readUpdates(c.Stdin, 4, func(f []string) update { return update{ref: f[2], new: f[1], old: f[3]} })
	if err != nil || len(updates) == 0 {
		return &Answer{}, err
	}
	var known repo.KnownCommits
	bases := []string{baseBefore, baseBelow, "refs/remotes/origin/HEAD"}
	if len(c.Args) > 1 && c.Args[1] == "." { // within this repository
		known.Refs = []string{"refs/heads/*", "refs/tags/*", "refs/remotes/*"}
	} else if len(c.Args) == 1 || len(c.Args) > 1 && c.Args[0] != c.Args[1] { // else git has only its address
		remote := "refs/remotes/" + c.Args[0]
		known.Refs, bases = []string{remote + "/*"}, slices.Insert(bases, 1, remote+"/HEAD")
	}
	for _, u := range updates {
		if !isZero(u.old) {
			known.IDs = append(known.IDs, repo.ID(u.old))
		}
	}
	judging := refJudge{repo: r, history: judge.NewHistory(r, nil), followsClaims: true, bases: bases}
	refs, err := judging.judge(ctx, batch{updates, known})
	return &Answer{Results: refs}, err
}

// PreReceive is git's pre-receive hook on a server: it judges the commits that each ref of a push would get, and may
// refuse the push. git passes a line for each ref: old id, new id, name (githooks(5)). The new objects lie in
// quarantine, where git's environment lets them be read.
//
// A new ref gets the commits that no ref has, apart from the worklog and notes, which are not judged. A new default
// branch gets all its commits: other refs may have been judged by a looser policy. An existing ref gets the commits
// that neither it nor the default branch has: a branch with a looser policy is judged again when it is merged. The
// policy is that of the ref now; of a new ref, that of the default branch, HEAD.
func PreReceive(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	updates, err := readUpdates(c.Stdin, 3, func(f []string) update {
		return update{ref: f[2], new: f[1], old: f[0]}
	})
	if err != nil || len(updates) == 0 {
		return &Answer{}, err
	}
	standard, unborn := repo.ID(""), ""
	head, err := r.Head(ctx)
	switch {
	case err == nil:
		standard = head.ID
	case errors.Is(err, repo.ErrUnborn):
		if unborn, err = r.HeadBranch(ctx); err != nil {
			return nil, err
		}
	}
	created := batch{knownCommits: repo.KnownCommits{Refs: []string{"refs/*"}}}
	for _, dir := range unjudgedPrefixes {
		created.knownCommits.Except = append(created.knownCommits.Except, dir+"*")
	}
	batches := []batch{}
	for _, u := range updates {
		if isZero(u.old) && u.ref != unborn {
			created.updates = append(created.updates, u)
			continue
		}
		b := batch{updates: []update{u}}
		if !isZero(u.old) {
			b.knownCommits.IDs = append(b.knownCommits.IDs, repo.ID(u.old))
		}
		if standard != "" {
			b.knownCommits.IDs = append(b.knownCommits.IDs, standard)
		}
		batches = append(batches, b)
	}
	judging := refJudge{repo: r, history: judge.NewHistory(r, nil), followsClaims: true, bases: []string{baseBefore}}
	if standard != "" {
		judging.bases = append(judging.bases, string(standard))
	}
	refs, err := judging.judge(ctx, append(batches, created)...)
	return &Answer{Results: refs}, err
}
