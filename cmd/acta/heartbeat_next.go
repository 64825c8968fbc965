package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/heartbeat"
)

func (c command) heartbeatNext() *cli.Command {
	var actor, format string
	var notify bool
	return &cli.Command{
		Name: "next",
		Flags: []cli.Flag{
			actorFlag("asks", &actor),
			notifyFlag(&notify),
			formatFlag(&format, "text", "json"),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			return c.inHeartbeat(ctx.Context, func(h heartbeatCall) error {
				return c.runHeartbeatNext(ctx.Context, h, actor, format, notify)
			})
		}),
	}
}

func (c command) runHeartbeatNext(ctx context.Context, h heartbeatCall, actor, format string, notify bool) error {
	c.warnMalformed(h.file)
	by, err := c.identify(ctx, h.repo, whose{actor: actor})
	if err != nil {
		return err
	}
	s := c.standing(ctx, by.Name)
	defer c.tellOperator(ctx, s, notify)
	t := heartbeat.Next(h.file, allRequired(s))
	if t == nil {
		c.Stderr.Printf("acta: no task is open\n")
		return exit(exitFindings)
	}
	if format == "text" {
		c.Stdout.Printf("%s\n%s\n", t.ID.Value, diag.OneLine(t.Description.Value))
		return nil
	}
	return diag.WriteLine(c.Stdout, nextTask{
		t.ID.Value, t.Description.Value, !t.Optional || allRequired(s), t.Verify.Value, t.MaxAttempts, t.Line.Span.Start.Line,
	})
}
