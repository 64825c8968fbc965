package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) delivery(call *cli.Context) (*ledger.Delivery, error) {
	address, within, file := call.String("report"), call.Duration("report-within"), call.String("report-token-file")
	if address == "" {
		if call.Bool("require-report") {
			return nil, usagef("--require-report needs --report URL")
		}
		return nil, nil
	}
	d := &ledger.Delivery{URL: address, Token: strings.TrimSpace(os.Getenv("ACTA_TOKEN")), Timeout: within}
	if err := d.Validate(); err != nil {
		return nil, usageError{fmt.Errorf("--report: %w", err)}
	}
	if within <= 0 {
		return nil, usagef("--report-within must be a time above zero, for example 15s, not %s", within)
	}
	if file != "" {
		var err error
		if d.Token, err = ledger.ReadToken(file); err != nil {
			return nil, usagef("--report-token-file: %w", err)
		}
	}
	return d, nil
}

// sendReport sends the result to a ledger. A failure is a warning, and with --require-report an error; nothing else
// depends on it.
func (c command) sendReport(
	ctx context.Context, call *cli.Context, r *repo.Repo, d *ledger.Delivery, span judge.LandedRange,
) error {
	if d == nil {
		return nil
	}
	got, err := c.send(ctx, call, r, d, span)
	switch {
	case err == nil:
		c.Stderr.Printf("acta: reported %s, %d of them new\n", report.Plural(got.Verdicts, "verdict"), got.New)
		return nil
	case call.Bool("require-report"):
		return fmt.Errorf("the result was not reported: %w", err)
	}
	c.warn("the result stands, but was not reported: %v", err)
	return nil
}

func (c command) send(
	ctx context.Context, call *cli.Context, r *repo.Repo, d *ledger.Delivery, span judge.LandedRange,
) (_ ledger.Received, err error) {
	name := call.String("report-as")
	if name == "" {
		if name, err = c.repositoryName(ctx, r); err != nil {
			return ledger.Received{}, err
		}
	}
	landed, err := c.isLandedInCI(ctx, call, r, span.Head)
	if err != nil {
		return ledger.Received{}, err
	}
	store := &ledger.Repositories{Dirs: []string{"."}, Warn: c}
	report, err := store.Report(ctx, ledger.Range{Base: span.Base, Head: span.Head, Name: name, IsLanded: landed})
	if err != nil {
		return ledger.Received{}, err
	}
	return d.Send(ctx, report)
}

// repositoryName is the repository's name for every CI job: the service's, else the remote origin's, else its folder's.
func (c command) repositoryName(ctx context.Context, r *repo.Repo) (string, error) {
	if name := cmp.Or(os.Getenv("GITHUB_REPOSITORY"), os.Getenv("CI_PROJECT_PATH")); name != "" {
		return name, nil
	}
	const key = "remote.origin.url"
	config, err := r.Config(ctx, key)
	if err != nil {
		return "", err
	}
	// Jobs may reach one repository by several hosts and users.
	if _, name := repo.SplitRemote(cmp.Or(os.Getenv("BUILDKITE_REPO"), os.Getenv("GIT_URL"), config[key])); name != "" {
		return name, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if g, err := r.Layout(ctx); err == nil && g.Top != "" {
		dir = g.Top
	}
	return filepath.Base(dir), nil
}

// isLandedInCI reports whether the head of a range is on the default branch, if the CI service says so about the
// checked-out commit; nil if git must decide.
func (c command) isLandedInCI(ctx context.Context, call *cli.Context, r *repo.Repo, head string) (*bool, error) {
	if call.Args().First() != "" {
		named, err := r.Commit(ctx, head)
		if err != nil {
			return nil, err
		}
		if checkedOut, err := r.Head(ctx); err != nil || checkedOut.ID != named.ID {
			return nil, err
		}
	}
	job, err := c.ciJob()
	if err != nil || job == nil {
		return nil, nil // a scheduled run, for example
	}
	return job.isLanded(), nil
}
