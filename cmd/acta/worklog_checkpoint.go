package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

func (c command) worklogCheckpoint() *cli.Command {
	var session, phase string
	return &cli.Command{
		Name: "checkpoint", Usage: "sum up what was done since the last checkpoint",
		Description: "STRICT has a checkpoint after each phase, STANDARD one after the execution, other tiers have none.",
		Flags: []cli.Flag{
			choiceFlag("phase", "the phase that has ended (execution by default)", &phase, worklog.Phases()), sessionFlag(&session),
		},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return c.recordInSession(ctx.Context, session, func(s liveSession) error {
				return c.runWorklogCheckpoint(ctx.Context, s, cmp.Or(phase, "execution"))
			})
		},
	}
}

func (c command) runWorklogCheckpoint(ctx context.Context, s liveSession, phase string) error {
	if !s.WantsCheckpoint(phase) {
		fmt.Fprintf(c.Stderr, "acta: no checkpoint: tier %s has none after the phase %s\n", s.Tier, phase)
		return nil
	}
	return c.addAndFlush(ctx, s, 1, worklog.Operation{
		Time: worklog.Stamp(time.Now()), Action: worklog.Check, Status: worklog.Completed,
		Context: phase + " is done", Details: worklog.Details{Phase: phase},
	})
}
