package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/heartbeat"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
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
		g, err := here.Geometry(ctx)
		if err != nil {
			return err
		}
		if g.Top == "" {
			return &policy.ConfigError{Err: errors.New("this is no work tree, and only a work tree has a " + heartbeat.Path)}
		}
		file, err := heartbeat.Read(g.Top)
		if errors.Is(err, heartbeat.ErrNone) {
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
			c.warn("%s has no section «## Tasks», and so no tasks", heartbeat.Path)
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
