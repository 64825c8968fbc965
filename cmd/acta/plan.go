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

// identify completes the caller from the environment and git's configuration. The audit log uses it from here on.
func (c command) identify(ctx context.Context, call *cli.Context, r *repo.Repo) (journal.Caller, error) {
	by := c.record.caller
	by.Name, by.Reason = cmp.Or(call.String("actor"), by.Name), cmp.Or(call.String("reason"), by.Reason)
	by, err := worklog.Identify(ctx, r, by)
	if err != nil {
		return by, err
	}
	c.record.caller = by
	return by, nil
}

// asCommandError is change.AsRefused; a missing plan becomes a configuration error.
func asCommandError(err error) error {
	if none, ok := errors.AsType[*change.NoPlanError](err); ok {
		return &policy.ConfigError{Err: none}
	}
	return change.AsRefused(err)
}

// readPlan reads the plan of the work tree, else of HEAD; a missing or unreadable plan is an error.
func readPlan(ctx context.Context, r *repo.Repo) (path string, root *plan.Unit, err error) {
	path, root, err = snapshot.WorkPlan(ctx, r)
	if err == nil && root == nil {
		err = &change.NoPlanError{Path: path}
	}
	return path, root, asCommandError(err)
}

// repoAction is the action of a command that works in the current repository.
func repoAction(do func(context.Context, *cli.Context, *repo.Repo) error) cli.ActionFunc {
	return func(call *cli.Context) error {
		return inRepo(call.Context, func(r *repo.Repo) error { return do(call.Context, call, r) })
	}
}

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
	top := x.Nodes[0]
	if name := call.Args().First(); name != "" {
		if top = x.Find(name); top == nil {
			return asCommandError(plan.UnknownUnit(x, name))
		}
	}
	if call.String("format") == "json" {
		_, err := c.Stdout.Write(plan.Write(top.Unit))
		return err
	}
	claims, err := readLeases(ctx, r)
	if err != nil {
		c.warn("who holds which task is not shown: %v", err)
	}
	for _, n := range x.Nodes {
		if n == top || strings.HasPrefix(n.Key, top.Key+"/") || top == x.Nodes[0] {
			printUnit(c.Stdout, n, n.Depth-top.Depth, remarks(n, claims))
		}
	}
	return nil
}

func readLeases(ctx context.Context, r *repo.Repo) (lease.Leases, error) {
	dir, err := r.CommonDir(ctx)
	if err != nil {
		return nil, err
	}
	return lease.Read(dir)
}

func remarks(n *plan.Node, claims lease.Leases) string {
	var all []string
	add := func(applies bool, text string) {
		if applies {
			all = append(all, text)
		}
	}
	isOpen, isEscalated := n.Status != plan.Complete, n.FailureThreshold >= plan.Escalated
	add(n.Status == plan.InProgress, "in progress")
	add(isOpen && n.Risk != "", n.Risk+" risk")
	add(isOpen && isEscalated, "escalated")
	add(isOpen && !isEscalated && n.FailureThreshold > 0, fmt.Sprintf("failure threshold %.2f", n.FailureThreshold))
	add(isOpen && len(n.DependsOn) > 0, "after "+strings.Join(n.DependsOn, ", "))
	add(isOpen && len(n.Paths) > 0, "in "+strings.Join(n.Paths, ", "))
	if h := claims.Holder(n.Key, time.Now()); h != nil && h.Unit == n.Key {
		all = append(all, "claimed by "+h.Agent)
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

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
	claims, err := readLeases(ctx, r)
	if err != nil {
		return err
	}
	n, reason := claims.NextTask(root, by.Name, time.Now())
	if n == nil {
		c.Stderr.Printf("acta: %s\n    `acta plan show` prints the plan, `acta plan add` adds a task\n", reason)
		return exitError(exitFindings)
	}
	act, err := judge.NewHistory(r, nil).LastAct(ctx, n.Key)
	if err != nil {
		return err
	}
	nextStep, err := act.NextStep(ctx, n)
	if err != nil {
		return err
	}
	if call.String("format") == "json" {
		return json.NewEncoder(c.Stdout).Encode(nextUnit{n.Key, n.Unit, nextStep})
	}
	c.Stdout.Printf("%s\n", n.Key)
	if n.Description != "" {
		c.Stdout.Printf("%s\n", n.Description)
	}
	if nextStep != "" {
		c.Stdout.Printf("%s\n", nextStep)
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
		return exitError(exitFindings)
	}
	return nil
}
