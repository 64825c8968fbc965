package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// identify takes what the command line leaves out from the environment, and then
// from git's configuration. It is the actor of the audit log from here on.
func (c command) identify(ctx context.Context, call *cli.Context, r *repo.Repo) (journal.Caller, error) {
	by := c.record.by
	by.Name, by.Reason = cmp.Or(call.String("actor"), by.Name), cmp.Or(call.String("reason"), by.Reason)
	by, err := worklog.Identify(ctx, r, by)
	if err != nil {
		return by, err
	}
	c.record.by = by
	return by, nil
}

// refusedBy is change.Refused, and a plan that is not there a matter of the configuration.
func refusedBy(err error) error {
	if none, ok := errors.AsType[*change.NoPlanError](err); ok {
		return &policy.ConfigError{Err: none}
	}
	return change.AsRefused(err)
}

// hintOf is what to do about a refusal, "" where it does not say.
func hintOf(refused *change.RefusedError) string {
	if owned, ok := errors.AsType[*lease.OwnedError](refused); ok && owned.Actor == "" {
		return "say who you are: --actor NAME, ACTA_ACTOR, or git's configuration acta.actor"
	}
	return refused.Hint()
}

// readPlan reads the plan of the work tree, else of HEAD; the error of one that is not there or cannot be read says so.
func readPlan(ctx context.Context, r *repo.Repo) (path string, root *plan.Unit, err error) {
	path, root, err = snapshot.WorkPlan(ctx, r)
	if err == nil && root == nil {
		err = &change.NoPlanError{Path: path}
	}
	return path, root, refusedBy(err)
}

// here is the action of a command that takes so many arguments and works in the repository of the working directory.
func here(most int, do func(context.Context, *cli.Context, *repo.Repo) error) cli.ActionFunc {
	return atMost(most, func(call *cli.Context) error {
		return inRepo(call.Context, func(r *repo.Repo) error { return do(call.Context, call, r) })
	})
}

// inRepo calls do with the repository of the working directory.
func inRepo(ctx context.Context, do func(*repo.Repo) error) error {
	r, err := repo.Open(ctx, ".", repo.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	return do(r)
}

func (c command) runShow(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	_, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	x := plan.NewIndex(root)
	top := x.Root()
	if name := call.Args().First(); name != "" {
		if top = x.Find(name); top == nil {
			return refusedBy(plan.UnknownUnit(x, name))
		}
	}
	if call.String("format") == "json" {
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
		if i.IsOptional {
			text += " (optional)"
		}
		fmt.Fprintf(w, "%s      · %s\n", indent, text)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c command) runNext(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	_, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	by, err := c.identify(ctx, call, r)
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
	due := act.NextStep(n)
	if call.String("format") == "json" {
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

func (c command) runLint(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	path, root, err := readPlan(ctx, r)
	if err != nil {
		return err
	}
	vague := plan.Lint(root)
	for _, v := range vague {
		if call.String("format") == "text" {
			c.Stdout.Printf("%s:%d:%d: warning: %s\n", path, v.Line, v.Column, v)
			continue
		}
		if err := report.WriteLine(c.Stdout, vagueItem{path, v.Line, v.Column, v.Unit, v.Item}); err != nil {
			return err
		}
	}
	if call.Bool("strict") && len(vague) > 0 {
		return exit(exitFindings)
	}
	return nil
}
