package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

func (c command) runWorklogStart(call *cli.Context) error {
	task := call.String("task")
	if strings.TrimSpace(task) == "" {
		return usagef("worklog start needs --task: what is to be done")
	}
	said := cmp.Or(call.String("tier"), os.Getenv("ACTA_TIER"))
	tier, ok := policy.ParseTier(said)
	if !ok && said != "" {
		return usagef("the tier must be STRICT, STANDARD, LIGHT or EXEMPT, not %q", said)
	}
	now := time.Now()
	b := worklog.Beginning{Task: task, Actor: cmp.Or(call.String("actor"), os.Getenv("ACTA_ACTOR"))}
	if ok {
		b.Tier = tier.String()
	}
	id, err := c.begin(call.Context, now, b)
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
		b.Switches = switched()
		l, warnings, err := worklog.Begin(ctx, r, gitDir, common, now, b)
		c.remarks("", warnings, nil)
		if err == nil {
			id = l.ID
		}
		return err
	})
	return id, err
}

func (c command) runWorklogLog(call *cli.Context) error {
	about, files := call.String("context"), call.StringSlice("file")
	e := worklog.Operation{
		Action: worklog.Action(call.String("action")), Status: worklog.Status(call.String("status")), Context: about,
		Details: worklog.Details{Result: call.String("result")},
		Tokens:  worklog.Tokens(len(about) + len(strings.Join(files, " "))),
	}
	if e.Action == "" || e.Status == "" || strings.TrimSpace(about) == "" {
		return usagef("worklog log needs --action, --status and --context")
	}
	if call.IsSet("exit-code") {
		e.Details.ExitCode = new(call.Int("exit-code"))
	}
	if todos := call.Int("todos"); call.IsSet("todos") {
		if todos < 0 {
			return usagef("--todos must be 0 or more, not %d", todos)
		}
		e.Details.Todos = &todos
	}
	if e.Action == worklog.Check {
		e.Details.Phase = "execution"
	}
	ctx := call.Context
	return c.recordInSession(ctx, call.String("session"), func(s liveSession) error {
		e.Time, e.Details.Files = worklog.FormatTime(time.Now()), s.FromTop(ctx, ".", files)
		return c.recorded(s.Record(ctx, time.Now(), e))
	})
}

func (c command) runWorklogCheckpoint(call *cli.Context) error {
	phase := cmp.Or(call.String("phase"), "execution")
	return c.recordInSession(call.Context, call.String("session"), func(s liveSession) error {
		if !s.WantsCheckpoint(phase) {
			c.Stderr.Printf("acta: no checkpoint: tier %s has none after the phase %s\n", s.Tier, phase)
			return nil
		}
		now := time.Now()
		return c.recorded(s.Record(call.Context, now, worklog.NewCheckpoint(worklog.FormatTime(now), phase)))
	})
}

func (c command) runWorklogFinish(call *cli.Context) error {
	outcome := call.String("outcome")
	if outcome == "" {
		return usagef("worklog finish needs --outcome: success, failure or aborted")
	}
	return c.recordInSession(call.Context, call.String("session"), func(s liveSession) error {
		return c.recorded(s.End(call.Context, time.Now(), worklog.Outcome(outcome)))
	})
}
