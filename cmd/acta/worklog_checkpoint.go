package main

import (
	"cmp"
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

func (c command) worklogCheckpoint() *cli.Command {
	var session, phase string
	var notes bool
	return &cli.Command{
		Name: "checkpoint",
		Flags: []cli.Flag{
			choiceFlag("phase", "the phase that has ended (execution by default)", &phase, worklog.Phases()),
			sessionFlag(&session), notesFlag(&notes),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			return c.recordInSession(ctx.Context, session, func(s liveSession) error {
				if err := c.runWorklogCheckpoint(ctx.Context, s, cmp.Or(phase, "execution")); err != nil {
					return err
				}
				return c.note(ctx.Context, s, notes)
			})
		}),
	}
}

func (c command) runWorklogCheckpoint(ctx context.Context, s liveSession, phase string) error {
	if !s.WantsCheckpoint(phase) {
		c.Stderr.Printf("acta: no checkpoint: tier %s has none after the phase %s\n", s.Tier, phase)
		return nil
	}
	now := time.Now()
	return c.recorded(s.Record(ctx, now, worklog.NewCheckpoint(worklog.Stamp(now), phase)))
}
