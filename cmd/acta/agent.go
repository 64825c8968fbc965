package main

import "github.com/urfave/cli/v2"

func (c command) agent() *cli.Command {
	return &cli.Command{Name: "agent", Subcommands: []*cli.Command{c.agentHook()}}
}
