package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

type startOptions struct{ task, tier, actor string }

func (c command) worklogStart() *cli.Command {
	var o startOptions
	return &cli.Command{
		Name: "start",
		Flags: []cli.Flag{
			textFlag(&o.task, "task", "what is to be done: `TEXT`"),
			textFlag(&o.tier, "tier",
				"what is recorded: STRICT, STANDARD, LIGHT or EXEMPT; else ACTA_TIER, else the default of the policy"),
			textFlag(&o.actor, "actor", "who works: `NAME`; else ACTA_ACTOR"),
		},
		Action: atMost(0, func(ctx *cli.Context) error { return c.runWorklogStart(ctx.Context, o) }),
	}
}

func (c command) runWorklogStart(ctx context.Context, o startOptions) error {
	if strings.TrimSpace(o.task) == "" {
		return usagef("worklog start needs --task: what is to be done")
	}
	said := cmp.Or(o.tier, c.Getenv("ACTA_TIER"))
	tier, ok := policy.ParseTier(said)
	if !ok && said != "" {
		return usagef("the tier is STRICT, STANDARD, LIGHT or EXEMPT, not %q", said)
	}
	now := time.Now()
	b := worklog.Beginning{Task: o.task, Actor: cmp.Or(o.actor, c.Getenv("ACTA_ACTOR"))}
	if ok {
		b.Tier = tier.String()
	}
	id, err := c.begin(ctx, now, b)
	if err != nil {
		id = worklog.NewSessionID(now) // for who reads it
		c.warn("the session is not recorded: %v", err)
	}
	_, err = fmt.Fprintln(c.Stdout, id)
	return err
}

// begin begins a session in which what this call switches holds to the end, and returns its id.
func (c command) begin(ctx context.Context, now time.Time, b worklog.Beginning) (id string, err error) {
	err = inDirs(ctx, func(r *repo.Repo, gitDir, common string) error {
		b.Switches = c.switched()
		l, warnings, err := worklog.Begin(ctx, r, gitDir, common, now, b)
		c.remarks("", warnings, nil)
		if err == nil {
			id = l.ID
		}
		return err
	})
	return id, err
}
