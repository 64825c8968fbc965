package hooks

import (
	"context"
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
