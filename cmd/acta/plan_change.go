package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

func (c command) changePlan(call *cli.Context, q change.Request, edit change.Edit) error {
	ctx := call.Context
	q.Observations, q.Commit = call.StringSlice("observation"), call.Bool("commit")
	for _, observation := range q.Observations {
		perspective, fact, _ := strings.Cut(observation, "|")
		at := parser.Observation{
			Perspective: parser.Text{Value: strings.TrimSpace(perspective)}, Fact: parser.Text{Value: strings.TrimSpace(fact)},
		}
		if !at.IsValid() || !q.Commit {
			return usagef("--observation goes with --commit and says «PERSPECTIVE | FACT», with %s: found %q",
				strings.Join(parser.Perspectives(), ", "), observation)
		}
	}
	for _, item := range call.StringSlice("accept") {
		if call.String("reason") == "" || !q.Commit {
			return usagef("--accept goes with --commit and with --reason, which says why the task is complete without it")
		}
		q.Accepted = append(q.Accepted, plan.Acceptance{Item: strings.TrimSpace(item), Reason: call.String("reason")})
	}
	return inDirs(ctx, func(r *repo.Repo, _, dir string) error {
		var err error
		if q.Caller, err = c.identify(ctx, call, r); err != nil {
			return err
		}
		q.Repo, q.CommonDir, q.Cmd, q.Out, q.Env = r, dir, c.record.cmd, c.Stderr, os.Environ()
		q.HasHook = hooks.HasCommitMsgHook(ctx, r)
		done, err := q.Apply(ctx, edit)
		if errors.Is(err, change.ErrUndone) {
			c.record.addMessage(refusal, "git refused the ADAPT of a change of the plan")
			c.Stderr.Printf("acta: git made no commit, see above; the plan is as it was\n")
			return exitError(exitFindings)
		}
		if err != nil {
			return asCommandError(err)
		}
		c.warnEventLog(done.LogWarnings, done.LogError)
		c.printChange(done)
		return nil
	})
}

func (c command) printChange(done *change.Outcome) {
	for _, v := range done.Notices {
		c.warn("%s [%s]", v.Message, v.Rule)
	}
	for _, m := range done.Moves {
		c.Stdout.Printf("%s\n", m)
	}
	for _, r := range done.Bases {
		c.Stdout.Printf("%s\n", r.Words())
	}
	if done.NotRunReason != "" {
		c.Stdout.Printf("%s: %s\n", done.Unit, done.NotRunReason)
	}
	switch {
	case done.Commit != "":
		c.Stdout.Printf("committed as %.12s: ADAPT: %s\n", done.Commit, done.Unit)
	case len(done.Moves) == 0:
		c.Stdout.Printf("%s says so already\n", done.Path)
	}
}

func unitArgument(ctx *cli.Context, noun string) (string, error) {
	name := strings.TrimSpace(ctx.Args().First())
	if name == "" {
		return "", usagef("plan %s needs %s", ctx.Command.Name, noun)
	}
	return name, nil
}

func (c command) statusAction(
	summary string, set func(root *plan.Unit, unit string) (plan.Change, error),
) cli.ActionFunc {
	return func(call *cli.Context) error {
		unit, err := unitArgument(call, "a task")
		if err != nil {
			return err
		}
		return c.changePlan(call, change.Request{Summary: summary, OwnerOnly: true},
			func(root *plan.Unit) (plan.Change, error) { return set(root, unit) })
	}
}

func (c command) recordAction(
	edit func(root *plan.Unit, unit, with, note, at string) (plan.Change, error), summary, option, value string,
) cli.ActionFunc {
	return func(call *cli.Context) error {
		unit, err := unitArgument(call, "a "+strings.ToLower(call.Command.ArgsUsage))
		if err != nil {
			return err
		}
		with, note := call.String(option), call.String("note")
		if with == "" {
			return usagef("plan %s needs --%s %s", call.Command.Name, option, value)
		}
		return c.changePlan(call, change.Request{Summary: summary + with, Params: map[string]any{option: with, "note": note}},
			func(root *plan.Unit) (plan.Change, error) {
				return edit(root, unit, with, note, worklog.FormatTime(time.Now()))
			})
	}
}

