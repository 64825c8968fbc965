package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (c command) planShow() *cli.Command {
	var format string
	return &cli.Command{
		Name:  "show",
		Flags: []cli.Flag{formatFlag(&format, "text", "json")},
		Action: here(1, func(ctx *cli.Context, r *repo.Repo) error {
			return c.runShow(ctx.Context, r, ctx.Args().First(), format)
		}),
	}
}

func (c command) runShow(ctx context.Context, r *repo.Repo, name, format string) error {
	_, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	x := plan.NewIndex(root)
	top := x.Root()
	if name != "" {
		if top = x.Find(name); top == nil {
			return refusedBy(plan.UnknownUnit(x, name))
		}
	}
	if format == "json" {
		_, err := c.Stdout.Write(plan.Write(top.Unit))
		return err
	}
	claims, err := claimsOf(ctx, r)
	if err != nil {
		c.warn("who holds which task is not shown: %v", err)
	}
	for _, n := range x.Nodes {
		if n == top || strings.HasPrefix(n.Key, top.Key+"/") || top == x.Root() {
			printUnit(c.Stdout, n, n.Depth-top.Depth, remarks(n, claims))
		}
	}
	return nil
}

// claimsOf reads who holds which unit.
func claimsOf(ctx context.Context, r *repo.Repo) (lease.Leases, error) {
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	return lease.Read(dir)
}

// remarks are what the box of a unit does not say.
func remarks(n *plan.Node, claims lease.Leases) string {
	var all []string
	if n.Status == plan.InProgress {
		all = append(all, "in progress")
	}
	if n.Risk != "" && n.Status != plan.Complete {
		all = append(all, n.Risk+" risk")
	}
	switch {
	case n.Status == plan.Complete:
	case n.FailureThreshold >= plan.Escalated:
		all = append(all, "escalated")
	case n.FailureThreshold > 0:
		all = append(all, fmt.Sprintf("failure threshold %.2f", n.FailureThreshold))
	}
	if len(n.DependsOn) > 0 && n.Status != plan.Complete {
		all = append(all, "after "+strings.Join(n.DependsOn, ", "))
	}
	if len(n.Paths) > 0 && n.Status != plan.Complete {
		all = append(all, "in "+strings.Join(n.Paths, ", "))
	}
	if h := claims.Holder(n.Key, time.Now()); h != nil && h.Unit == n.Key {
		all = append(all, "claimed by "+h.Agent)
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// printUnit prints a unit and, while it is open, its items.
func printUnit(w io.Writer, n *plan.Node, depth int, remarks string) {
	box := "[ ]"
	if n.Status == plan.Complete {
		box = "[x]"
	}
	words := oneLine(n.Description)
	if words != "" {
		words = " " + words
	}
	indent := strings.Repeat("  ", depth)
	fmt.Fprintf(w, "%s%s %s%s%s\n", indent, box, n.ID, words, remarks)
	if n.Status == plan.Complete || snapshot.BoxUnit(n) != "" { // a box is its own item
		return
	}
	for _, i := range n.Checklist {
		text := oneLine(i.Text)
		if i.Optional {
			text += " (optional)"
		}
		fmt.Fprintf(w, "%s      · %s\n", indent, text)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type nextOptions struct{ actor, format string }

func (c command) planNext() *cli.Command {
	var o nextOptions
	return &cli.Command{
		Name: "next",
		Flags: []cli.Flag{
			actorFlag("asks", &o.actor),
			formatFlag(&o.format, "text", "json"),
		},
		Action: here(0, func(ctx *cli.Context, r *repo.Repo) error { return c.runNext(ctx.Context, r, o) }),
	}
}

func (c command) runNext(ctx context.Context, r *repo.Repo, o nextOptions) error {
	_, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	by, err := c.identify(ctx, r, whose{actor: o.actor})
	if err != nil {
		return err
	}
	claims, err := claimsOf(ctx, r)
	if err != nil {
		return err
	}
	n, why := claims.NextTask(root, by.Name, time.Now())
	if n == nil {
		c.Stderr.Printf("acta: %s\n    `acta plan show` prints the plan, `acta plan add` adds a task\n", why)
		return exit(exitFindings)
	}
	last, err := judge.NewHistory(r, nil).LastAct(ctx, root)
	if err != nil {
		return err
	}
	act, err := last.LastAct(ctx, n.Key)
	if err != nil {
		return err
	}
	due := act.Due(n)
	if o.format == "json" {
		return json.NewEncoder(c.Stdout).Encode(nextUnit{n.Key, n.Unit, due})
	}
	c.Stdout.Printf("%s\n", n.Key)
	if n.Description != "" {
		c.Stdout.Printf("%s\n", n.Description)
	}
	if due != "" {
		c.Stdout.Printf("%s\n", due)
	}
	return nil
}

type lintOptions struct {
	strict bool
	format string
}

func (c command) planLint() *cli.Command {
	var o lintOptions
	return &cli.Command{
		Name: "lint",
		Description: "Write an item as " + plan.Guide + ". Complete tasks are left out. A plan that cannot be\n" +
			"read has exit code 1, vague items only with --strict.",
		Flags: []cli.Flag{
			boolFlag(&o.strict, "strict", "exit code 1 where there is a vague item"),
			formatFlag(&o.format, "text", "jsonl"),
		},
		Action: here(0, func(ctx *cli.Context, r *repo.Repo) error { return c.runLint(ctx.Context, r, o) }),
	}
}

func (c command) runLint(ctx context.Context, r *repo.Repo, o lintOptions) error {
	path, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	vague := plan.Lint(root)
	for _, v := range vague {
		if o.format == "text" {
			c.Stdout.Printf("%s:%d:%d: warning: %s\n", path, v.Line, v.Column, v)
			continue
		}
		if err := report.WriteLine(c.Stdout, vagueItem{path, v.Line, v.Column, v.Unit, v.Item}); err != nil {
			return err
		}
	}
	if o.strict && len(vague) > 0 {
		return exit(exitFindings)
	}
	return nil
}
