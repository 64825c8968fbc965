package hooks

import (
	"context"
	"time"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
)

// Leases are those of a repository as they are now, for judge.Staged.
type Leases struct{ Repo *repo.Repo }

// Owner is who holds a unit; nil where nobody does.
func (l Leases) Owner(ctx context.Context, key string) (*rules.Owner, error) {
	dir, err := l.Repo.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	leases, err := lease.Read(dir)
	if err != nil {
		return nil, err
	}
	h := leases.Holder(key, time.Now())
	if h == nil {
		return nil, nil
	}
	return &rules.Owner{Unit: key, Claimed: h.Unit, Agent: h.Agent}, nil
}
