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

func (c command) runTests(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	commits, staged := call.Args().First(), call.Bool("staged")
	if staged && commits != "" {
		return usagef("--staged compares the index with HEAD, and no range")
	}
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
	return c.answer(call.String("format"), found, testsText(found))
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
