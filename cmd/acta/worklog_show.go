package main

import (
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

func (c command) runWorklogShow(call *cli.Context) error {
	name := call.Args().First()
	all, here, err := c.sessions(call.Context)
	if err != nil {
		return err
	}
	switch {
	case name != "":
	case here != "":
		name = here
	case len(all) > 0:
		name = all[len(all)-1].ID
	default:
		return usagef("there is no session here yet")
	}
	s, err := worklog.Find(all, name)
	if errors.Is(err, worklog.ErrNoSession) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	return s.Write(c.Stdout, call.String("format"))
}

func (c command) runWorklogList(call *cli.Context) error {
	all, _, err := c.sessions(call.Context)
	if err != nil {
		return err
	}
	return worklog.WriteList(c.Stdout, all, call.String("format") == "json")
}

func (c command) runWorklogGC(call *cli.Context) error {
	ctx := call.Context
	return inDirs(ctx, func(r *repo.Repo, _, common string) error {
		done, err := worklog.Retention{Repo: r, CommonDir: common, Now: time.Now(), Wait: true}.Collect(ctx)
		if err != nil { // the record fails open
			c.warn("some sessions were not summarized, and stay as they are: %v", err)
		}
		c.Stdout.Printf("%d ended, %d summarized, %d deleted\n", len(done.Abandoned), len(done.Summarized),
			len(done.Deleted))
		return nil
	})
}
