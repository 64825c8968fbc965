package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/repo"
)

func (c command) runCite(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	by, err := c.identify(ctx, call, r)
	if err != nil {
		return err
	}
	leases, err := claimsOf(ctx, r)
	if err != nil {
		return err
	}
	found, err := citing{call.String("unit"), by.Name, leases, call.String("since")}.find(ctx, r)
	if err != nil {
		return err
	}
	if call.String("unit") == "" && found.Unit != "" {
		c.Stderr.Printf("acta: these are the items of %s; choose another task with --unit\n", found.Unit)
	}
	if call.String("format") == "json" {
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
