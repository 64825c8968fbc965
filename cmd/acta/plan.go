package main

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

func (c command) plan() *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "the plan, and who works on what",
		Subcommands: []*cli.Command{
			c.planShow(), c.planNext(), c.planAdd(), c.planComplete(), c.planReopen(), c.planReplan(), c.planReassess(),
			c.planLint(), c.planDiff(), c.planClaim(), c.planRelease(), c.planOwner(),
		},
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
	var unnamed *worklog.UnnamedError
	var unknown *judge.UnknownUnitError
	var malformed *judge.MalformedPlanError
	var none *worklog.NoPlanError
	var violation *plan.Violation
	switch {
	case errors.As(err, &owned), errors.As(err, &above):
		return &refusedError{check.UnitNotOwned, err}
	case errors.As(err, &unnamed):
		return &refusedError{check.ActorMissing, err}
	case errors.As(err, &unknown):
		return &refusedError{check.PlanUnitUnknown, err}
	case errors.As(err, &malformed):
		return &refusedError{check.PlanInvalid, err}
	case errors.As(err, &violation):
		return &refusedError{violation.Rule, violated{violation}}
	case errors.As(err, &none):
		return &judge.ConfigError{Err: none}
	}
	return err
}

// violated is a violation that says what does not hold, without the rule.
type violated struct{ *plan.Violation }

func (v violated) Error() string { return v.Message }
func (v violated) Unwrap() error { return v.Violation }

// hintOf is what to do about an error, "" where it does not say.
func hintOf(err error) string {
	var v *plan.Violation
	var unnamed *worklog.UnnamedError
	switch {
	case errors.As(err, &v):
		return v.Hint
	case errors.As(err, &unnamed):
		return "say who you are: --actor NAME, ACTA_ACTOR, or git's configuration acta.actor"
	}
	return ""
}

// readPlan reads the plan of the work tree, else of HEAD; the error of one that is not there or cannot be read says so.
func readPlan(ctx context.Context, r *repo.Repo) (path string, root *plan.Unit, err error) {
	path, root, err = judge.WorkPlan(ctx, r, release)
	if err == nil && root == nil {
		err = &worklog.NoPlanError{Path: path}
	}
	return path, root, refusedBy(err)
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
