package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/worklog"
)

func (c command) worklog() *cli.Command {
	return &cli.Command{
		Name: "worklog", Usage: "what was done, by whom, in which session, and was it checked",
		Subcommands: []*cli.Command{c.worklogList(), c.worklogShow()},
	}
}

// sessions lists the sessions of the repository here, and says what they leave out.
func (c command) sessions(ctx context.Context) ([]worklog.Listed, error) {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	all, warnings, err := worklog.Sessions(ctx, r, release)
	c.remarks("", warnings, nil)
	return all, err
}
