package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

func (c command) worklogList() *cli.Command {
	var format string
	return &cli.Command{
		Name:   "list",
		Flags:  []cli.Flag{formatFlag(&format, worklog.Formats()...)},
		Action: atMost(0, func(ctx *cli.Context) error { return c.runWorklogList(ctx.Context, format) }),
	}
}

func (c command) runWorklogList(ctx context.Context, format string) error {
	all, _, err := c.sessions(ctx)
	if err != nil {
		return err
	}
	return worklog.WriteList(c.Stdout, all, format)
}
