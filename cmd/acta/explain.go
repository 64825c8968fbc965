package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/policy"
)

func (c command) explain() *cli.Command {
	var format string
	return &cli.Command{
		Name:  "explain",
		Flags: []cli.Flag{formatFlag(&format, "text", "markdown")},
		Action: atMost(1, func(ctx *cli.Context) error {
			return c.runExplain(ctx.Context, ctx.Args().First(), format)
		}),
	}
}

func (c command) runExplain(ctx context.Context, id, format string) error {
	rules := check.Rules()
	switch {
	case id == "" && format == "markdown":
		return writeRules(ctx, c.Stdout, rules)
	case id == "":
		for _, r := range rules {
			c.Stdout.Printf("%-40s %s\n", r.ID, r.Page().Title)
		}
		return nil
	}
	for _, r := range rules {
		if r.ID == id {
			return writeRule(ctx, c.Stdout, r)
		}
	}
	var known []string
	for _, r := range rules {
		known = append(known, r.ID)
	}
	return usagef("there is no rule %q; `acta explain` lists them%s", id, policy.DidYouMean(id, known))
}
