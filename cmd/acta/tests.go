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
	base, head, err := c.rangeOf(ctx, r, commits)
	if err != nil && commits != "" {
		return err
	}
	boundMemory()
	var found *report.Tests
	if staged || err != nil {
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
	return c.answer(format, found, testsText(found))
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
