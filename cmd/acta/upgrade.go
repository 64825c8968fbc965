package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

func (c command) upgrade() *cli.Command {
	var check bool
	return &cli.Command{
		Name: "upgrade",
		Description: "With --check it compares this release with those that HEAD's " + policy.Path + " lets judge (its\n" +
			"key acta): exit code 0 where it fits, 1 where it does not. Nothing is downloaded, and acta does not replace\n" +
			"itself; docs/install.md says how to install a release.",
		Flags: []cli.Flag{boolFlag(&check, "check", "compare, and change nothing")},
		Action: atMost(0, func(ctx *cli.Context) error {
			if !check {
				return usagef("acta does not replace itself: upgrade --check says whether it must be, docs/install.md how")
			}
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runUpgradeCheck(ctx.Context, r) })
		}),
	}
}

func (c command) runUpgradeCheck(ctx context.Context, r *repo.Repo) error {
	p, err := policyAsWritten(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case p.Releases == "":
		c.Stdout.Printf("%s names no release of acta, and this is %s: nothing asks for another\n", policy.Path, diag.Release)
	case p.Admits(diag.Release):
		c.Stdout.Printf("%s asks for acta %s, and this is %s: it fits\n", policy.Path, p.Releases, diag.Release)
	default:
		c.Stdout.Printf("%s asks for acta %s, and this is %s: install a release that fits (docs/install.md)\n",
			policy.Path, p.Releases, diag.Release)
		return exit(exitFindings)
	}
	return nil
}

// policyAsWritten is HEAD's policy, also where it asks for another release, which is an error to whoever judges by it.
func policyAsWritten(ctx context.Context, r *repo.Repo) (policy.Policy, error) {
	head, err := r.Head(ctx)
	if errors.Is(err, repo.ErrUnborn) {
		return policy.Default(), nil
	}
	if err != nil {
		return policy.Policy{}, err
	}
	data, err := snapshot.File(ctx, snapshot.Tree(r, head.Tree), policy.Path)
	if err != nil || data == nil {
		return policy.Default(), err
	}
	p, err := snapshot.ParsePolicy(data)
	if err != nil {
		err = &policy.ConfigError{Err: err}
	}
	return p, err
}
