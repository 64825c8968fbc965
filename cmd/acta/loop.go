package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/hooks/loop"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

type loopOptions struct {
	whose
	executor, assessor, navigator string
	maxSteps                      int
	timeout                       time.Duration
}

func (c command) loop() *cli.Command {
	var o loopOptions
	return &cli.Command{
		Name: "loop",
		Flags: append(o.flags(),
			textFlag(&o.executor, "executor", "does a task: `CMD`"),
			textFlag(&o.assessor, "assessor", "gathers facts about it: `CMD`"),
			textFlag(&o.navigator, "navigator", "plans what follows from them: `CMD`"),
			&cli.IntFlag{
				Name: "max-steps", Usage: "make `N` commits at most; 0 for as many as it takes", Destination: &o.maxSteps,
			},
			&cli.DurationFlag{
				Name: "timeout", Usage: "end a CMD, and all that it started, after `DURATION` (90s, 30m); 0 for never",
				Destination: &o.timeout,
			},
		),
		Action: atMost(0, func(ctx *cli.Context) error {
			if err := o.check(); err != nil {
				return err
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runLoop(ctx.Context, r, o) })
		}),
	}
}

func (o loopOptions) check() error {
	for _, role := range [][2]string{{"executor", o.executor}, {"assessor", o.assessor}, {"navigator", o.navigator}} {
		if strings.TrimSpace(role[1]) == "" {
			return usagef("loop needs --%s CMD", role[0])
		}
	}
	if o.maxSteps < 0 || o.timeout < 0 {
		return usagef("--max-steps and --timeout must not be negative")
	}
	return nil
}

func (c command) runLoop(ctx context.Context, r *repo.Repo, o loopOptions) error {
	by, err := c.identify(ctx, r, o.whose)
	if err != nil {
		return err
	}
	session, id := c.beginLoop(ctx, r, by)
	by.Session = cmp.Or(id, journal.OwnSession()) // all that one loop commits is of one session
	dir, err := hooks.StateDir(ctx, r, c.Getenv)
	if err != nil {
		return err
	}
	steps := 0
	l := loop.Loop{
		Dir: ".", Env: os.Environ(), Executor: o.executor, Assessor: o.assessor, Navigator: o.navigator,
		MaxSteps: o.maxSteps, Timeout: o.timeout, By: by, Stderr: c.Stderr,
		Asked: func(unit, role string, err error) { session.asked(ctx, unit, role, err) },
		Did:   func(s loop.Step) { steps++; c.stepped(ctx, dir, by, s) },
		Refused: func(unit, role string, again bool, err error) {
			what := "handed back to"
			if again {
				what = "refused for the second time, from"
			}
			c.warn("%s: %s the %s: %v", unit, what, role, err)
		},
	}
	done, err := l.Run(ctx)
	session.end(ctx, err)
	return c.ended(steps, done, err)
}

// stepped says what was committed. A changed plan is an event.
func (c command) stepped(ctx context.Context, dir string, by journal.By, s loop.Step) {
	said := s.Said
	if s.Title == "ADAPT" {
		said = strings.Join(s.Moves, ", ")
		c.saveEvent(ctx, dir, by, map[string]any{"unit": s.Unit, "moves": s.Moves})
	}
	c.Stdout.Printf("%s\n", strings.TrimSpace(fmt.Sprintf("%.7s %s %s  %s", s.Commit, s.Title, s.Unit, said)))
}

func (c command) ended(steps int, done bool, err error) error {
	var stuck *loop.StuckError
	var missing *loop.NoAgentError
	switch {
	case errors.As(err, &stuck):
		c.Stderr.Printf("acta: %v\n", stuck)
		c.record.say(failure, stuck.Error())
		return exit(exitFindings)
	case errors.As(err, &missing):
		return usageError{err}
	case err != nil:
		return err
	case done:
		c.Stdout.Printf("the plan is complete\n")
	default:
		c.Stdout.Printf("stopped after %d commits, as --max-steps asks\n", steps)
	}
	return nil
}

// loopHost is the host of a session that a loop has begun: it ends it, or the loop after it, if it was killed.
const loopHost = "loop"

// loopSession is the session of a loop, in which each call of an agent is recorded. The record fails open: nil records
// nothing.
type loopSession struct {
	command
	*worklog.Recorder
}

// beginLoop finds the session that a loop works in, and begins one where nobody named one and none runs. It returns the
// session's name, "" where there is none.
func (c command) beginLoop(ctx context.Context, r *repo.Repo, by journal.By) (*loopSession, string) {
	s, err := c.openLoop(ctx, r, by)
	if err != nil {
		c.warn("the loop is not recorded in the worklog: %v", err)
	}
	if s == nil {
		return nil, by.Session
	}
	s.Switches = c.switched()
	return s, s.ID
}

func (c command) openLoop(ctx context.Context, r *repo.Repo, by journal.By) (*loopSession, error) {
	gitDir, common, err := r.Dirs(ctx)
	if err != nil {
		return nil, err
	}
	if by.Session != "" {
		l, err := worklog.Choose(common, gitDir, by.Session)
		if errors.Is(err, worklog.ErrNoSession) {
			return nil, nil // it is somebody else's name
		}
		return &loopSession{c, &worklog.Recorder{Live: l, Repo: r}}, err
	}
	if c.switched().NoWorklog {
		return nil, nil
	}
	now := time.Now()
	b := worklog.Beginning{
		Task: "Work through the plan", Actor: by.Name, Host: loopHost, HostSession: journal.OwnSession(),
		Switches: c.switched(),
	}
	if _, root, err := snapshot.Head(r).Plan(ctx); err == nil && root != nil && root.Description != "" {
		b.Task += ": " + root.Description
	}
	if tier, ok := policy.ParseTier(c.Getenv("ACTA_TIER")); ok {
		b.Tier = tier.String()
	}
	l, warnings, err := worklog.Begin(ctx, r, gitDir, common, now, b)
	c.remarks("", warnings, nil)
	if err != nil {
		return nil, err
	}
	return &loopSession{c, &worklog.Recorder{Live: l, Repo: r}}, nil
}

// asked records that an agent was asked, and what became of it.
func (s *loopSession) asked(ctx context.Context, unit, role string, err error) {
	if s == nil {
		return
	}
	o := worklog.Operation{
		Action: worklog.Task, Status: worklog.Completed, Context: fmt.Sprintf("%s: %s", unit, role),
		Details: worklog.Details{AgentType: role},
	}
	if err != nil {
		o.Status = worklog.Failed
	}
	now := time.Now()
	o.Time = worklog.FormatTime(now)
	if err := s.recorded(s.Record(context.WithoutCancel(ctx), now, o)); err != nil {
		s.warn("not recorded in the worklog: %v", err)
	}
}

// end ends a session that a loop has begun: as its last ACT did, unless the loop itself came to grief.
func (s *loopSession) end(ctx context.Context, err error) {
	if s == nil || s.Host != loopHost {
		return
	}
	outcome, errEnded := s.Ended()
	switch {
	case ctx.Err() != nil:
		outcome = worklog.Aborted
	case err != nil:
		outcome = worklog.Failure
	}
	if errEnded == nil {
		errEnded = s.recorded(s.End(context.WithoutCancel(ctx), time.Now(), outcome))
	}
	if errEnded != nil {
		s.warn("the end of the loop is not recorded in the worklog: %v", errEnded)
	}
}
