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
		Name:   "stats",
		Flags:  []cli.Flag{formatFlag(&format, worklog.StatsFormats()...)},
		Action: atMost(0, func(ctx *cli.Context) error { return c.runWorklogStats(ctx.Context, format) }),
	}
}

func (c command) runWorklogStats(ctx context.Context, format string) error {
	return inDirs(ctx, func(r *repo.Repo, _, common string) error {
		stats, warnings, err := worklog.Statistics(ctx, r, common)
		if err != nil {
			return err
		}
		c.remarks("", warnings, nil)
		return stats.Write(c.Stdout, format)
	})
}
