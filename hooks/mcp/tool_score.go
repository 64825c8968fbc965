package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/acta-git/acta/record/ledger"
)

type scoreInput struct {
	callerInput
	OfActor string `json:"actor,omitempty" jsonschema:"whose score, for example executor-01; default: all actors together"`
}

// standing renames ledger.Score: embedded as Score it would hide its own field of that name.
type standing ledger.Score

type scoreOutput struct {
	standing
	Warnings []string `json:"warnings,omitempty"`
}

// score is today's score, as `acta score --format json` prints it. The operator is told of a lockdown.
func (c *call) score(ctx context.Context, in scoreInput) (scoreOutput, error) {
	store := &ledger.Repositories{Dirs: []string{c.Dir}, Warn: c}
	days, err := store.Days(ctx, ledger.Query{Actor: in.OfActor, Now: time.Now()})
	if err != nil {
		return scoreOutput{}, err
	}
	today := days[len(days)-1]
	o := &ledger.Operator{Repo: c.repo, State: c.state, Env: c.Env, Now: time.Now()}
	if _, err := o.Notify(ctx, today); err != nil {
		c.Warn(fmt.Sprintf("the operator could not be told of the lockdown; the next command that reads the score tries "+
			"again: %v",
			err))
	}
	return scoreOutput{standing(today), c.warnings}, nil
}
