package main

import (
	"context"
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
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

func (c command) worklogList() *cli.Command {
	var format string
	return &cli.Command{
		Name:   "list",
		Flags:  []cli.Flag{formatFlag(&format, "text", "json")},
		Action: atMost(0, func(ctx *cli.Context) error { return c.runWorklogList(ctx.Context, format) }),
	}
}

func (c command) runWorklogList(ctx context.Context, format string) error {
	all, _, err := c.sessions(ctx)
	if err != nil {
		return err
	}
	return worklog.WriteList(c.Stdout, all, format == "json")
}

func (c command) worklogGC() *cli.Command {
	return &cli.Command{Name: "gc", Action: atMost(0, func(ctx *cli.Context) error { return c.runWorklogGC(ctx.Context) })}
}

func (c command) runWorklogGC(ctx context.Context) error {
	return inDirs(ctx, func(r *repo.Repo, _, common string) error {
		done, err := worklog.Retention{Repo: r, CommonDir: common, Now: time.Now(), Wait: true}.Collect(ctx)
		if err != nil { // the record fails open
			c.warn("not all could be summed up; what is left stays as it is: %v", err)
		}
		c.Stdout.Printf("%d ended, %d cut to their summaries, %d deleted\n", len(done.Abandoned), len(done.Summarized),
			len(done.Deleted))
		return nil
	})
}
