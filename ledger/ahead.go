package ledger

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/repo"
)

// Ahead says that ACTs of HEAD have not landed on the default branch, and so count nothing yet; "" where none are.
func Ahead(ctx context.Context, r *repo.Repo) (string, error) {
	branch, err := r.DefaultBranch(ctx)
	if err != nil {
		return "", err
	}
	tip, err := r.Commit(ctx, branch)
	if err != nil {
		return "", err
	}
	head, err := r.Head(ctx)
	if err != nil || head.ID == tip.ID {
		return "", err
	}
	ids, _, err := r.Matching(ctx, head.ID, repo.Search{Patterns: []string{history.LooksLikeAct}, Not: []repo.ID{tip.ID}})
	if err != nil || len(ids) == 0 {
		return "", err
	}
	what := "1 ACT of HEAD has"
	if len(ids) > 1 {
		what = fmt.Sprintf("%d ACTs of HEAD have", len(ids))
	}
	return fmt.Sprintf("%s not landed on %s, and counts nothing there yet; what it would be: acta score --ref HEAD",
		what, branch), nil
}
