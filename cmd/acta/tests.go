package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) tests() *cli.Command {
	var format string
	var staged bool
	return &cli.Command{
		Name: "tests",
		Flags: []cli.Flag{
			formatFlag(&format, "text", "json"),
			boolFlag(&staged, "staged", "compare the index with HEAD"),
		},
		Action: atMost(1, func(ctx *cli.Context) error {
			if staged && ctx.NArg() > 0 {
				return usagef("--staged compares the index with HEAD, and no range")
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error {
				return c.runTests(ctx.Context, r, ctx.Args().First(), staged, format)
			})
		}),
	}
}

func (c command) runTests(ctx context.Context, r *repo.Repo, commits string, staged bool, format string) error {
	var base, head string
	var err error
	switch {
	case staged:
	case commits != "":
		if base, head, err = splitRange(commits); err != nil {
			return err
		}
	default:
		if base, head, err = c.defaultRange(ctx, r); err != nil {
			staged = true
		}
	}
	boundMemory()
	var found *report.Tests
	if staged {
		found, err = judge.StagedTests(ctx, r)
	} else {
		found, err = judge.Tests(ctx, r, base, head)
	}
	if err != nil {
		return err
	}
	if found == nil {
		found = &report.Tests{Changes: []report.TestChange{}}
	}
	if format == "json" {
		return report.WriteIndented(c.Stdout, found)
	}
	_, err = c.Stdout.Write([]byte(testsText(found)))
	return err
}

// testsText is a line a change, what stood there before and stands there now below it, and one line that sums up.
func testsText(t *report.Tests) string {
	var b strings.Builder
	for _, c := range t.Changes {
		b.WriteString(c.Text())
	}
	fmt.Fprintf(&b, "acta: %s\n", t.Summary())
	return b.String()
}
