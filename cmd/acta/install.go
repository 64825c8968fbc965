package main

import (
	"context"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/repo"
)

func repoFlag(into *string) cli.Flag {
	return &cli.StringFlag{Name: "repo", Usage: "the repository's `DIR`", Value: ".", Destination: into}
}

func (c command) install() *cli.Command {
	var dir string
	return &cli.Command{
		Name:        "install",
		Usage:       "install the git hooks in a repository",
		Description: "A hook that is there already is kept and runs first. Installing again is harmless.",
		Flags:       []cli.Flag{repoFlag(&dir)},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			binary, err := os.Executable()
			if err != nil {
				return err
			}
			return c.changeHooks(ctx.Context, dir, func(r *repo.Repo) ([]hooks.Action, error) {
				return hooks.Install(ctx.Context, r, binary)
			})
		},
	}
}

func (c command) uninstall() *cli.Command {
	var dir string
	return &cli.Command{
		Name:        "uninstall",
		Usage:       "take the git hooks out of a repository",
		Description: "Hooks that were there before are put back as they were.",
		Flags:       []cli.Flag{repoFlag(&dir)},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 0); err != nil {
				return err
			}
			return c.changeHooks(ctx.Context, dir, func(r *repo.Repo) ([]hooks.Action, error) {
				return hooks.Uninstall(ctx.Context, r)
			})
		},
	}
}

func (c command) changeHooks(ctx context.Context, dir string, change func(*repo.Repo) ([]hooks.Action, error)) error {
	r, err := repo.Open(ctx, dir, repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	done, err := change(r)
	for _, a := range done {
		fmt.Fprintf(c.Stdout, "%s: %s\n", a.Path, a.Did)
	}
	if err == nil && len(done) == 0 {
		fmt.Fprintln(c.Stdout, "nothing to do")
	}
	return err
}
