package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

func (c command) worklogStats() *cli.Command {
	var format string
	return &cli.Command{
		Name: "stats", Usage: "measure how well the record works, against its targets",
		Description: "The share of operations that are recorded, of verifications that passed, of checkpoints that led to\n" +
			"another plan, of sessions with a switch, and the tokens that a session costs, by tier. A measure of\n" +
			"which nothing is known is null. docs/worklog.md says what each can see and what not.",
		Flags: []cli.Flag{formatFlag(&format, worklog.StatsFormats()...)},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return c.runWorklogStats(ctx.Context, format)
		},
	}
}

func (c command) runWorklogStats(ctx context.Context, format string) error {
	return inDirs(ctx, func(r *repo.Repo, _, common string) error {
		stats, warnings, err := worklog.Statistics(ctx, r, common, release)
		if err != nil {
			return err
		}
		c.remarks("", warnings, nil)
		return stats.Write(c.Stdout, format)
	})
}
