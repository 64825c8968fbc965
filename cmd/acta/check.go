package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

type checkOptions struct{ message, format string }

func (c command) check() *cli.Command {
	var o checkOptions
	return &cli.Command{
		Name:  "check",
		Usage: "judge what would be committed now, without committing it",
		Description: "Reads the message as `git commit -F FILE` would and judges its claims against the index.\n" +
			"Nothing is written: not the index, not the message.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "message", Aliases: []string{"m"}, Usage: "the commit message's `FILE`, - for standard input", Destination: &o.message},
			formatFlag(&o.format, diag.Formats()...),
		},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return c.runCheck(ctx.Context, o)
		},
	}
}

func (c command) runCheck(ctx context.Context, o checkOptions) error {
	if o.message == "" {
		return usagef("check needs --message FILE")
	}
	message, err := c.readInput(o.message)
	if err != nil {
		return err
	}
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	message = parser.StoredUTF8(parser.Clean(message, parser.CleanWhitespace, ""))
	result, err := judge.Staged{
		Release: release, Message: message,
		Tree: r.IndexTree, Author: r.Author, MayAmend: true, Owners: hooks.Owners(r), Runs: hooks.Runs(r, c.Getenv("ACTA_SESSION")),
	}.Judge(ctx, r)
	if err != nil {
		return err
	}
	defer c.record.saidBy(message)
	return c.print(result, o.format, false)
}
