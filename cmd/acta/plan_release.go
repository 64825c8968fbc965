package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/lease"
)

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
	c.saveEvent(ctx, u.dir, by, map[string]any{"unit": held.Unit, "agent": held.Agent, "forced": forced})
	if forced {
		c.Stdout.Printf("%s is released; it was leased to %s\n", held.Unit, held.Agent)
		return nil
	}
	c.Stdout.Printf("%s is released\n", held.Unit)
	return nil
}
