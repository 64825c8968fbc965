package main

import "github.com/urfave/cli/v2"

// serveProgram is the executable of `acta serve` and `acta report`.
const serveProgram = "acta-serve"

func (c command) serve() *cli.Command {
	return &cli.Command{
		Name:            "serve",
		SkipFlagParsing: true,
		Action: func(ctx *cli.Context) error {
			return c.companion(serveProgram, append([]string{"serve"}, ctx.Args().Slice()...)...)
		},
	}
}
