package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks/loop"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
)

func (c command) runLoop(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	for _, role := range []string{"executor", "assessor", "navigator"} {
		if strings.TrimSpace(call.String(role)) == "" {
			return usagef("loop needs --%s CMD", role)
		}
	}
	if call.Int("max-steps") < 0 || call.Duration("timeout") < 0 {
		return usagef("--max-steps and --timeout must not be negative")
	}
	by, err := c.identify(ctx, call, r)
	if err != nil {
		return err
	}
	by.Session = cmp.Or(by.Session, journal.ProcessSession()) // all commits of a loop have one session
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return err
	}
	witness := &loopPrinter{command: c, dir: dir, caller: by}
	l := loop.Loop{
		Dir: ".", Env: os.Environ(), Caller: by, Stderr: c.Stderr, Witness: witness,
		Executor: call.String("executor"), Assessor: call.String("assessor"), Navigator: call.String("navigator"),
		MaxSteps: call.Int("max-steps"), Timeout: call.Duration("timeout"),
	}
	done, err := l.Run(ctx)
	return c.loopResult(witness.steps, done, err)
}

type loopPrinter struct {
	command
	dir    string
	caller journal.Caller
	steps  int
}

// OnStep prints a commit. A changed plan is an event.
func (t *loopPrinter) OnStep(s loop.Step) {
	t.steps++
	details := s.Outcome
	if s.Title == "ADAPT" {
		details = strings.Join(s.Moves, ", ")
		t.saveEvent(t.dir, t.caller, map[string]any{"unit": s.Unit, "moves": s.Moves})
	}
	t.Stdout.Printf("%s\n", strings.TrimSpace(fmt.Sprintf("%.7s %s %s  %s", s.Commit, s.Title, s.Unit, details)))
}

// OnRefusal prints a refusal.
func (t *loopPrinter) OnRefusal(unit, role string, again bool, err error) {
	action := "handed back to"
	if again {
		action = "refused for the second time, from"
	}
	t.warn("%s: %s the %s: %v", unit, action, role, err)
}

func (c command) loopResult(steps int, done bool, err error) error {
	var stuck *loop.StuckError
	var missing *loop.NoAgentError
	switch {
	case errors.As(err, &stuck):
		c.Stderr.Printf("acta: %v\n", stuck)
		c.record.addMessage(failure, stuck.Error())
		return exitError(exitFindings)
	case errors.As(err, &missing):
		return usageError{err}
	case err != nil:
		return err
	case done:
		c.Stdout.Printf("the plan is complete\n")
	default:
		c.Stdout.Printf("stopped after %d commits (--max-steps)\n", steps)
	}
	return nil
}
