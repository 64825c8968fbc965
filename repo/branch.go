package repo

import (
	"context"
	"slices"
	"strings"
)

// DefaultBranch is the full name of the branch that work lands on: the local one
// that the remote origin calls its default, else that branch as it was fetched, else the
// local branch that init.defaultBranch, "main" or "master" names. It is "HEAD" where none of them is there.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	const key, remote, heads = "init.defaultbranch", "refs/remotes/origin/", "refs/heads/"
	config, err := r.Config(ctx, key)
	if err != nil {
		return "", err
	}
	names := []string{"main", "master"}
	var candidates []string
	if name := config[key]; name != "" {
		names = append([]string{name}, names...)
	}
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname) %(symref)", remote+"HEAD")
	if err != nil {
		return "", err
	}
	_, fetched, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if name, ok := strings.CutPrefix(fetched, remote); ok {
		candidates = append(candidates, heads+name, fetched)
	}
	for _, name := range names {
		candidates = append(candidates, heads+name)
	}
	out, err = r.git(ctx, append([]string{"for-each-ref", "--format=%(refname)"}, candidates...)...)
	if err != nil {
		return "", err
	}
	there := strings.Fields(string(out))
	for _, ref := range candidates {
		if slices.Contains(there, ref) {
			return ref, nil
		}
	}
	return "HEAD", nil
}
