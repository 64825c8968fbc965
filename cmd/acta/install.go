package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/repo"
)

func repoFlag(into *string) cli.Flag {
	return &cli.StringFlag{Name: "repo", Usage: "the repository's `DIR`", Value: ".", Destination: into}
}

// installOptions say where the hooks are installed, or taken out, and which.
type installOptions struct {
	repo   string
	global bool
	hooks.Options
}

func (o *installOptions) placeFlags() []cli.Flag {
	return []cli.Flag{
		repoFlag(&o.repo),
		boolFlag(&o.global, "global", "instead: every repository of this user"),
	}
}

func (c command) install() *cli.Command {
	var o installOptions
	return &cli.Command{
		Name: "install",
		Flags: append(o.placeFlags(),
			boolFlag(&o.Server, "server", "add pre-receive, for a repository that is pushed to (a bare one gets it anyway)"),
			boolFlag(&o.Seal, "seal", "add reference-transaction, which --no-verify does not skip"),
		),
		Action: atMost(0, func(ctx *cli.Context) error {
			var err error
			if o.Binary, err = os.Executable(); err != nil {
				return err
			}
			return c.changeHooks(ctx.Context, o, change{
				repository: func(r *repo.Repo) ([]hooks.Action, error) { return hooks.Install(ctx.Context, r, o.Options) },
				global:     func(g hooks.Global) ([]hooks.Action, error) { return g.Install(ctx.Context, o.Options) },
			})
		}),
	}
}

func (c command) uninstall() *cli.Command {
	var o installOptions
	return &cli.Command{
		Name:  "uninstall",
		Flags: o.placeFlags(),
		Action: atMost(0, func(ctx *cli.Context) error {
			return c.changeHooks(ctx.Context, o, change{
				repository: func(r *repo.Repo) ([]hooks.Action, error) { return hooks.Uninstall(ctx.Context, r) },
				global:     func(g hooks.Global) ([]hooks.Action, error) { return g.Uninstall(ctx.Context) },
			})
		}),
	}
}

// change is what is done in each of the places.
type change struct {
	repository func(*repo.Repo) ([]hooks.Action, error)
	global     func(hooks.Global) ([]hooks.Action, error)
}

func (c command) changeHooks(ctx context.Context, o installOptions, ch change) error {
	done, err := c.changePlace(ctx, o, ch)
	for _, a := range done {
		c.Stdout.Printf("%s: ", a.Path)
		fmt.Fprintln(c.Stdout, a.Did) // with the lines to add to another tool's file
	}
	if err == nil && len(done) == 0 {
		c.Stdout.Printf("nothing to do\n")
	}
	if errors.Is(err, hooks.ErrNotAsked) {
		return exit(exitFindings)
	}
	return err
}

func (c command) changePlace(ctx context.Context, o installOptions, ch change) ([]hooks.Action, error) {
	switch {
	case o.global && o.repo != ".":
		return nil, usagef("give only one of --repo and --global")
	case o.global:
		return ch.global(hooks.Global{Getenv: c.Getenv})
	}
	r, err := repo.Open(ctx, o.repo, repo.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return ch.repository(r)
}
