package main

import (
	"encoding/json"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/heartbeat"
)

func (c command) heartbeatLint() *cli.Command {
	var format string
	return &cli.Command{
		Name: "lint", Usage: "list the lines of HEARTBEAT.md that are meant as tasks and are none",
		Description: "A task is a line of the section «## Tasks»:\n" +
			"  - [ ] id | description | required | verify: hint | max_attempts: 5\n" +
			"All behind the description can be left out. Exit code 1 where a line is malformed, or an id taken twice.",
		Flags: []cli.Flag{formatFlag(&format, "text", "jsonl")},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return c.inHeartbeat(ctx.Context, func(h heartbeatCall) error { return c.runHeartbeatLint(h, format) })
		},
	}
}

func (c command) runHeartbeatLint(h heartbeatCall, format string) error {
	lines := json.NewEncoder(c.Stdout)
	lines.SetEscapeHTML(false)
	for _, m := range h.file.Malformed {
		at := m.Span.Start
		if format == "text" {
			c.Stdout.Printf("%s:%d:%d: error: %s\n", heartbeat.Path, at.Line, at.Column, diag.OneLine(m.Message))
			continue
		}
		err := lines.Encode(malformedTask{heartbeat.Path, at.Line, at.Column, m.Message})
		if err != nil {
			return err
		}
	}
	if len(h.file.Malformed) > 0 {
		return exit(exitFindings)
	}
	return nil
}
