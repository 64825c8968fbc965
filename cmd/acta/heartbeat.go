package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/heartbeat"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) heartbeat() *cli.Command {
	return &cli.Command{
		Name:        "heartbeat",
		Subcommands: []*cli.Command{c.heartbeatLint(), c.heartbeatNext(), c.heartbeatVerify(), c.heartbeatInterval()},
	}
}

// heartbeatCall is a call on the HEARTBEAT.md of the work tree here.
type heartbeatCall struct {
	file *parser.Heartbeat
	top  string
	repo *repo.Repo // opened at top
}

// inHeartbeat calls do with the file of the work tree here.
func (c command) inHeartbeat(ctx context.Context, do func(heartbeatCall) error) error {
	return inRepo(ctx, func(here *repo.Repo) error {
		g, err := here.Layout(ctx)
		if err != nil {
			return err
		}
		if g.Top == "" {
			return &policy.ConfigError{Err: errors.New("this is not a work tree, and only a work tree has a " + heartbeat.Path)}
		}
		file, err := heartbeat.Read(g.Top)
		if errors.Is(err, heartbeat.ErrNoFile) {
			return &policy.ConfigError{Err: err}
		}
		if err != nil {
			return err
		}
		r, err := repo.Open(ctx, g.Top, repo.Options{})
		if err != nil {
			return err
		}
		defer r.Close()
		if !file.Found {
			c.warn("%s has no section «## Tasks», so it has no tasks", heartbeat.Path)
		}
		return do(heartbeatCall{file, g.Top, r})
	})
}

// warnMalformed says that lines are left out.
func (c command) warnMalformed(file *parser.Heartbeat) {
	if n := len(file.Malformed); n > 0 {
		c.warn("%d line(s) of %s are meant as tasks and are left out; `acta heartbeat lint` says why", n, heartbeat.Path)
	}
}

func (c command) heartbeatLint() *cli.Command {
	return &cli.Command{
		Name:   "lint",
		Action: atMost(0, func(ctx *cli.Context) error { return c.inHeartbeat(ctx.Context, c.runHeartbeatLint) }),
	}
}

func (c command) runHeartbeatLint(h heartbeatCall) error {
	for _, m := range h.file.Malformed {
		at := m.Span.Start
		c.Stdout.Printf("%s:%d:%d: error: %s\n", heartbeat.Path, at.Line, at.Column, report.OneLine(m.Message))
	}
	if len(h.file.Malformed) > 0 {
		return exit(exitFindings)
	}
	return nil
}

func (c command) heartbeatNext() *cli.Command {
	var actor, format string
	var notify bool
	return &cli.Command{
		Name: "next",
		Flags: []cli.Flag{
			actorFlag("asks", &actor),
			notifyFlag(&notify),
			formatFlag(&format, "text", "json"),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			return c.inHeartbeat(ctx.Context, func(h heartbeatCall) error {
				return c.runHeartbeatNext(ctx.Context, h, actor, format, notify)
			})
		}),
	}
}

func (c command) runHeartbeatNext(ctx context.Context, h heartbeatCall, actor, format string, notify bool) error {
	c.warnMalformed(h.file)
	by, err := c.identify(ctx, h.repo, whose{actor: actor})
	if err != nil {
		return err
	}
	s := c.standing(ctx, by.Name)
	defer c.tellOperator(ctx, s, notify)
	t := heartbeat.Next(h.file, allRequired(s))
	if t == nil {
		c.Stderr.Printf("acta: no task is open\n")
		return exit(exitFindings)
	}
	if format == "text" {
		c.Stdout.Printf("%s\n%s\n", t.ID.Value, report.OneLine(t.Description.Value))
		return nil
	}
	return report.WriteLine(c.Stdout, nextTask{
		t.ID.Value, t.Description.Value, !t.Optional || allRequired(s), t.Verify.Value, t.MaxAttempts, t.Line.Span.Start.Line,
	})
}

func (c command) heartbeatInterval() *cli.Command {
	var actor string
	var notify bool
	return &cli.Command{
		Name: "interval",
		Flags: []cli.Flag{
			textFlag(&actor, "actor", "by the score of `NAME`; without it by that of all together"), notifyFlag(&notify),
		},
		Action: atMost(0, func(ctx *cli.Context) error {
			s, err := c.today(ctx.Context, actor)
			if err != nil {
				return err
			}
			defer c.tellOperator(ctx.Context, s, notify)
			c.Stdout.Printf("%s\n", s.Interval)
			return err
		}),
	}
}

// today is the score of an actor, "" for all together, as it stands now.
func (c command) today(ctx context.Context, actor string) (ledger.Score, error) {
	scores, err := c.ledger().Days(ctx, ledger.Query{Actor: actor, Now: time.Now()})
	if err != nil {
		return ledger.Score{}, err
	}
	return scores[len(scores)-1], nil
}

