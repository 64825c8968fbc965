package judge

import (
	"cmp"
	"context"
	"fmt"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
)

// actEvidence is the verified evidence of an ACT's items in a commit, and a later tree to check it in.
type actEvidence struct {
	*Ancestors
	commit repo.Commit
	claims [][]evidence.Claim
	now    *evidence.Tree
}

// LossReason names the first place of an item that the later tree has lost; "" if it has all.
func (a actEvidence) LossReason(ctx context.Context, item int) (string, error) {
	p := a.Ancestors
	earlier := p.history.judgeOf(a.commit.Tree, p.policy)
	to := follower(p.repo, earlier, &evidence.Judge{Tree: *a.now, Cache: p.history.Evidence, Limits: limits(p.policy)})
	for _, c := range a.claims[item] {
		before, errBefore := earlier.Tree.Stat(ctx, c.Evidence.Path)
		after, errAfter := a.now.Stat(ctx, c.Evidence.Path)
		if err := cmp.Or(errBefore, errAfter); err != nil {
			return "", err
		}
		if after == before {
			continue
		}
		trace, err := to.Follow(ctx, earlier, c)
		if err != nil {
			return "", err
		}
		if trace.State >= evidence.StateUnclear {
			return fmt.Sprintf("evidence '%s' does not hold any more: %s", c.Evidence.Place(), trace.Reason), nil
		}
	}
	return "", nil
}

func follower(r *repo.Repo, from, to *evidence.Judge) *evidence.Follower {
	return &evidence.Follower{Judge: to, Trail: treeDiff{r, repo.ID(from.Tree.Name), repo.ID(to.Tree.Name)}}
}

type treeDiff struct {
	repo     *repo.Repo
	from, to repo.ID
}

func (b treeDiff) Renamed(ctx context.Context, path string) (string, error) {
	renamed, err := b.repo.Renames(ctx, b.to, b.from)
	return renamed[path], err
}

func (b treeDiff) Changed(ctx context.Context) ([]string, error) {
	return b.repo.ChangedPaths(ctx, b.from, b.to)
}
