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
	said := cmp.Or(o.tier, os.Getenv("ACTA_TIER"))
	tier, ok := policy.ParseTier(said)
	if !ok && said != "" {
		return usagef("the tier must be STRICT, STANDARD, LIGHT or EXEMPT, not %q", said)
	}
	now := time.Now()
	b := worklog.Beginning{Task: o.task, Actor: cmp.Or(o.actor, os.Getenv("ACTA_ACTOR"))}
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

type logOptions struct {
	session, action, status, context, result string

	files           cli.StringSlice
	exitCode, todos *int
}

func (c command) worklogLog() *cli.Command {
	var o logOptions
	var code, todos int
	return &cli.Command{
		Name: "log",
		Flags: []cli.Flag{
			choiceFlag("action", "what was done", &o.action, worklog.Actions()),
			choiceFlag("status", "what became of it", &o.status, worklog.Statuses()),
			textFlag(&o.context, "context", "a short description, of a test run the command: `TEXT`"),
			listFlag(&o.files, "file",
				"a file that was changed: `PATH`, from the current folder or absolute; may be repeated"),
			&cli.IntFlag{Name: "exit-code", Usage: "the command's exit code", Destination: &code},
			&cli.IntFlag{Name: "todos", Usage: "how many todos a TodoWrite wrote", Destination: &todos},
			textFlag(&o.result, "result",
				"the whole result of the tool: `TEXT`; of a test run its counts are recorded, all of it with "+
					"--verbose-log, secrets masked"),
			sessionFlag(&o.session),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			if o.action == "" || o.status == "" || strings.TrimSpace(o.context) == "" {
				return usagef("worklog log needs --action, --status and --context")
			}
			if ctx.IsSet("exit-code") {
				o.exitCode = &code
			}
			if ctx.IsSet("todos") {
				if todos < 0 {
					return usagef("--todos must be 0 or more, not %d", todos)
				}
				o.todos = &todos
			}
			return c.recordInSession(ctx.Context, o.session, func(s liveSession) error {
				return c.runWorklogLog(ctx.Context, s, o)
			})
		}),
	}
}

func (c command) runWorklogLog(ctx context.Context, s liveSession, o logOptions) error {
	e := worklog.Operation{
		Time: worklog.FormatTime(time.Now()), Action: worklog.Action(o.action), Status: worklog.Status(o.status),
		Context: o.context,
		Details: worklog.Details{
			Files: s.FromTop(ctx, ".", o.files.Value()), ExitCode: o.exitCode, Todos: o.todos, Result: o.result,
		},
		Tokens: worklog.Tokens(len(o.context) + len(strings.Join(o.files.Value(), " "))),
	}
	if e.Action == worklog.Check {
		e.Details.Phase = "execution"
	}
	return c.recorded(s.Record(ctx, time.Now(), e))
}

func (c command) worklogCheckpoint() *cli.Command {
	var session, phase string
	return &cli.Command{
		Name: "checkpoint",
		Flags: []cli.Flag{
			choiceFlag("phase", "the phase that has ended (execution by default)", &phase, worklog.Phases()),
			sessionFlag(&session),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			return c.recordInSession(ctx.Context, session, func(s liveSession) error {
				return c.runWorklogCheckpoint(ctx.Context, s, cmp.Or(phase, "execution"))
			})
		}),
	}
}

func (c command) runWorklogCheckpoint(ctx context.Context, s liveSession, phase string) error {
	if !s.WantsCheckpoint(phase) {
		c.Stderr.Printf("acta: no checkpoint: tier %s has none after the phase %s\n", s.Tier, phase)
		return nil
	}
	now := time.Now()
	return c.recorded(s.Record(ctx, now, worklog.NewCheckpoint(worklog.FormatTime(now), phase)))
}

func (c command) worklogFinish() *cli.Command {
	var session, outcome string
	return &cli.Command{
		Name: "finish",
		Flags: []cli.Flag{
			choiceFlag("outcome", "how it ended", &outcome, worklog.Outcomes()), sessionFlag(&session),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			if outcome == "" {
				return usagef("worklog finish needs --outcome: success, failure or aborted")
			}
			return c.recordInSession(ctx.Context, session, func(s liveSession) error {
				return c.recorded(s.End(ctx.Context, time.Now(), worklog.Outcome(outcome)))
			})
		}),
	}
}
