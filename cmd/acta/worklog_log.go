package main

import (
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

type logOptions struct {
	session, action, status, context string
	files                            cli.StringSlice
	exitCode                         *int
}

func (c command) worklogLog() *cli.Command {
	var o logOptions
	var code int
	return &cli.Command{
		Name: "log", Usage: "record an operation",
		Description: "What is recorded depends on the session's tier: TodoWrite and Task in all, Edit, Write and test runs\n" +
			"(Bash, with the command as --context) in STRICT and STANDARD, nothing in EXEMPT. What cannot be\n" +
			"recorded is a warning, and the exit code 0.",
		Flags: []cli.Flag{
			choiceFlag("action", "what was done", &o.action, worklog.Actions()),
			choiceFlag("status", "what became of it", &o.status, worklog.Statuses()),
			&cli.StringFlag{Name: "context", Usage: "a short description, of a test run the command: `TEXT`", Destination: &o.context},
			&cli.StringSliceFlag{Name: "file", Usage: "a file that was changed: `PATH`; may be repeated", Destination: &o.files},
			&cli.IntFlag{Name: "exit-code", Usage: "the command's exit code", Destination: &code},
			sessionFlag(&o.session),
		},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			if o.action == "" || o.status == "" || strings.TrimSpace(o.context) == "" {
				return usagef("worklog log needs --action, --status and --context")
			}
			if ctx.IsSet("exit-code") {
				o.exitCode = &code
			}
			return c.recordInSession(ctx.Context, o.session, func(s liveSession) error { return c.runWorklogLog(ctx.Context, s, o) })
		},
	}
}

func (c command) runWorklogLog(ctx context.Context, s liveSession, o logOptions) error {
	e := worklog.Operation{
		Time: worklog.Stamp(time.Now()), Action: worklog.Action(o.action), Status: worklog.Status(o.status), Context: o.context,
		Details: worklog.Details{Files: o.files.Value(), ExitCode: o.exitCode},
		Tokens:  worklog.Tokens(len(o.context) + len(strings.Join(o.files.Value(), " "))),
	}
	if len(e.Details.Files) == 0 {
		e.Details.Files = nil
	}
	if !s.Wants(e.Action, e.Context) {
		return nil
	}
	least := worklog.Batch
	if e.Status == worklog.Failed {
		least = 1
	}
	return c.addAndFlush(ctx, s, least, e)
}

// addAndFlush records an entry, and writes the session to its ref where at least so many lines are not there yet.
func (c command) addAndFlush(ctx context.Context, s liveSession, least int, e worklog.Operation) error {
	tear, err := s.Add(ctx, e)
	c.kept(s.Live, tear, 0)
	if err != nil {
		return err
	}
	return c.flush(ctx, s, least)
}

// flush writes a session to its ref. What is in the way is a warning: the entries are kept, and written the next time.
func (c command) flush(ctx context.Context, s liveSession, least int) error {
	unread, err := s.Flush(ctx, s.repo, least, time.Now())
	c.kept(s.Live, nil, unread)
	if err != nil {
		c.warn("the worklog is kept here and not in refs/worklog yet: %v", err)
	}
	return nil
}
