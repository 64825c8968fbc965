package main

import "github.com/urfave/cli/v2"

func (c command) report() *cli.Command {
	var file string
	return &cli.Command{
		Name: "report",
		Flags: []cli.Flag{
			textFlag(&file, "html", "write to `FILE`; - is standard output"),
		},
		Action: atMost(1, func(ctx *cli.Context) error {
			if file == "" {
				return usagef("report needs --html FILE")
			}
			return c.companion(serveProgram, append([]string{"report", "--html", file, "--"}, ctx.Args().Slice()...)...)
		}),
	}
}
