package judge

import (
	"context"

	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// BuiltinPolicy is the hash of the policy that holds where there is no file of it.
const BuiltinPolicy = "builtin"

// PolicyHash tells the policy that stands in a commit from others: the name of its blob, or BuiltinPolicy. commit
// "" is a history that has not begun.
func PolicyHash(ctx context.Context, r *repo.Repo, commit repo.ID) (string, error) {
	if commit == "" {
		return BuiltinPolicy, nil
	}
	c, err := r.Commit(ctx, string(commit))
	if err != nil {
		return "", err
	}
	tree := snapshot(r, c.Tree)
	file, err := tree.Stat(ctx, policy.Path)
	if err != nil || file.ID == "" {
		return BuiltinPolicy, err
	}
	return file.ID, nil
}

// RangePolicyHash is the PolicyHash of what judges a range: that of its merge base.
func RangePolicyHash(ctx context.Context, r *repo.Repo, base, head string) (string, error) {
	id, err := policyBase(ctx, r, base, head)
	if err != nil {
		return "", err
	}
	return PolicyHash(ctx, r, id)
}
