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
			return c.changeHooks(ctx.Context, o, true)
		}),
	}
}

func (c command) uninstall() *cli.Command {
	var o installOptions
	return &cli.Command{
		Name:   "uninstall",
		Flags:  o.placeFlags(),
		Action: atMost(0, func(ctx *cli.Context) error { return c.changeHooks(ctx.Context, o, false) }),
	}
}

// changeHooks installs the hooks, or else takes them out.
func (c command) changeHooks(ctx context.Context, o installOptions, install bool) error {
	done, err := c.changePlace(ctx, o, install)
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

func (c command) changePlace(ctx context.Context, o installOptions, install bool) ([]hooks.Action, error) {
	switch {
	case o.global && o.repo != ".":
		return nil, usagef("give only one of --repo and --global")
	case o.global && install:
		return hooks.Global{Env: os.Environ()}.Install(ctx, o.Options)
	case o.global:
		return hooks.Global{Env: os.Environ()}.Uninstall(ctx)
	}
	r, err := repo.Open(ctx, o.repo, repo.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if install {
		return hooks.Install(ctx, r, o.Options)
	}
	return hooks.Uninstall(ctx, r)
}
