package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/repo"
)

type citeOptions struct {
	unit, since, format string
}

func (c command) cite() *cli.Command {
	var o citeOptions
	return &cli.Command{
		Name: "cite",
		Flags: []cli.Flag{
			textFlag(&o.unit, "unit",
				"match the checklist of task `T`; default: the task that is claimed, in progress, or next"),
			textFlag(&o.since, "since", "compare the index with `REV` instead of HEAD: for the ACT that closes several commits"),
			formatFlag(&o.format, "text", "json"),
		},
		Action: here(0, func(ctx *cli.Context, r *repo.Repo) error { return c.runCite(ctx.Context, r, o) }),
	}
}

func (c command) runCite(ctx context.Context, r *repo.Repo, o citeOptions) error {
	by, err := c.identify(ctx, r, whose{})
	if err != nil {
		return err
	}
	leases, err := claimsOf(ctx, r)
	if err != nil {
		return err
	}
	found, err := citing{o.unit, by.Name, leases, o.since}.find(ctx, r)
	if err != nil {
		return err
	}
	if o.unit == "" && found.Unit != "" {
		c.Stderr.Printf("acta: these are the items of %s; choose another task with --unit\n", found.Unit)
	}
	if o.format == "json" {
		return json.NewEncoder(c.Stdout).Encode(found)
	}
	return c.printCitations(found)
}

func (c command) printCitations(found *citations) error {
	var b strings.Builder
	evidence := len(found.Unmatched)
	for _, i := range found.Items {
		fmt.Fprintf(&b, "Done: %s | %s\n", i.Item, strings.Join(i.Evidence, ", "))
		evidence += len(i.Evidence)
	}
	if len(found.Unmatched) > 0 && b.Len() > 0 {
		b.WriteByte('\n')
	}
	for _, e := range found.Unmatched {
		fmt.Fprintln(&b, e)
	}
	for _, s := range found.Stubs {
		c.Stderr.Printf("acta: %s, and no evidence\n", s)
	}
	for _, u := range found.Unread {
		c.Stderr.Printf("acta: not read: %s\n", u)
		c.record.say(failure, fmt.Sprintf("not read: %s", u))
	}
	if evidence == 0 {
		c.Stderr.Printf("acta: nothing is staged that can be cited; stage your work with git add, or compare with an " +
			"earlier commit by --since\n")
		return nil
	}
	_, err := c.Stdout.Write([]byte(b.String()))
	return err
}
