package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

type startOptions struct{ task, tier, actor string }

func (c command) worklogStart() *cli.Command {
	var o startOptions
	return &cli.Command{
		Name: "start", Usage: "begin a session, and print its id",
		Description: "The id, alone on standard output, is what ACTA_SESSION and the commits' Session trailer name.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "what is to be done: `TEXT`", Destination: &o.task},
			&cli.StringFlag{Name: "tier", Usage: "what is recorded: STRICT, STANDARD, LIGHT or EXEMPT; else ACTA_TIER, else STANDARD", Destination: &o.tier},
			&cli.StringFlag{Name: "actor", Usage: "who works: `NAME`; else ACTA_ACTOR", Destination: &o.actor},
		},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return c.runWorklogStart(ctx.Context, o)
		},
	}
}

func (c command) runWorklogStart(ctx context.Context, o startOptions) error {
	if strings.TrimSpace(o.task) == "" {
		return usagef("worklog start needs --task: what is to be done")
	}
	tier, ok := policy.ParseTier(cmp.Or(o.tier, c.Getenv("ACTA_TIER"), policy.Standard.String()))
	if !ok {
		return usagef("the tier is STRICT, STANDARD, LIGHT or EXEMPT, not %q", cmp.Or(o.tier, c.Getenv("ACTA_TIER")))
	}
	now := time.Now()
	b := worklog.Beginning{
		ID: worklog.NewSessionID(now), Task: o.task, Tier: tier.String(), Started: now.UTC(), Actor: cmp.Or(o.actor, c.Getenv("ACTA_ACTOR")),
	}
	if err := c.start(ctx, b); err != nil {
		c.warn("the session is not recorded: %v", err)
	}
	_, err := fmt.Fprintln(c.Stdout, b.ID)
	return err
}

func (c command) start(ctx context.Context, b worklog.Beginning) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	gitDir, common, err := r.Dirs(ctx)
	if err != nil {
		return err
	}
	b.WorkTree = gitDir
	if _, err := worklog.Start(common, b); err != nil {
		return err
	}
	if err := worklog.FlushEnded(ctx, r, common, b.Started); err != nil {
		c.warn("sessions that have ended are not in refs/worklog yet: %v", err)
	}
	return nil
}
