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

	"github.com/acta-git/acta/hooks/loop"
	"github.com/acta-git/acta/record/journal"
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
	by.Session = cmp.Or(by.Session, journal.OwnSession()) // all that one loop commits is of one session
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return err
	}
	told := &loopTeller{command: c, dir: dir, by: by}
	l := loop.Loop{
		Dir: ".", Env: os.Environ(), Executor: o.executor, Assessor: o.assessor, Navigator: o.navigator,
		MaxSteps: o.maxSteps, Timeout: o.timeout, By: by, Stderr: c.Stderr, Told: told,
	}
	done, err := l.Run(ctx)
	return c.ended(told.steps, done, err)
}

// loopTeller prints what a loop does.
type loopTeller struct {
	command
	dir   string
	by    journal.By
	steps int
}

// Did says what was committed. A changed plan is an event.
func (t *loopTeller) Did(s loop.Step) {
	t.steps++
	said := s.Said
	if s.Title == "ADAPT" {
		said = strings.Join(s.Moves, ", ")
		t.saveEvent(t.dir, t.by, map[string]any{"unit": s.Unit, "moves": s.Moves})
	}
	t.Stdout.Printf("%s\n", strings.TrimSpace(fmt.Sprintf("%.7s %s %s  %s", s.Commit, s.Title, s.Unit, said)))
}

// Refused says what a role is told.
func (t *loopTeller) Refused(unit, role string, again bool, err error) {
	what := "handed back to"
	if again {
		what = "refused for the second time, from"
	}
	t.warn("%s: %s the %s: %v", unit, what, role, err)
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
