package repo

import (
	"context"
	"math"
	"time"
)

// CommitTime is when a commit was made, corrected by its history.
type CommitTime struct {
	// Unix is in seconds since 1970.
	Unix int64
	// Rank orders commits of one second: it is greater than that of every parent in the same second.
	Rank int
}

// CommitTimes returns the time of every commit that a tip reaches. Committers choose their dates, so a date counts only
// if it lies between the parents' and now. An earlier or future date becomes the parents' latest, that of a root commit
// now.
func (r *Repo) CommitTimes(ctx context.Context, tip ID, now time.Time) (map[ID]CommitTime, error) {
	if err := tip.check(); err != nil {
		return nil, err
	}
	commits, err := r.list(ctx, []string{"--topo-order", "--reverse", string(tip)})
	if err != nil {
		return nil, err
	}
	all := make(map[ID]CommitTime, len(commits))
	for _, c := range commits {
		at, least := CommitTime{Unix: int64(min(c.when, math.MaxInt64))}, now.Unix()
		for i, p := range c.parents {
			if before := all[ID(p)].Unix; i == 0 || before > least {
				least = before
			}
		}
		if at.Unix > now.Unix() || len(c.parents) > 0 && at.Unix < least {
			at.Unix = least
		}
		for _, p := range c.parents {
			if before := all[ID(p)]; before.Unix == at.Unix {
				at.Rank = max(at.Rank, before.Rank+1)
			}
		}
		all[c.id] = at
	}
	return all, nil
}
