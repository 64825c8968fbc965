package main

import (
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/worklog"
)

type logOptions struct {
	session, action, status, context, agentType, result string

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
			textFlag(&o.agentType, "agent-type", "of a Task the kind of the sub-agent: `NAME`"),
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
					return usagef("--todos is 0 or more, not %d", todos)
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
		Time: worklog.Stamp(time.Now()), Action: worklog.Action(o.action), Status: worklog.Status(o.status),
		Context: o.context,
		Details: worklog.Details{
			Files: s.FromTop(ctx, ".", o.files.Value()), ExitCode: o.exitCode, Todos: o.todos, AgentType: o.agentType,
			Result: o.result,
		},
		Tokens: worklog.Tokens(len(o.context) + len(strings.Join(o.files.Value(), " "))),
	}
	if e.Action == worklog.Check {
		e.Details.Phase = "execution"
	}
	return c.recorded(s.Record(ctx, time.Now(), e))
}
