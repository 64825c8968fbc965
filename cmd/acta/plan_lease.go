package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/journal"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/lease"
	"github.com/acta-git/acta/repo"
)

type leaseOptions struct {
	whose
	ttl time.Duration
}

func (c command) planLease() *cli.Command {
	var o leaseOptions
	return &cli.Command{
		Name: "lease",
		Flags: append(o.flags(), &cli.DurationFlag{
			Name: "ttl", Usage: "let the lease lapse after `DURATION` (90s, 30m, 2h); 0 for never", Destination: &o.ttl,
		}),
		Action: func(ctx *cli.Context) error {
			if o.ttl < 0 {
				return usagef("--ttl is a time to live, not %s", o.ttl)
			}
			return c.onUnit(ctx, func(u unitCall) error { return c.runLease(ctx.Context, u, o) })
		},
	}
}

func (c command) runLease(ctx context.Context, u unitCall, o leaseOptions) error {
	by, err := u.identified(ctx, c, o.whose, "lease")
	if err != nil {
		return err
	}
	taken, err := lease.Take(ctx, u.dir, u.key, by.Name, o.ttl, time.Now())
	if err != nil {
		return refusedBy(err)
	}
	if taken {
		params := map[string]any{"unit": u.key, "agent": by.Name}
		if o.ttl > 0 {
			params["ttl"] = o.ttl.String()
		}
		c.saveEvent(ctx, u.dir, by, params)
	}
	c.Stdout.Printf("%s is leased to %s\n", u.key, by.Name)
	return nil
}

// unitCall is a call about the lease of one unit.
type unitCall struct {
	repo *repo.Repo
	key  string // the unit's
	dir  string // of the state
}

// onUnit finds the unit that the command line names, and hands it to do.
func (c command) onUnit(ctx *cli.Context, do func(unitCall) error) error {
	unit, err := named(ctx, "a unit")
	if err != nil {
		return err
	}
	return inRepo(ctx.Context, func(r *repo.Repo) error {
		key, err := judge.UnitKey(ctx.Context, r, unit)
		if err != nil {
			return refusedBy(err)
		}
		dir, err := hooks.StateDir(ctx.Context, r, c.Getenv)
		if err != nil {
			return err
		}
		return do(unitCall{r, key, dir})
	})
}

// identified says who acts, which what needs to know.
func (u unitCall) identified(ctx context.Context, c command, w whose, what string) (journal.By, error) {
	by, err := c.identify(ctx, u.repo, w)
	if err == nil && by.Name == "" {
		err = usagef("plan %s needs --actor NAME, or ACTA_ACTOR, or git's configuration acta.actor", what)
	}
	return by, err
}
