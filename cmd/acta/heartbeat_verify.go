package main

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/heartbeat"
	"github.com/acta-git/acta/parser"
)

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
	if err == nil && slices.ContainsFunc(results, func(r heartbeat.Result) bool { return r.Verdict == diag.NotVerified }) {
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
			c.Stderr.Printf("acta: %s: %s\n", r.Task.ID.Value, diag.OneLine(r.Reason))
		}
	}
	return json.NewEncoder(c.Stdout).Encode(out)
}

// sayVerdicts prints a line a task, and below one that is not verified the end of what its verifier printed.
func (c command) sayVerdicts(results []heartbeat.Result) {
	for _, r := range results {
		c.Stdout.Printf("%-12s  %s (attempt %d of %d)", r.Verdict, r.Task.ID.Value, r.Attempts, r.Task.MaxAttempts)
		if r.Reason != "" {
			c.Stdout.Printf(": %s", diag.OneLine(r.Reason))
		}
		c.Stdout.Printf("\n")
		if r.Contradiction {
			c.Stdout.Printf("    its box is checked all the same\n")
		}
		if !r.Judged {
			c.Stdout.Printf("    no attempt of today is left: it was not judged again\n")
		}
		if r.Verdict != diag.Verified {
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
		c.Stdout.Printf("    | %s\n", diag.OneLine(strings.TrimRight(line[:min(len(line), shownBytes)], "\r")))
	}
}
