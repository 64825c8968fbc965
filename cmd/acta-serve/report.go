package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/google/renameio/v2/maybe"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/serve"
)

func (c command) report() *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "write the page of a range to one file", ArgsUsage: "[REVISION | BASE..HEAD]",
		Description: "Writes findings, score, worklog, plan and the claims with their code as one self-contained\n" +
			"HTML file, for a CI artefact. Without a range it covers everything that HEAD reaches. It contains only what git\n" +
			"contains: equal commits give equal bytes.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "html", Usage: "write to `FILE`; - is standard output"},
		},
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 1 {
				return usagef("report takes one range, and got %q", ctx.Args().Slice())
			}
			file := ctx.String("html")
			if file == "" {
				return usagef("report needs --html FILE")
			}
			return c.runReport(ctx.Context, file, ctx.Args().First())
		},
	}
}

func (c command) runReport(ctx context.Context, file, commits string) error {
	span, err := judge.ParseRange(cmp.Or(commits, "HEAD"))
	if err != nil {
		return usageError{err}
	}
	page, err := c.page(ctx, span)
	if err != nil {
		return err
	}
	if file == "-" {
		_, err = c.Stdout.Write(page)
		return err
	}
	return maybe.WriteFile(file, page, 0o666)
}

// page is the report of a range. It cleans up before it is written: a reader that closes standard output ends the
// process.
func (c command) page(ctx context.Context, span judge.LandedRange) (_ []byte, err error) {
	r, err := serve.OpenRepository(ctx, ".", c.Env)
	if err != nil {
		return nil, err
	}
	// A report must not depend on this machine's state: its ledger gets an empty one.
	scratch, err := os.MkdirTemp("", "acta-report-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	var page bytes.Buffer
	err = serve.WriteReport(ctx, &page, r, span, scratch)
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrUnborn) {
		err = usageError{err}
	}
	return page.Bytes(), err
}