func (c command) runAdd(call *cli.Context) error {
	parent, err := unitArgument(call, "a parent")
	o := addOptions{call}
	if err == nil {
		err = o.checkKinds()
	}
	if err != nil {
		return err
	}
	params := o.params()
	return c.changePlan(call, change.Request{Params: params}, func(root *plan.Unit) (plan.Change, error) {
		change, id, err := o.add(root, parent)
		params["id"], change.Title = id, "plans "+id
		return change, err
	})
}

type addOptions struct{ *cli.Context }

func (o addOptions) add(root *plan.Unit, parent string) (plan.Change, string, error) {
	unit := &plan.Unit{
		ID: o.String("id"), Type: o.String("type"), Description: o.String("description"), Risk: o.String("risk"),
		Checklist: o.checklist(), DependsOn: o.StringSlice("depends-on"), Paths: o.StringSlice("paths"),
	}
	if p := root.Find(parent); p != nil {
		for _, child := range p.Children {
			if child.ID == unit.ID {
				if is := typeOf(child); unit.Type != "" && unit.Type != is {
					return plan.Change{}, unit.ID, usagef("%s is planned already, with the type %s; leave --type out", unit.ID, is)
				}
				change, err := plan.AddUnit(root, parent, unit)
				return change, unit.ID, err
			}
		}
	}
	if unit.Description == "" {
		return plan.Change{}, unit.ID, usagef("plan add needs --description TEXT for a task that is new")
	}
	if unit.Type == "" {
		unit.Type = plan.Atomic
	}
	if unit.ID == "" {
		unit.ID = plan.FreeID(root, parent, unit)
	}
	change, err := plan.AddUnit(root, parent, unit)
	return change, unit.ID, err
}

func typeOf(u *plan.Unit) string {
	if u.IsTask() {
		return plan.Atomic
	}
	return plan.Parent
}

func (o addOptions) checkKinds() error {
	kinds, items := o.StringSlice("kind"), len(o.StringSlice("item"))+len(o.StringSlice("optional-item"))
	for _, kind := range kinds {
		if !slices.Contains(plan.Kinds(), kind) {
			return usagef("--kind must be one of %s, not %q", strings.Join(plan.Kinds(), ", "), kind)
		}
	}
	if len(kinds) > 1 && len(kinds) != items {
		return usagef("--kind is given once for all items, or once for each of the %d: found %d", items, len(kinds))
	}
	if len(kinds) > 0 && items == 0 {
		return usagef("--kind goes with --item or --optional-item")
	}
	return nil
}

func (o addOptions) checklist() []plan.Item {
	var all []plan.Item
	add := func(text string, optional bool) {
		kind := parser.KindOf(text)
		if kinds := o.StringSlice("kind"); len(kinds) > 0 {
			kind = kinds[min(len(all), len(kinds)-1)]
		}
		all = append(all, plan.Item{Text: text, IsOptional: optional, Kind: kind})
	}
	for _, text := range o.StringSlice("item") {
		add(text, false)
	}
	for _, text := range o.StringSlice("optional-item") {
		add(text, true)
	}
	return all
}

func (o addOptions) params() map[string]any {
	params := map[string]any{"id": o.String("id")}
	for _, name := range []string{"type", "description", "risk"} {
		if value := o.String(name); value != "" {
			params[name] = value
		}
	}
	for key, name := range map[string]string{
		"items": "item", "optional_items": "optional-item", "kinds": "kind", "depends_on": "depends-on", "paths": "paths",
	} {
		if values := o.StringSlice(name); len(values) > 0 {
			params[key] = values
		}
	}
	return params
}
