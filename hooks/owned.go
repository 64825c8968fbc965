package hooks

import (
	"context"
	"time"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

// Owners reads who holds which unit of a repository now; nil where nobody holds any.
func Owners(r *repo.Repo) func(context.Context) (judge.Owners, error) {
	return func(ctx context.Context) (judge.Owners, error) {
		dir, err := r.CommonDir(ctx)
		if err != nil {
			return nil, err
		}
		claims, err := worklog.ReadClaims(dir)
		if err != nil || len(claims) == 0 {
			return nil, err
		}
		now := time.Now()
		return func(key string) *check.Owner {
			h := claims.Holder(key, now)
			if h == nil {
				return nil
			}
			return &check.Owner{Unit: key, Claimed: h.Unit, Agent: h.Agent}
		}, nil
	}
}
