package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/worklog"
)

// switchFlags are the options that switch parts of the worklog off, or more of it on.
func switchFlags(into *policy.Switches) []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "no-worklog", Usage: "record nothing; statuses are verified all the same", Destination: &into.NoWorklog},
		&cli.BoolFlag{Name: "skip-verify", Usage: "verify no changes of status", Destination: &into.SkipVerify},
		&cli.BoolFlag{Name: "no-checkpoints", Usage: "make no checkpoints", Destination: &into.NoCheckpoints},
		&cli.BoolFlag{Name: "verbose-log", Usage: "record whole results of tools, secrets masked", Destination: &into.VerboseLog},
	}
}

// switchBy lets what the call's options and the ACTA_* variables switch hold for a
// recorder, and records that they were used.
func (c command) switchBy(ctx context.Context, r *worklog.Recorder, flags policy.Switches) {
	now := time.Now()
	for _, by := range []struct {
		source string
		policy.Switches
	}{{worklog.ByFlag, flags}, {worklog.ByEnv, worklog.EnvSwitches(c.Getenv)}} {
		if err := r.Switch(ctx, now, by.Switches, by.source); err != nil {
			c.warn("%v", err)
		}
	}
}

// notesFlag is --notes.
func notesFlag(into *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: "notes", Usage: "sum the checkpoints up in the notes of the session's last ACT (" + worklog.NotesRef + ")", Destination: into,
	}
}

// note writes the notes of the session's last ACT where they are asked for.
func (c command) note(ctx context.Context, s liveSession, isAsked bool) error {
	if !isAsked {
		return nil
	}
	return s.Note(ctx, time.Now())
}
