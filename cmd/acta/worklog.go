package main

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// sessions lists the sessions of the repository here, and says what they leave out.
// here is the id of the one that runs in this work tree, "" for none.
func (c command) sessions(ctx context.Context) (all []worklog.Listed, here string, err error) {
	err = inDirs(ctx, func(r *repo.Repo, gitDir, common string) error {
		if l, err := worklog.Choose(common, gitDir, os.Getenv("ACTA_SESSION")); err == nil && !l.Switches.NoWorklog {
			here = l.ID
		}
		var warnings []string
		all, warnings, err = worklog.Sessions(ctx, r, common)
		c.remarks("", warnings, nil)
		return err
	})
	return all, here, err
}

// inDirs lets do work in the repository here; gitDir is its work tree's git directory, common the one that all work
// trees share.
func inDirs(ctx context.Context, do func(r *repo.Repo, gitDir, common string) error) error {
	return inRepo(ctx, func(r *repo.Repo) error {
		gitDir, common, err := r.Dirs(ctx)
		if err != nil {
			return err
		}
		return do(r, gitDir, common)
	})
}

// liveSession is the session that a command writes to.
type liveSession struct{ *worklog.Recorder }

// recordInSession lets do write to the session that is named, or that runs here. The
// record fails open: whatever is in its way is a warning, and the exit code 0.
func (c command) recordInSession(ctx context.Context, id string, do func(liveSession) error) error {
	err := c.inSession(ctx, id, do)
	if err != nil {
		c.warn("not recorded in the worklog: %v", err)
	}
	return nil
}

func (c command) inSession(ctx context.Context, id string, do func(liveSession) error) error {
	return inDirs(ctx, func(r *repo.Repo, gitDir, common string) error {
		live, err := worklog.Choose(common, gitDir, cmp.Or(id, os.Getenv("ACTA_SESSION")))
		if errors.Is(err, worklog.ErrNoSession) && switched().NoWorklog {
			return nil // nothing was to be recorded
		}
		if err != nil {
			return err
		}
		if lost := live.Lost(); lost != "" {
			c.warn("%s", lost)
		}
		return do(liveSession{&worklog.Recorder{Live: live, Repo: r, Switches: switched()}})
	})
}

// recorded says what there is to say of a record that was made. That the session
// is not in its ref yet is a warning: the entries are kept, and written the next time.
func (c command) recorded(said worklog.Recorded, err error) error {
	c.remarks("", said.Warnings(), nil)
	return err
}
