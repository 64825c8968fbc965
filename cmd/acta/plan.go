package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// identify takes what the command line leaves out from the environment, and then
// from git's configuration. It is the actor of the audit log from here on.
func (c command) identify(ctx context.Context, call *cli.Context, r *repo.Repo) (journal.By, error) {
	by := c.record.by
	by.Name, by.Reason = cmp.Or(call.String("actor"), by.Name), cmp.Or(call.String("reason"), by.Reason)
	by, err := worklog.Identify(ctx, r, by)
	if err != nil {
		return by, err
	}
	c.record.by = by
	return by, nil
}

// refusedBy is change.Refused, and a plan that is not there a matter of the configuration.
func refusedBy(err error) error {
	if none, ok := errors.AsType[*change.NoPlanError](err); ok {
		return &policy.ConfigError{Err: none}
	}
	return change.Refused(err)
}

// hintOf is what to do about a refusal, "" where it does not say.
func hintOf(refused *change.RefusedError) string {
	if owned, ok := errors.AsType[*lease.OwnedError](refused); ok && owned.Actor == "" {
		return "say who you are: --actor NAME, ACTA_ACTOR, or git's configuration acta.actor"
	}
	return refused.Hint()
}

// readPlan reads the plan of the work tree, else of HEAD; the error of one that is not there or cannot be read says so.
func readPlan(ctx context.Context, r *repo.Repo) (path string, root *plan.Unit, err error) {
	path, root, err = snapshot.WorkPlan(ctx, r)
	if err == nil && root == nil {
		err = &change.NoPlanError{Path: path}
	}
	return path, root, refusedBy(err)
}

// here is the action of a command that takes so many arguments and works in the repository of the working directory.
func here(most int, do func(context.Context, *cli.Context, *repo.Repo) error) cli.ActionFunc {
	return atMost(most, func(call *cli.Context) error {
		return inRepo(call.Context, func(r *repo.Repo) error { return do(call.Context, call, r) })
	})
}

// inRepo calls do with the repository of the working directory.
func inRepo(ctx context.Context, do func(*repo.Repo) error) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	return do(r)
}
