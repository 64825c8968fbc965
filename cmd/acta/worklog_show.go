package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/repo"
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

func (c command) worklogStats() *cli.Command {
	var format string
	return &cli.Command{
		Name:   "stats",
		Flags:  []cli.Flag{formatFlag(&format, "text", "json")},
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

func (c command) worklogGC() *cli.Command {
	var dryRun bool
	var format string
	return &cli.Command{
		Name: "gc",
		Flags: []cli.Flag{
			boolFlag(&dryRun, "dry-run", "say what would be done, and do nothing"),
			formatFlag(&format, "text", "json"),
		},
		Action: atMost(0, func(ctx *cli.Context) error { return c.runWorklogGC(ctx.Context, dryRun, format) }),
	}
}

func (c command) runWorklogGC(ctx context.Context, dryRun bool, format string) error {
	return inDirs(ctx, func(r *repo.Repo, _, common string) error {
		done, err := worklog.Retention{
			Repo: r, CommonDir: common, Now: time.Now(), DryRun: dryRun, Wait: true,
		}.Collect(ctx)
		if err != nil { // the record fails open
			c.warn("not all could be summed up; what is left stays as it is: %v", err)
		}
		return writeRetained(c.Stdout, done, dryRun, format)
	})
}

func writeRetained(w io.Writer, done worklog.Retained, dryRun bool, format string) error {
	if format == "json" {
		return diag.WriteIndented(w, retained{dryRun, done})
	}
	var b strings.Builder
	would := ""
	if dryRun {
		would = "would be "
	}
	for _, group := range []struct {
		names []string
		said  string
	}{
		{done.Abandoned, "ended: nothing was recorded for 30 days"},
		{done.Summarized, "cut to its summary"}, {done.Deleted, "deleted: it is older than the policy keeps it"},
	} {
		for _, name := range group.names {
			fmt.Fprintf(&b, "%s  %s%s\n", name, would, group.said)
		}
	}
	if b.Len() == 0 {
		b.WriteString("there is nothing to sum up or delete\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
