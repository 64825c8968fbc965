package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

func (c command) worklogShow() *cli.Command {
	var format string
	return &cli.Command{
		Name: "show", Usage: "show what was done in a session", ArgsUsage: "[SESSION]",
		Description: "SESSION is an id, or what the Session trailers of its commits say; without it the last session.\n" +
			"JSON and YAML hold to docs/schema/worklog.json.",
		Flags: []cli.Flag{formatFlag(&format, worklog.Formats()...)},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 1); err != nil {
				return err
			}
			return c.runWorklogShow(ctx.Context, ctx.Args().First(), format)
		},
	}
}

func (c command) runWorklogShow(ctx context.Context, name, format string) error {
	all, err := c.sessions(ctx)
	if err != nil {
		return err
	}
	if name == "" {
		if len(all) == 0 {
			return usagef("there is no session here yet")
		}
		return all[len(all)-1].Write(c.Stdout, format)
	}
	s, err := worklog.Find(all, name)
	if errors.Is(err, worklog.ErrNoSession) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	return s.Write(c.Stdout, format)
}
