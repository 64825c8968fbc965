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

type heartbeatCall struct {
	file *parser.Heartbeat
	top  string
	repo *repo.Repo // opened at top
}

// inHeartbeat is the action of a command with the work tree's HEARTBEAT.md.
func (c command) inHeartbeat(do func(context.Context, *cli.Context, heartbeatCall) error) cli.ActionFunc {
	return repoAction(func(ctx context.Context, call *cli.Context, here *repo.Repo) error {
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
		if !file.HasSection {
			c.warn("%s has no section «## Tasks», so it has no tasks", heartbeat.Path)
		}
		return do(ctx, call, heartbeatCall{file, g.Top, r})
	})
}

func (c command) warnMalformed(file *parser.Heartbeat) {
	if n := len(file.Malformed); n > 0 {
		c.warn("%d line(s) of %s are malformed tasks and are left out; `acta heartbeat lint` explains "+
			"them", n, heartbeat.Path)
	}
}

func (c command) runHeartbeatLint(_ context.Context, _ *cli.Context, h heartbeatCall) error {
	for _, m := range h.file.Malformed {
		at := m.At
		c.Stdout.Printf("%s:%d:%d: error: %s\n", heartbeat.Path, at.Line, at.Column, report.OneLine(m.Message))
	}
	if len(h.file.Malformed) > 0 {
		return exitError(exitFindings)
	}
	return nil
}

func (c command) runHeartbeatNext(ctx context.Context, call *cli.Context, h heartbeatCall) error {
	c.warnMalformed(h.file)
	by, err := c.identify(ctx, call, h.repo)
	if err != nil {
		return err
	}
	s := c.standing(ctx, by.Name)
	defer c.notifyOperator(ctx, call, h.repo, s)
	t := heartbeat.Next(h.file, allRequired(s))
	if t == nil {
		c.Stderr.Printf("acta: no task is open\n")
		return exitError(exitFindings)
	}
	if call.String("format") == "text" {
		c.Stdout.Printf("%s\n%s\n", t.ID, report.OneLine(t.Description))
		return nil
	}
	isRequired := !t.IsOptional || allRequired(s)
	return report.WriteLine(c.Stdout, nextTask{t.ID, t.Description, isRequired, t.Verify, t.MaxAttempts, t.Line})
}

func (c command) runHeartbeatInterval(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	s, err := c.today(ctx, call.String("actor"))
	if err != nil {
		return err
	}
	defer c.notifyOperator(ctx, call, r, s)
	c.Stdout.Printf("%s\n", s.Interval)
	return err
}

func (c command) today(ctx context.Context, actor string) (ledger.Score, error) {
	scores, err := c.ledger().Days(ctx, ledger.Query{Actor: actor, Now: time.Now()})
	if err != nil {
		return ledger.Score{}, err
	}
	return scores[len(scores)-1], nil
}

// standing is today's score of an actor, "" for all together; empty if it is not known.
func (c command) standing(ctx context.Context, actor string) ledger.Score {
	s, err := c.today(ctx, actor)
	if err != nil {
		c.warn("the score is not known, so optional tasks stay optional: %v", err)
	}
	return s
}

// allRequired reports whether a score makes every task required. An unknown score does not.
func allRequired(s ledger.Score) bool {
	return s.Penalty == score.Escalated.String() || s.Penalty == score.Lockdown.String()
}

func (h heartbeatCall) tasks(ids []string) ([]*parser.Task, error) {
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

func (c command) runHeartbeatVerify(ctx context.Context, call *cli.Context, h heartbeatCall) error {
	tasks, err := h.tasks(call.Args().Slice())
	if err != nil {
		return err
	}
	c.warnMalformed(h.file)
	by, err := c.identify(ctx, call, h.repo)
	if err != nil {
		return err
	}
	gitDir, commonDir, err := h.repo.Dirs(ctx)
	if err != nil {
		return err
	}
	s := c.standing(ctx, by.Name)
	defer c.notifyOperator(ctx, call, h.repo, s)
	v := &heartbeat.Verification{
		Repo: h.repo, Top: h.top, GitDir: gitDir, CommonDir: commonDir, Env: os.Environ(), Caller: by, Now: time.Now(),
		AllRequired: allRequired(s), HasAgreed: call.Bool("notify"),
	}
	results, warnings, err := v.Verify(ctx, h.file, tasks)
	c.printRemarks("", warnings, nil)
	if err != nil {
		return err
	}
	if call.String("format") == "json" {
		err = c.printVerdicts(results)
	} else {
		c.printVerdictLines(results)
	}
	fails := func(r heartbeat.Result) bool { return r.Verdict == report.NotVerified }
	if err == nil && slices.ContainsFunc(results, fails) {
		err = exitError(exitFindings)
	}
	return err
}

func (c command) printVerdicts(results []heartbeat.Result) error {
	out := make([]taskVerdict, len(results))
	for i, r := range results {
		out[i] = taskVerdict{r.Task.ID, r.Verdict, r.IsContradiction, r.Attempts}
		if r.Reason != "" {
			c.Stderr.Printf("acta: %s: %s\n", r.Task.ID, report.OneLine(r.Reason))
		}
	}
	return json.NewEncoder(c.Stdout).Encode(out)
}

func (c command) printVerdictLines(results []heartbeat.Result) {
	for _, r := range results {
		c.Stdout.Printf("%-12s  %s (attempt %d of %d)", r.Verdict, r.Task.ID, r.Attempts, r.Task.MaxAttempts)
		if r.Reason != "" {
			c.Stdout.Printf(": %s", report.OneLine(r.Reason))
		}
		c.Stdout.Printf("\n")
		if r.IsContradiction {
			c.Stdout.Printf("    but its box is checked\n")
		}
		if !r.IsJudged {
			c.Stdout.Printf("    today's attempts are used up: it was not judged again\n")
		}
		if r.Verdict != report.Verified {
			c.printOutput(r)
		}
	}
}

// shownLines and shownBytes bound the shown output of a verifier: its last lines, and the beginning of each.
const (
	shownLines = 20
	shownBytes = 300
)

func (c command) printOutput(r heartbeat.Result) {
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
