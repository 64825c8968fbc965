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

func (c command) runFeedback(call *cli.Context) error {
	ctx, vote := call.Context, call.Args().First()
	if vote != ledger.Up && vote != ledger.Down {
		return usagef("feedback must be up or down, not %q", vote)
	}
	by := call.String("by")
	if by == "" {
		var err error
		if by, err = person(ctx); err != nil {
			return err
		}
	}
	effect, err := c.ledger().AddFeedback(ctx,
		ledger.Vote{
			Up: vote == ledger.Up, At: time.Now(), By: by, Actor: call.String("actor"), Commit: call.String("commit"),
		})
	c.remarks("", effect.Warnings, nil)
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, ledger.ErrActor) {
		return usageError{err}
	}
	if err != nil {
		return scoreError(err)
	}
	s := effect.Score
	defer c.tellOperator(call, s)
	score := 0
	if s.Score != nil {
		score = *s.Score
	}
	return c.answer(call.String("format"), votedScore{s.Actor, effect.Delta, score},
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
