package main

import (
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/heartbeat"
)

func (c command) heartbeatLint() *cli.Command {
	var format string
	return &cli.Command{
		Name:  "lint",
		Flags: []cli.Flag{formatFlag(&format, "text", "jsonl")},
		Action: atMost(0, func(ctx *cli.Context) error {
			return c.inHeartbeat(ctx.Context, func(h heartbeatCall) error { return c.runHeartbeatLint(h, format) })
		}),
	}
}

func (c command) runHeartbeatLint(h heartbeatCall, format string) error {
	for _, m := range h.file.Malformed {
		at := m.Span.Start
		if format == "text" {
			c.Stdout.Printf("%s:%d:%d: error: %s\n", heartbeat.Path, at.Line, at.Column, diag.OneLine(m.Message))
			continue
		}
		if err := diag.WriteLine(c.Stdout, malformedTask{heartbeat.Path, at.Line, at.Column, m.Message}); err != nil {
			return err
		}
	}
	if len(h.file.Malformed) > 0 {
		return exit(exitFindings)
	}
	return nil
}