// standing is today's score of an actor, "" for all together, as far as it can be told.
func (c command) standing(ctx context.Context, actor string) ledger.Score {
	s, err := c.today(ctx, actor)
	if err != nil {
		c.warn("the score cannot be told, so optional tasks stay optional: %v", err)
	}
	return s
}

// allRequired reports whether a score forces every task to be required. One that could not be told forces nothing.
func allRequired(s ledger.Score) bool {
	return s.Penalty == score.Escalated.String() || s.Penalty == score.Lockdown.String()
}

type heartbeatVerifyOptions struct {
	actor, format string
	notify        bool
}

func (c command) heartbeatVerify() *cli.Command {
	var o heartbeatVerifyOptions
	return &cli.Command{
		Name: "verify",
		Flags: []cli.Flag{
			actorFlag("asks", &o.actor),
			notifyFlag(&o.notify),
			formatFlag(&o.format, "text", "json"),
		},
		Action: func(ctx *cli.Context) error {
			return c.inHeartbeat(ctx.Context, func(h heartbeatCall) error {
				tasks, err := h.named(ctx.Args().Slice())
				if err != nil {
					return err
				}
				return c.runHeartbeatVerify(ctx.Context, h, tasks, o)
			})
		},
	}
}

// named are the tasks of these ids, each once; all for none.
func (h heartbeatCall) named(ids []string) ([]*parser.Task, error) {
	var tasks []*parser.Task
	for _, id := range ids {
		t := h.file.Find(id)
		if t == nil {
			return nil, usagef("%s has no task %q", heartbeat.Path, id)
		}
		if !slices.Contains(tasks, t) {
			tasks = append(tasks, t)
		}
	}
	if len(ids) == 0 {
		for i := range h.file.Tasks {
			tasks = append(tasks, &h.file.Tasks[i])
		}
	}
	return tasks, nil
}

func (c command) runHeartbeatVerify(
	ctx context.Context, h heartbeatCall, tasks []*parser.Task, o heartbeatVerifyOptions,
) error {
	c.warnMalformed(h.file)
	by, err := c.identify(ctx, h.repo, whose{actor: o.actor})
	if err != nil {
		return err
	}
	gitDir, commonDir, err := h.repo.Dirs(ctx)
	if err != nil {
		return err
	}
	s := c.standing(ctx, by.Name)
	defer c.tellOperator(ctx, s, o.notify)
	v := &heartbeat.Verification{
		Repo: h.repo, Top: h.top, GitDir: gitDir, CommonDir: commonDir, Env: os.Environ(), By: by, Now: time.Now(),
		AllRequired: allRequired(s), Agreed: o.notify,
	}
	results, warnings, err := v.Verify(ctx, h.file, tasks)
	c.remarks("", warnings, nil)
	if err != nil {
		return err
	}
	if o.format == "json" {
		err = c.printVerdicts(results)
	} else {
		c.sayVerdicts(results)
	}
	fails := func(r heartbeat.Result) bool { return r.Verdict == report.NotVerified }
	if err == nil && slices.ContainsFunc(results, fails) {
		err = exit(exitFindings)
	}
	return err
}

// printVerdicts prints an array with an object a task; reasons go to standard error.
func (c command) printVerdicts(results []heartbeat.Result) error {
	out := make([]taskVerdict, len(results))
	for i, r := range results {
		out[i] = taskVerdict{r.Task.ID.Value, r.Verdict, r.Contradiction, r.Attempts}
		if r.Reason != "" {
			c.Stderr.Printf("acta: %s: %s\n", r.Task.ID.Value, report.OneLine(r.Reason))
		}
	}
	return json.NewEncoder(c.Stdout).Encode(out)
}

// sayVerdicts prints a line a task, and below one that is not verified the end of what its verifier printed.
func (c command) sayVerdicts(results []heartbeat.Result) {
	for _, r := range results {
		c.Stdout.Printf("%-12s  %s (attempt %d of %d)", r.Verdict, r.Task.ID.Value, r.Attempts, r.Task.MaxAttempts)
		if r.Reason != "" {
			c.Stdout.Printf(": %s", report.OneLine(r.Reason))
		}
		c.Stdout.Printf("\n")
		if r.Contradiction {
			c.Stdout.Printf("    but its box is checked\n")
		}
		if !r.Judged {
			c.Stdout.Printf("    today's attempts are used up: it was not judged again\n")
		}
		if r.Verdict != report.Verified {
			c.sayOutput(r)
		}
	}
}

// shownLines and shownBytes are how much of a verifier's output is shown: its last lines, and the beginning of each.
const (
	shownLines = 20
	shownBytes = 300
)

func (c command) sayOutput(r heartbeat.Result) {
	text := strings.TrimRight(string(r.Output), "\r\n\t ")
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	if more := len(lines) - shownLines; more > 0 {
		c.Stdout.Printf("    (%d lines before are in %s)\n", more, r.OutputFile)
		lines = lines[more:]
	}
	for _, line := range lines {
		c.Stdout.Printf("    | %s\n", report.OneLine(strings.TrimRight(line[:min(len(line), shownBytes)], "\r")))
	}
}
