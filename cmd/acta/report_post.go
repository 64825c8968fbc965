package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/repo"
)

// reportWithin bounds how long a job waits for a ledger where nobody says.
const reportWithin = 15 * time.Second

// reportOptions say which ledger a result goes to.
type reportOptions struct {
	url, tokenFile, name string
	within               time.Duration
	require              bool
}

func (o *reportOptions) flags() []cli.Flag {
	return []cli.Flag{
		textFlag(&o.url, "report", "tell the ledger at `URL` the result"),
		textFlag(&o.tokenFile, "report-token-file", "read the ledger's token from `FILE`; else it is ACTA_TOKEN"),
		textFlag(&o.name, "report-as", "what the ledger calls this repository, `NAME`; else as CI or its origin does"),
		&cli.DurationFlag{
			Name: "report-within", Usage: "how long to try, `TIME`", Value: reportWithin, Destination: &o.within,
		},
		boolFlag(&o.require, "require-report",
			"exit code 3 where the ledger does not take the result; else that is a warning"),
	}
}

// delivery is to the ledger that is named; nil where none is.
func (c command) delivery(o *reportOptions) (*ledger.Delivery, error) {
	if o.url == "" {
		if o.require {
			return nil, usagef("--require-report needs --report URL")
		}
		return nil, nil
	}
	d := &ledger.Delivery{URL: o.url, Token: strings.TrimSpace(c.Getenv("ACTA_TOKEN")), Within: o.within}
	if err := d.Validate(); err != nil {
		return nil, usageError{fmt.Errorf("--report: %w", err)}
	}
	if o.within <= 0 {
		return nil, usagef("--report-within is a time, as in 15s, and not %s", o.within)
	}
	if o.tokenFile != "" {
		data, err := os.ReadFile(o.tokenFile)
		if err != nil {
			return nil, usageError{fmt.Errorf("--report-token-file: %w", err)}
		}
		if d.Token = strings.TrimSpace(string(data)); d.Token == "" {
			return nil, usagef("--report-token-file: %s holds no token", o.tokenFile)
		}
	}
	return d, nil
}

// judged is a range that was judged. Given says that it was asked for by name.
type judgedRange struct {
	base, head string
	given      bool
}

// tell tells a ledger what was judged. A ledger that does not take it is a warning, and
// with --require-report an error; nothing else of the run depends on it.
func (c command) tell(ctx context.Context, o *reportOptions, d *ledger.Delivery, span judgedRange) error {
	if d == nil {
		return nil
	}
	got, err := c.send(ctx, o, d, span)
	switch {
	case err == nil:
		c.Stderr.Printf("acta: reported %s, %d of them new\n", diag.Plural(got.Verdicts, "verdict"), got.New)
		return nil
	case o.require:
		return fmt.Errorf("the result was not reported: %w", err)
	}
	c.warn("the result was not reported, and stands: %v", err)
	return nil
}

func (c command) send(
	ctx context.Context, o *reportOptions, d *ledger.Delivery, span judgedRange,
) (ledger.Received, error) {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return ledger.Received{}, err
	}
	defer r.Close()
	name := o.name
	if name == "" {
		if name, err = c.repositoryName(ctx, r); err != nil {
			return ledger.Received{}, err
		}
	}
	landed, err := c.landedByCI(ctx, r, span)
	if err != nil {
		return ledger.Received{}, err
	}
	store := &ledger.Repositories{Dirs: []string{"."}, Warn: func(w string) { c.warn("%s", w) }}
	report, err := store.Report(ctx, ledger.Range{Base: span.base, Head: span.head, Name: name, Landed: landed})
	if err != nil {
		return ledger.Received{}, err
	}
	return d.Send(ctx, report)
}
