package main

import "github.com/urfave/cli/v2"

// serveProgram is the executable of `acta serve` and `acta report`.
const serveProgram = "acta-serve"

func (c command) serve() *cli.Command {
	return &cli.Command{
		Name: "serve", Usage: "a page and an API for the score, the worklog, the plan and the claims",
		Description: "docs/serve.md says how. It runs acta-serve, which lies beside acta or on PATH, and has the " +
			"options of that.",
		SkipFlagParsing: true,
		Action: func(ctx *cli.Context) error {
			return c.companion(serveProgram, append([]string{"serve"}, ctx.Args().Slice()...)...)
		},
	}
}
