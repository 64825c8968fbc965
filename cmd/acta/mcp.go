package main

import "github.com/urfave/cli/v2"

// mcpProgram is the executable of `acta mcp`: what speaks the protocol is none of a hook's business.
const mcpProgram = "acta-mcp"

func (c command) mcp() *cli.Command {
	return &cli.Command{
		Name:   "mcp",
		Action: atMost(0, func(ctx *cli.Context) error { return c.companion(mcpProgram) }),
	}
}
