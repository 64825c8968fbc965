package main

import (
	"encoding/json"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/lease"
	"github.com/acta-git/acta/planchange"
)

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
		return planchange.Refused(&lease.OwnedError{Unit: u.key, Actor: o.actor, By: *held})
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
