package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

type nextOptions struct{ actor, format string }

func (c command) planNext() *cli.Command {
	var o nextOptions
	return &cli.Command{
		Name: "next", Usage: "print the task to work on: its key, then its description",
		Description: "Depth first: the first task that is neither complete nor escalated, that waits for nothing, and that\n" +
			"nobody else holds. Exit code 1, with the reason, where there is none.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "actor", Usage: "who asks: `NAME`; else ACTA_ACTOR, or git's configuration acta.actor", Destination: &o.actor},
			formatFlag(&o.format, "text", "json"),
		},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runNext(ctx.Context, r, o) })
		},
	}
}

func (c command) runNext(ctx context.Context, r *repo.Repo, o nextOptions) error {
	_, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	by, err := c.identify(ctx, r, whose{actor: o.actor})
	if err != nil {
		return err
	}
	claims, err := claimsOf(ctx, c, r)
	if err != nil {
		return err
	}
	n := plan.Next(root, func(key string) bool {
		h := claims.Holder(key, time.Now())
		return h == nil || h.Agent == by.Name
	})
	if n == nil {
		fmt.Fprintf(c.Stderr, "acta: %s\n", whyNone(root, by.Name, claims))
		return exit(exitFindings)
	}
	if o.format == "json" {
		return json.NewEncoder(c.Stdout).Encode(struct {
			Key  string     `json:"key"`
			Unit *plan.Unit `json:"unit"`
		}{n.Key, n.Unit})
	}
	fmt.Fprintln(c.Stdout, n.Key)
	if n.Description != "" {
		fmt.Fprintln(c.Stdout, n.Description)
	}
	return nil
}

// whyNone says why there is no task to take.
func whyNone(root *plan.Unit, actor string, claims worklog.Claims) string {
	var open, escalated, held int
	for _, n := range plan.NewIndex(root).Nodes {
		if !n.Acts() || n.Status == plan.Complete {
			continue
		}
		open++
		if h := claims.Holder(n.Key, time.Now()); n.FailureThreshold >= plan.Escalated {
			escalated++
		} else if h != nil && h.Agent != actor {
			held++
		}
	}
	if open == 0 {
		return "no task is open"
	}
	return fmt.Sprintf("no task can be taken: of %d that are open %d are escalated, %d are held by others, and %d wait for others to be complete",
		open, escalated, held, open-escalated-held)
}
