package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

type nextOptions struct{ actor, format string }

func (c command) planNext() *cli.Command {
	var o nextOptions
	return &cli.Command{
		Name: "next",
		Flags: []cli.Flag{
			actorFlag("asks", &o.actor),
			formatFlag(&o.format, "text", "json"),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runNext(ctx.Context, r, o) })
		}),
	}
}

func (c command) runNext(ctx context.Context, r *repo.Repo, o nextOptions) error {
	_, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	by, err := c.identify(ctx, r, whose{actor: o.actor})
	if err != nil {
		return err
	}
	claims, err := claimsOf(ctx, c, r)
	if err != nil {
		return err
	}
	n, why := claims.NextTask(root, by.Name, time.Now())
	if n == nil {
		c.Stderr.Printf("acta: %s\n    `acta plan show` prints the plan, `acta plan add` adds a task\n", why)
		return exit(exitFindings)
	}
	last, err := judge.History(r, nil).LastAct(ctx, root)
	if err != nil {
		return err
	}
	act, err := last(n.Key)
	if err != nil {
		return err
	}
	due := act.Due(n)
	if o.format == "json" {
		return json.NewEncoder(c.Stdout).Encode(nextUnit{n.Key, n.Unit, due})
	}
	c.Stdout.Printf("%s\n", n.Key)
	if n.Description != "" {
		c.Stdout.Printf("%s\n", n.Description)
	}
	if due != "" {
		c.Stdout.Printf("%s\n", due)
	}
	return nil
}
