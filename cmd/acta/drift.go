package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) runDrift(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	base, head, err := splitRange(cmp.Or(call.Args().First(), "HEAD"))
	if err != nil {
		return err
	}
	report, err := judge.NewHistory(r, nil).Claims(ctx, base, head)
	if err != nil {
		return err
	}
	if err := c.answer(call.String("format"), report, driftText(report)); err != nil {
		return err
	}
	return c.finish(report.Warnings, report.Undecided, report.Code())
}

// driftText is a line a claim, the reason below it, and one line that sums up.
func driftText(r *judge.ClaimsReport) string {
	var b strings.Builder
	states := map[evidence.State]int{}
	for _, c := range r.Claims {
		states[c.State]++
		line := fmt.Sprintf("%-8s  %s  %s  %s → %s  (%.12s)", c.State, c.Unit, c.Item, c.Evidence, whereNow(c), c.Commit)
		b.WriteString(report.OneLine(line) + "\n")
		if c.Reason != "" {
			b.WriteString("    " + report.OneLine(c.Reason) + "\n")
		}
	}
	var counts []string
	for s := evidence.StateHolds; s <= evidence.StateHollowed; s++ {
		if states[s] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", states[s], s))
		}
	}
	if counts == nil {
		counts = []string{"no claims"}
	}
	fmt.Fprintf(&b, "acta: %s\n", strings.Join(counts, ", "))
	return b.String()
}

func whereNow(c judge.Claim) string {
	switch {
	case c.State == evidence.StateGone:
		return "nowhere"
	case c.Line == 0:
		return c.Path
	case c.Line == c.EndLine:
		return fmt.Sprintf("%s:%d", c.Path, c.Line)
	}
	return fmt.Sprintf("%s:%d-%d", c.Path, c.Line, c.EndLine)
}
