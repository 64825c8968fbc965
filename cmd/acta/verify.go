package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/repo"
)

func (c command) verify() *cli.Command {
	var format string
	return &cli.Command{
		Name:      "verify",
		Usage:     "judge the commits of a range again, from git alone",
		ArgsUsage: "[BASE..HEAD]",
		Description: "BASE..HEAD are the commits that HEAD reaches and BASE does not, merges included; a single\n" +
			"revision means everything that it reaches. Without a range: what GitHub's or GitLab's CI\n" +
			"variables name, else @{upstream}..HEAD. The policy is that of the merge base.",
		Flags: []cli.Flag{formatFlag(&format, diag.Formats()...)},
		Action: func(ctx *cli.Context) error {
			if err := arguments(ctx, 1); err != nil {
				return err
			}
			return c.runVerify(ctx.Context, ctx.Args().First(), format)
		},
	}
}

func (c command) runVerify(ctx context.Context, commits, format string) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	var base, head string
	if commits != "" {
		base, head, err = splitRange(commits)
	} else {
		base, head, err = c.defaultRange(ctx, r)
	}
	if err != nil {
		return err
	}
	result, err := judge.Range(ctx, r, base, head, release)
	if err != nil {
		return err
	}
	return c.print(result, format, false)
}

// splitRange reads BASE..HEAD; an empty side is HEAD, as git has it, and a single
// revision has no base.
func splitRange(s string) (base, head string, err error) {
	if strings.Contains(s, "...") {
		return "", "", usagef("%q has three dots; the commits of HEAD that BASE lacks are BASE..HEAD", s)
	}
	base, head, found := strings.Cut(s, "..")
	if !found {
		return "", base, nil
	}
	if base == "" {
		base = "HEAD"
	}
	if head == "" {
		head = "HEAD"
	}
	return base, head, nil
}
