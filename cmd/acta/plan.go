package main

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

func (c command) plan() *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "the plan, and who works on what",
		Subcommands: []*cli.Command{c.planClaim(), c.planRelease(), c.planOwner()},
	}
}

// whose says on the command line who acts, and why.
type whose struct{ actor, reason string }

func (w *whose) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "actor", Usage: "who acts: `NAME`; else ACTA_ACTOR, or git's configuration acta.actor", Destination: &w.actor},
		&cli.StringFlag{Name: "reason", Usage: "why, for the event log: `TEXT`", Destination: &w.reason},
	}
}

// identify takes what the command line leaves out from the environment, and then
// from git's configuration. It is the actor of the audit log from here on.
func (c command) identify(ctx context.Context, r *repo.Repo, w whose) (worklog.By, error) {
	by := c.record.by
	if w.actor != "" {
		by.Name = w.actor
	}
	if w.reason != "" {
		by.Reason = w.reason
	}
	if by.Name == "" || by.Session == "" {
		config, err := r.Config(ctx, "acta.actor", "acta.session")
		if err != nil {
			return by, err
		}
		if by.Name == "" {
			by.Name = config["acta.actor"]
		}
		if by.Session == "" {
			by.Session = config["acta.session"]
		}
	}
	by.Name = strings.Join(strings.Fields(by.Name), " ") // as a trailer says it
	c.record.by = by
	return c.record.whose(), nil
}

// refusedBy names the rule that an act on the plan or a claim broke.
func refusedBy(err error) error {
	var owned *worklog.OwnedError
	var above *worklog.HeldAboveError
	var unknown *judge.UnknownUnitError
	switch {
	case errors.As(err, &owned), errors.As(err, &above):
		return &refusedError{check.UnitNotOwned, err}
	case errors.As(err, &unknown):
		return &refusedError{check.PlanUnitUnknown, err}
	}
	return err
}
