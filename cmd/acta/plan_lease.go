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

func (c command) runLease(ctx context.Context, call *cli.Context, u unitCall) error {
	ttl := call.Duration("ttl")
	if ttl < 0 {
		return usagef("--ttl must not be negative: %s", ttl)
	}
	by, err := u.namedCaller(ctx, call, c)
	if err != nil {
		return err
	}
	isNew, err := lease.Take(ctx, u.dir, u.key, by.Name, ttl, time.Now())
	if err != nil {
		return asCommandError(err)
	}
	if isNew {
		params := map[string]any{"unit": u.key, "agent": by.Name}
		if ttl > 0 {
			params["ttl"] = ttl.String()
		}
		c.saveEvent(u.dir, by, params)
	}
	c.Stdout.Printf("%s is leased to %s\n", u.key, by.Name)
	return nil
}

type unitCall struct {
	repo *repo.Repo
	key  string // the unit's key
	dir  string // of the state
}

func (c command) onUnit(do func(context.Context, *cli.Context, unitCall) error) cli.ActionFunc {
	return repoAction(func(ctx context.Context, call *cli.Context, r *repo.Repo) error {
		unit, err := unitArgument(call, "a task")
		if err != nil {
			return err
		}
		key, err := judge.UnitKey(ctx, r, unit)
		if err != nil {
			return asCommandError(err)
		}
		dir, err := r.CommonDir(ctx)
		if err != nil {
			return err
		}
		return do(ctx, call, unitCall{r, key, dir})
	})
}

func (u unitCall) namedCaller(ctx context.Context, call *cli.Context, c command) (journal.Caller, error) {
	by, err := c.identify(ctx, call, u.repo)
	if err == nil && by.Name == "" {
		err = usagef("plan %s needs --actor NAME, or ACTA_ACTOR, or git's configuration acta.actor", call.Command.Name)
	}
	return by, err
}

func (c command) runRelease(ctx context.Context, call *cli.Context, u unitCall) error {
	by, err := u.namedCaller(ctx, call, c)
	if err != nil {
		return err
	}
	held, err := lease.Release(ctx, u.dir, u.key, by.Name, call.Bool("force"), time.Now())
	if err != nil {
		return asCommandError(err)
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

func (c command) runOwner(_ context.Context, call *cli.Context, u unitCall) error {
	claims, err := lease.Read(u.dir)
	if err != nil {
		return err
	}
	held := claims.Holder(u.key, time.Now())
	if err := c.printOwner(u.key, held, call.String("format")); err != nil {
		return err
	}
	if actor := call.String("actor"); held != nil && actor != "" && actor != held.Agent {
		return change.AsRefused(&lease.OwnedError{Unit: u.key, Actor: actor, Holder: *held})
	}
	return nil
}

func (c command) printOwner(unit string, held *lease.UnitLease, format string) error {
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
