package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// rangeMemory is the soft limit of the collector, so that any range fits in 400 MB: grammars, which it does not see,
// come on top.
const rangeMemory = 336 << 20

func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(rangeMemory)
	}
}

func (c command) runVerify(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	to, err := c.delivery(call)
	if err != nil {
		return err
	}
	span, err := c.rangeOf(ctx, r, call.Args().First())
	if err != nil {
		return err
	}
	boundMemory()
	span.Reports = reportFiles{command: c, call: call, repo: r}
	result, err := span.Judge(ctx, r)
	if err != nil {
		return err
	}
	if call.Bool("run-verifiers") {
		if err := span.RunVerifier(ctx, r, os.Environ(), result); err != nil {
			return err
		}
	}
	printed := c.print(result, call.String("format"), false)
	if err := c.sendReport(ctx, call, r, to, span); err != nil {
		return err // a required report that failed is exit code 3
	}
	return printed
}

func (c command) rangeOf(ctx context.Context, r *repo.Repo, commits string) (judge.LandedRange, error) {
	if commits == "" {
		base, head, err := c.defaultRange(ctx, r)
		return judge.LandedRange{Base: base, Head: head}, err
	}
	span, err := judge.ParseRange(commits)
	if err != nil {
		err = usageError{err}
	}
	return span, err
}

func (c command) runTests(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	commits, staged := call.Args().First(), call.Bool("staged")
	if staged && commits != "" {
		return usagef("--staged compares the index with HEAD, and no range")
	}
	span, err := c.rangeOf(ctx, r, commits)
	if err != nil && commits != "" {
		return err
	}
	boundMemory()
	var found *report.Tests
	if staged || err != nil {
		found, err = judge.StagedTests(ctx, r)
	} else {
		found, err = judge.Tests(ctx, r, span.Base, span.Head)
	}
	if err != nil {
		return err
	}
	if found == nil {
		found = &report.Tests{Changes: []report.TestChange{}}
	}
	return c.answer(call.String("format"), found, testsText(found))
}

func testsText(t *report.Tests) string {
	var b strings.Builder
	for _, c := range t.Changes {
		b.WriteString(c.Text())
	}
	fmt.Fprintf(&b, "acta: %s\n", t.Summary())
	return b.String()
}

func (c command) runDrift(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	span, err := c.rangeOf(ctx, r, cmp.Or(call.Args().First(), "HEAD"))
	if err != nil {
		return err
	}
	report, err := judge.NewHistory(r, nil).Claims(ctx, span.Base, span.Head)
	if err != nil {
		return err
	}
	if err := c.answer(call.String("format"), report, driftText(report)); err != nil {
		return err
	}
	return c.finish(report.Warnings, report.Undecided, report.Code())
}

func driftText(r *judge.ClaimsReport) string {
	var b strings.Builder
	states := map[evidence.State]int{}
	for _, c := range r.Claims {
		states[c.State]++
		line := fmt.Sprintf("%-8s  %s  %s  %s → %s  (%.12s)", c.State, c.Unit, c.Item, c.Evidence, currentPlace(c), c.Commit)
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

func currentPlace(c judge.Claim) string {
	if c.State == evidence.StateGone {
		return "nowhere"
	}
	return parser.Evidence{Path: c.Path, Start: c.Line, End: c.EndLine}.Place()
}
