package hooks

import (
	"context"
	"errors"
	"slices"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// PrePush is git's pre-push hook: it judges what a push would add to the remote,
// ref by ref, and may refuse the push. git names the remote and its address, and
// hands over a line for each ref: local name, local id, remote name, remote id
// (githooks(5)).
//
// What the remote has is what was last fetched of it and what git says that it
// has now. The policy is that of the ref as it is on the remote; of a new one,
// that of the remote's default branch, else of the commit that the new ones stand on.
// To a remote that has nothing, a mirror say, it is that of origin's default branch.
func PrePush(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	updates, err := readUpdates(c.Stdin, 4, func(f []string) update { return update{ref: f[2], new: f[1], old: f[3]} })
	if err != nil || len(updates) == 0 {
		return &Answer{}, err
	}
	var known repo.KnownCommits
	bases := []string{baseBefore, baseBelow, "refs/remotes/origin/HEAD"}
	if len(c.Args) > 1 && c.Args[1] == "." { // between branches of this repository
		known.Refs = []string{"refs/heads/*", "refs/tags/*", "refs/remotes/*"}
	} else if len(c.Args) == 1 || len(c.Args) > 1 && c.Args[0] != c.Args[1] { // else git knows its address only
		remote := "refs/remotes/" + c.Args[0]
		known.Refs, bases = []string{remote + "/*"}, slices.Insert(bases, 1, remote+"/HEAD")
	}
	for _, u := range updates {
		if !isZero(u.old) {
			known.IDs = append(known.IDs, repo.ID(u.old))
		}
	}
	judging := refJudge{repo: r, push: judge.NewPush(r), follow: true, bases: bases}
	refs, err := judging.judge(ctx, batch{updates, known})
	return &Answer{Results: refs}, err
}

// PreReceive is git's pre-receive hook on a server: it judges what each ref of a
// push would get, and may refuse the push. git hands over a line for each ref: old
// id, new id, name (githooks(5)). The new objects still lie in quarantine, where
// the environment that git sets lets them be read.
//
// The commits of a new ref are those that no ref of the repository has, the worklog
// and notes, which nobody judges, aside. Those of the default branch where it is new
// are all of them: others may have got theirs by a looser policy. Those of a ref that is there are all that it did not
// have, except what the default branch has: a branch that was judged by a looser policy of its own is judged again
// where it arrives. The policy is that of the ref as it is now; of a new one, that of the default branch, which is
// HEAD's.
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
	created := batch{known: repo.KnownCommits{Refs: []string{"refs/*"}}}
	for _, dir := range unjudged {
		created.known.Except = append(created.known.Except, dir+"*")
	}
	batches := []batch{}
	for _, u := range updates {
		if isZero(u.old) && u.ref != unborn {
			created.updates = append(created.updates, u)
			continue
		}
		b := batch{updates: []update{u}}
		if !isZero(u.old) {
			b.known.IDs = append(b.known.IDs, repo.ID(u.old))
		}
		if standard != "" {
			b.known.IDs = append(b.known.IDs, standard)
		}
		batches = append(batches, b)
	}
	judging := refJudge{repo: r, push: judge.NewPush(r), follow: true, bases: []string{baseBefore}}
	if standard != "" {
		judging.bases = append(judging.bases, string(standard))
	}
	refs, err := judging.judge(ctx, append(batches, created)...)
	return &Answer{Results: refs}, err
}
