package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

func (c command) worklogFinish() *cli.Command {
	var session, outcome string
	var notes bool
	return &cli.Command{
		Name: "finish",
		Flags: []cli.Flag{
			choiceFlag("outcome", "how it ended", &outcome, worklog.Outcomes()), sessionFlag(&session), notesFlag(&notes),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			if outcome == "" {
				return usagef("worklog finish needs --outcome: success, failure or aborted")
			}
			return c.recordInSession(ctx.Context, session, func(s liveSession) error {
				if err := c.runWorklogFinish(ctx.Context, s, worklog.Outcome(outcome)); err != nil {
					return err
				}
				return c.note(ctx.Context, s, notes)
			})
		}),
	}
}

func (c command) runWorklogFinish(ctx context.Context, s liveSession, outcome worklog.Outcome) error {
	return c.recorded(s.End(ctx, time.Now(), outcome))
}
