package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

type feedbackOptions struct {
	commit, by, actor, format string
	notify                    bool
}

func (c command) scoreFeedback() *cli.Command {
	var o feedbackOptions
	return &cli.Command{
		Name: "feedback",
		Flags: []cli.Flag{
			textFlag(&o.commit, "commit", "the commit that it is about, any `REVISION`"),
			textFlag(&o.by, "by", "who gives it, `NAME`; else git's user.name"),
			textFlag(&o.actor, "actor", "whose work it is about, `NAME`"),
			notifyFlag(&o.notify),
			formatFlag(&o.format, "text", "json"),
		},
		Action: atMost(1, func(ctx *cli.Context) error {
			vote := ctx.Args().First()
			if vote != ledger.Up && vote != ledger.Down {
				return usagef("feedback must be up or down, not %q", vote)
			}
			return c.runFeedback(ctx.Context, vote == ledger.Up, o)
		}),
	}
}

func (c command) runFeedback(ctx context.Context, up bool, o feedbackOptions) error {
	by := o.by
	if by == "" {
		var err error
		if by, err = person(ctx); err != nil {
			return err
		}
	}
	effect, err := c.ledger().AddFeedback(ctx,
		ledger.Vote{Up: up, At: time.Now(), By: by, Actor: o.actor, Commit: o.commit})
	c.remarks("", effect.Warnings, nil)
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, ledger.ErrActor) {
		return usageError{err}
	}
	if err != nil {
		return scoreError(err)
	}
	s := effect.Score
	defer c.tellOperator(ctx, s, o.notify)
	score := 0
	if s.Score != nil {
		score = *s.Score
	}
	return c.answer(o.format, votedScore{s.Actor, effect.Delta, score},
		fmt.Sprintf("%+d for %s: score %d, target %d\n", effect.Delta, report.OneLine(s.Actor), score, s.Target))
}

// person is who calls, as git knows them. An agent's ACTA_ACTOR is no person.
func person(ctx context.Context) (name string, err error) {
	err = inRepo(ctx, func(r *repo.Repo) error {
		const key = "user.name"
		config, err := r.Config(ctx, key)
		if err != nil {
			return err
		}
		if name = config[key]; name != "" {
			return nil
		}
		if names, err := r.Author(ctx); err == nil && names[0] != "" {
			name = names[0]
			return nil
		}
		return usagef("git does not know who you are; say who gives the feedback with --by NAME")
	})
	return name, err
}
