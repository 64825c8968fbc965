package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/journal"
)

func (c command) auditVerify() *cli.Command {
	return &cli.Command{
		Name:   "verify",
		Action: atMost(0, func(ctx *cli.Context) error { return c.runAuditVerify(ctx.Context) }),
	}
}

func (c command) runAuditVerify(ctx context.Context) error {
	dir, err := c.stateDir(ctx)
	if err != nil {
		return err
	}
	damaged := false
	for _, verify := range []func() (journal.State, error){
		journal.Audit(dir).Verify, journal.Events(dir).Verify,
		func() (journal.State, error) { return journal.VerifyRewrites(dir) }, journal.Heartbeats(dir).Verify,
		journal.Feedback(dir).Verify,
	} {
		s, err := verify()
		if err != nil {
			return errors.Join(fmt.Errorf("%s cannot be read", s.Path), err)
		}
		few := s.Path == journal.Heartbeats(dir).Path() || s.Path == journal.Feedback(dir).Path()
		if few && s.Lines+s.Torn == 0 && s.Fault == nil {
			continue // few repositories have one
		}
		c.printState(s)
		damaged = damaged || s.Fault != nil
	}
	if damaged {
		return exit(exitFindings)
	}
	return nil
}

// printState says what a log looks like.
func (c command) printState(s journal.State) {
	name := filepath.Base(s.Path)
	switch {
	case s.Fault != nil && s.Fault.Line > 0:
		c.Stdout.Printf("%s:%d: %s\n", name, s.Fault.Line, s.Fault.Reason)
	case s.Fault != nil:
		c.Stdout.Printf("%s: %s\n", name, s.Fault.Reason)
	case s.Lines == 0 && s.Torn == 0:
		c.Stdout.Printf("%s: nothing recorded\n", name)
	case s.Torn == 0:
		c.Stdout.Printf("%s: %s\n", name, asWritten(s.Lines))
	}
	if s.Torn > 0 {
		c.Stdout.Printf(
			"%s:%d: a crash tore the last line (%d bytes are left of it); the next line that is written moves it to %s.torn\n",
			name, s.Lines+1, s.Torn, name)
	}
}

func asWritten(lines int) string {
	if lines == 1 {
		return "1 line, as it was written"
	}
	return fmt.Sprintf("%d lines, as they were written", lines)
}
