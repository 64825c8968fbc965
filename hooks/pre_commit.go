package hooks

import (
	"context"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

// PreCommit is git's pre-commit hook: it says of what is about to be committed
// what can be said before there is a message. Whatever keeps it from that is a
// warning: whether the commit claims anything is the commit-msg hook's to see.
func PreCommit(ctx context.Context, r *repo.Repo, c Call) (*Answer, error) {
	result, err := judge.Staged{NoMessage: true, Tree: r.HookTree, Author: r.Author, MayAmend: true}.Judge(ctx, r)
	hollowed(ctx, r, result)
	return about(result, nil), err
}
