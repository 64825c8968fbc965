package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
)

type lintOptions struct {
	strict bool
	format string
}

func (c command) planLint() *cli.Command {
	var o lintOptions
	return &cli.Command{
		Name: "lint",
		Description: "Write an item as " + plan.Guide + ". Complete units are left out. A plan that cannot be\n" +
			"read has exit code 1, vague items only with --strict.",
		Flags: []cli.Flag{
			boolFlag(&o.strict, "strict", "exit code 1 where there is a vague item"),
			formatFlag(&o.format, "text", "jsonl"),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runLint(ctx.Context, r, o) })
		}),
	}
}

func (c command) runLint(ctx context.Context, r *repo.Repo, o lintOptions) error {
	path, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	vague := plan.Lint(root)
	for _, v := range vague {
		if o.format == "text" {
			c.Stdout.Printf("%s:%d:%d: warning: %s\n", path, v.Line, v.Column, v)
			continue
		}
		if err := diag.WriteLine(c.Stdout, vagueItem{path, v.Line, v.Column, v.Unit, v.Item}); err != nil {
			return err
		}
	}
	if o.strict && len(vague) > 0 {
		return exit(exitFindings)
	}
	return nil
}
