package judge

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
)

// actEvidence is the verified evidence of an ACT, and a later snapshot to check it in.
type actEvidence struct {
	*Ancestors
	commit repo.Commit
	claims [][]evidence.Claim
	tree   *evidence.Tree
}

// LossReason names the first place of an item that the later snapshot has lost; "" if it has all.
func (s actEvidence) LossReason(ctx context.Context, item int) (string, error) {
	p, current := s.Ancestors, s.tree
	earlier := p.history.judgeOf(s.commit.Tree, p.policy)
	to := follower(p.repo, earlier, &evidence.Judge{Tree: *current, Cache: p.history.Evidence, Limits: limits(p.policy)})
	for _, c := range s.claims[item] {
		before, err := earlier.Tree.Stat(ctx, c.Evidence.Path)
		if err != nil {
			return "", err
		}
		if after, err := current.Stat(ctx, c.Evidence.Path); err != nil || after == before {
			if err != nil {
				return "", err
			}
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
