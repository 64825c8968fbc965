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
		Name:  "show",
		Flags: []cli.Flag{formatFlag(&format, worklog.Formats()...)},
		Action: atMost(1, func(ctx *cli.Context) error {
			return c.runWorklogShow(ctx.Context, ctx.Args().First(), format)
		}),
	}
}

func (c command) runWorklogShow(ctx context.Context, name, format string) error {
	all, here, err := c.sessions(ctx)
	if err != nil {
		return err
	}
	switch {
	case name != "":
	case here != "":
		name = here
	case len(all) > 0:
		name = all[len(all)-1].ID
	default:
		return usagef("there is no session here yet")
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
