package main

import (
	"errors"
	"os"
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

// planChange is a change of the plan that a command was asked for.
type planChange struct {
	summary string // of the ADAPT's title
	owned   bool   // only who holds the unit may
	// params are what the event says besides the unit: no time, no commit.
	params map[string]any
}

// changePlan makes a change, or says why it may not be made; then nothing was written.
func (c command) changePlan(call *cli.Context, ask planChange, edit change.Edit) error {
	ctx, observed, commit := call.Context, call.StringSlice("observation"), call.Bool("commit")
	for _, said := range observed {
		perspective, fact, _ := strings.Cut(said, "|")
		at := parser.Observation{
			Perspective: parser.Text{Value: strings.TrimSpace(perspective)}, Fact: parser.Text{Value: strings.TrimSpace(fact)},
		}
		if !at.Tells() || !commit {
			return usagef("--observation goes with --commit and says «PERSPECTIVE | FACT», with %s: found %q",
				strings.Join(parser.Perspectives(), ", "), said)
		}
	}
	var accepted []plan.Acceptance
	for _, item := range call.StringSlice("accept") {
		if call.String("reason") == "" || !commit {
			return usagef("--accept goes with --commit and with --reason, which says why the task is complete without it")
		}
		accepted = append(accepted, plan.Acceptance{Item: strings.TrimSpace(item), Reason: call.String("reason")})
	}
	return inRepo(ctx, func(r *repo.Repo) error {
		by, err := c.identify(ctx, call, r)
		if err != nil {
			return err
		}
		dir, err := r.CommonDir(ctx)
		if err != nil {
			return err
		}
		done, err := change.Request{
			Repo: r, CommonDir: dir, By: by, Cmd: c.record.cmd, Params: ask.params, Owned: ask.owned,
			Summary: ask.summary, Commit: commit, Observed: observed, Accepted: accepted,
			Out: c.Stderr, Env: os.Environ(),
			Hooked: hooks.HasCommitMsgHook(ctx, r),
		}.Apply(ctx, edit)
		if errors.Is(err, change.ErrUndone) {
			c.record.say(refusal, "git refused the ADAPT of a change of the plan")
			c.Stderr.Printf("acta: git made no commit, see above; the plan is as it was\n")
			return exit(exitFindings)
		}
		if err != nil {
			return refusedBy(err)
		}
		c.eventSaved(done.Repair, done.Unrecorded)
		c.printChange(done)
		return nil
	})
}

// printChange says what was done, and warns of what must be seen.
func (c command) printChange(done *change.Applied) {
	for _, v := range done.Seen {
		c.warn("%s [%s]", v.Message, v.Rule)
	}
	for _, m := range done.Moves {
		c.Stdout.Printf("%s\n", m)
	}
	for _, r := range done.Rests {
		c.Stdout.Printf("%s\n", r.Words())
	}
	if done.NotRun != "" {
		c.Stdout.Printf("%s: %s\n", done.Unit, done.NotRun)
	}
	switch {
	case done.Commit != "":
		c.Stdout.Printf("committed as %.12s: ADAPT: %s\n", done.Commit, done.Unit)
	case len(done.Moves) == 0:
		c.Stdout.Printf("%s says so already\n", done.Path)
	}
}

// named is the unit that the command line names.
func named(ctx *cli.Context, what string) (string, error) {
	if err := arguments(ctx, 1); err != nil {
		return "", err
	}
	name := strings.TrimSpace(ctx.Args().First())
	if name == "" {
		return "", usagef("plan %s needs %s", ctx.Command.Name, what)
	}
	return name, nil
}

// settingStatus is the action of a command that sets the status of the unit that it names.
func (c command) settingStatus(
	summary string, set func(root *plan.Unit, unit string) (plan.Change, error),
) cli.ActionFunc {
	return func(call *cli.Context) error {
		unit, err := named(call, "a task")
		if err != nil {
			return err
		}
		return c.changePlan(call, planChange{summary: summary, owned: true},
			func(root *plan.Unit) (plan.Change, error) { return set(root, unit) })
	}
}

// recording is the action of a command that writes down in a unit a record with another one, which an option names.
func (c command) recording(
	edit func(root *plan.Unit, unit, with, note, at string) (plan.Change, error), summary, option, value string,
) cli.ActionFunc {
	return func(call *cli.Context) error {
		unit, err := named(call, "a "+strings.ToLower(call.Command.ArgsUsage))
		if err != nil {
			return err
		}
		with, note := call.String(option), call.String("note")
		if with == "" {
			return usagef("plan %s needs --%s %s", call.Command.Name, option, value)
		}
		return c.changePlan(call, planChange{summary: summary + with, params: map[string]any{option: with, "note": note}},
			func(root *plan.Unit) (plan.Change, error) {
				return edit(root, unit, with, note, worklog.FormatTime(time.Now()))
			})
	}
}
