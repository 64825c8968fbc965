package hooks

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
)

// Owners reads who holds which unit of a repository now; nil where nobody holds any.
func Owners(r *repo.Repo) func(context.Context) (judge.Owners, error) {
	return func(ctx context.Context) (judge.Owners, error) {
		dir, err := r.CommonDir(ctx)
		if err != nil {
			return nil, err
		}
		claims, err := lease.Read(dir)
		if err != nil || len(claims) == 0 {
			return nil, err
		}
		now := time.Now()
		return func(key string) *rules.Owner {
			h := claims.Holder(key, now)
			if h == nil {
				return nil
			}
			return &rules.Owner{Unit: key, Claimed: h.Unit, Agent: h.Agent}
		}, nil
	}
}

// envDoctor is the folder in which Doctor tries the hooks. What they record there is no record of the repository.
const envDoctor = "ACTA_DOCTOR"

// StateDir is the directory that holds the state of a repository: the git directory
// that its work trees share, but in Doctor's scratch work tree that one's folder.
func StateDir(ctx context.Context, r *repo.Repo, getenv func(string) string) (string, error) {
	if isScratch(getenv) {
		return getenv(envDoctor), nil
	}
	return r.CommonDir(ctx)
}

// isScratch reports whether a hook runs in Doctor's scratch work tree.
func isScratch(getenv func(string) string) bool {
	root := getenv(envDoctor)
	if root == "" {
		return false
	}
	here, err := os.Getwd()
	rel, errRel := filepath.Rel(root, here)
	return err == nil && errRel == nil && filepath.IsLocal(rel)
}
