package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
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
				return usagef("--ttl must not be negative: %s", o.ttl)
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
		c.saveEvent(u.dir, by, params)
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
	unit, err := named(ctx, "a task")
	if err != nil {
		return err
	}
	return inRepo(ctx.Context, func(r *repo.Repo) error {
		key, err := judge.UnitKey(ctx.Context, r, unit)
		if err != nil {
			return refusedBy(err)
		}
		dir, err := r.CommonDir(ctx.Context)
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

type releaseOptions struct {
	whose
	force bool
}

func (c command) planRelease() *cli.Command {
	var o releaseOptions
	return &cli.Command{
		Name:  "release",
		Flags: append(o.flags(), boolFlag(&o.force, "force", "release what somebody else holds")),
		Action: func(ctx *cli.Context) error {
			return c.onUnit(ctx, func(u unitCall) error { return c.runRelease(ctx.Context, u, o) })
		},
	}
}

func (c command) runRelease(ctx context.Context, u unitCall, o releaseOptions) error {
	by, err := u.identified(ctx, c, o.whose, "release")
	if err != nil {
		return err
	}
	held, err := lease.Release(ctx, u.dir, u.key, by.Name, o.force, time.Now())
	if err != nil {
		return refusedBy(err)
	}
	if held == nil {
		c.Stdout.Printf("%s is not leased\n", u.key)
		return nil
	}
	forced := held.Agent != by.Name
	c.saveEvent(u.dir, by, map[string]any{"unit": held.Unit, "agent": held.Agent, "forced": forced})
	if forced {
		c.Stdout.Printf("%s is released; it was leased to %s\n", held.Unit, held.Agent)
		return nil
	}
	c.Stdout.Printf("%s is released\n", held.Unit)
	return nil
}

type ownerOptions struct{ actor, format string }

func (c command) planOwner() *cli.Command {
	var o ownerOptions
	return &cli.Command{
		Name: "owner",
		Flags: []cli.Flag{
			textFlag(&o.actor, "actor", "ask whether `NAME` may work on it"),
			formatFlag(&o.format, "text", "json"),
		},
		Action: func(ctx *cli.Context) error {
			return c.onUnit(ctx, func(u unitCall) error { return c.runOwner(u, o) })
		},
	}
}

func (c command) runOwner(u unitCall, o ownerOptions) error {
	claims, err := lease.Read(u.dir)
	if err != nil {
		return err
	}
	held := claims.Holder(u.key, time.Now())
	if err := c.printOwner(u.key, held, o.format); err != nil {
		return err
	}
	if held != nil && o.actor != "" && o.actor != held.Agent {
		return change.Refused(&lease.OwnedError{Unit: u.key, Actor: o.actor, By: *held})
	}
	return nil
}

// printOwner says who holds a unit, by the lease of which, and until when.
func (c command) printOwner(unit string, held *lease.Holding, format string) error {
	if format == "json" {
		answer := planOwner{Unit: unit}
		if held != nil {
			answer = planOwner{unit, held.Unit, held.Agent, &held.ClaimedAt, held.ExpiresAt}
		}
		return json.NewEncoder(c.Stdout).Encode(answer)
	}
	if held == nil {
		c.Stdout.Printf("%s is not leased\n", unit)
		return nil
	}
	c.Stdout.Printf("%s is owned by %s, who leased %s at %s", unit, held.Agent, held.Unit,
		held.ClaimedAt.Format(time.RFC3339))
	if held.ExpiresAt != nil {
		c.Stdout.Printf(", until %s", held.ExpiresAt.Format(time.RFC3339))
	}
	c.Stdout.Printf("\n")
	return nil
}
