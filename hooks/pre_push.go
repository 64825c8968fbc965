package hooks

import (
	"context"

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
	var known repo.Known
	remote := ""
	if len(c.Args) > 1 && c.Args[1] == "." { // between branches of this repository
		known.Refs = []string{"refs/heads/*", "refs/tags/*", "refs/remotes/*"}
	} else if len(c.Args) == 1 || len(c.Args) > 1 && c.Args[0] != c.Args[1] { // else git knows its address only
		remote = "refs/remotes/" + c.Args[0]
		known.Refs = []string{remote + "/*"}
	}
	for _, u := range updates {
		if !isZero(u.old) {
			known.IDs = append(known.IDs, repo.ID(u.old))
		}
	}
	judging := refJudge{repo: r, push: judge.NewPush(r), follow: true}
	judging.base = func(ctx context.Context, u update, commits []repo.ID) repo.ID {
		if id := u.current(ctx, r); id != "" {
			return id
		}
		if remote != "" {
			if head, err := r.Commit(ctx, remote+"/HEAD"); err == nil {
				return head.ID
			}
		}
		if id := below(ctx, r, commits); id != "" {
			return id
		}
		if head, err := r.Commit(ctx, "refs/remotes/origin/HEAD"); err == nil {
			return head.ID
		}
		return ""
	}
	refs, err := judging.judge(ctx, batch{updates, known})
	return &Answer{Results: refs}, err
}
