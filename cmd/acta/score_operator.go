package main

import (
	"context"
	"os"
	"time"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/score"
)

// tellOperator tells the operator of today's score where it is a lockdown; ledger.Operator says how. What is in the
// way is a warning. No hook does this: a commit waits for nobody's webhook.
func (c command) tellOperator(ctx context.Context, s ledger.Score) {
	if s.Penalty != score.Lockdown.String() {
		return
	}
	err := inRepo(ctx, func(r *repo.Repo) error {
		state, err := hooks.StateDir(ctx, r, c.Getenv)
		if err != nil {
			return err
		}
		o := &ledger.Operator{Repo: r, State: state, Release: release, Env: os.Environ(), Now: time.Now()}
		_, err = o.Tell(ctx, s)
		return err
	})
	if err != nil {
		c.warn("the operator was not told of the lockdown, and will be by the next command that sees it: %v", err)
	}
}
