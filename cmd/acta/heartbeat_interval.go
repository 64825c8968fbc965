package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/score"
)

func (c command) heartbeatInterval() *cli.Command {
	var actor string
	var notify bool
	return &cli.Command{
		Name: "interval",
		Flags: []cli.Flag{
			textFlag(&actor, "actor", "by the score of `NAME`; without it by that of all together"), notifyFlag(&notify),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			s, err := c.today(ctx.Context, actor)
			if err != nil {
				return err
			}
			defer c.tellOperator(ctx.Context, s, notify)
			c.Stdout.Printf("%s\n", s.Interval)
			return err
		}),
	}
}

// today is the score of an actor, "" for all together, as it stands now.
func (c command) today(ctx context.Context, actor string) (ledger.Score, error) {
	scores, err := c.ledger().Days(ctx, ledger.Query{Actor: actor, Now: time.Now()})
	if err != nil {
		return ledger.Score{}, err
	}
	return scores[len(scores)-1], nil
}

// standing is today's score of an actor, "" for all together, as far as it can be told.
func (c command) standing(ctx context.Context, actor string) ledger.Score {
	s, err := c.today(ctx, actor)
	if err != nil {
		c.warn("the score cannot be told, so optional tasks stay optional: %v", err)
	}
	return s
}

// allRequired reports whether a score forces every task to be required. One that could not be told forces nothing.
func allRequired(s ledger.Score) bool {
	return s.Penalty == score.Escalated.String() || s.Penalty == score.Lockdown.String()
}
