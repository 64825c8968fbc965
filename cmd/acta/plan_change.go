package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/repo"
)

// changeOptions are those of every command that changes the plan.
type changeOptions struct {
	whose
	commit   bool
	observed cli.StringSlice
	accept   cli.StringSlice
}

func (o *changeOptions) flags(more ...cli.Flag) []cli.Flag {
	more = append(more, o.whose.flags()...)
	return append(more,
		listFlag(&o.observed, "observation",
			"what was seen of the ACT, for the ADAPT: `\"PERSPECTIVE | FACT\"`, from the perspective of "+
				strings.Join(parser.Perspectives(), ", ")+"; may be repeated"),
		boolFlag(&o.commit, "commit",
			"commit the plan at once, as an ADAPT, through git and its hooks; what else is staged stays staged"))
}

// planChange is a change of the plan that a command was asked for.
type planChange struct {
	summary string // of the ADAPT's title
	owned   bool   // only who holds the unit may
	// params are what the event says besides the unit: no time, no commit.
	params map[string]any
}

// changePlan makes a change, or says why it may not be made; then nothing was written.
func (c command) changePlan(ctx context.Context, o changeOptions, ask planChange, edit change.Edit) error {
	for _, said := range o.observed.Value() {
		perspective, fact, _ := strings.Cut(said, "|")
		at := parser.Observation{
			Perspective: parser.Text{Value: strings.TrimSpace(perspective)}, Fact: parser.Text{Value: strings.TrimSpace(fact)},
		}
		if !at.Tells() || !o.commit {
			return usagef("--observation goes with --commit and says «PERSPECTIVE | FACT», with %s: found %q",
				strings.Join(parser.Perspectives(), ", "), said)
		}
	}
	var accepted []plan.Acceptance
	for _, item := range o.accept.Value() {
		if o.reason == "" || !o.commit {
			return usagef("--accept goes with --commit and with --reason, which says why the task is complete without it")
		}
		accepted = append(accepted, plan.Acceptance{Item: strings.TrimSpace(item), Reason: o.reason})
	}
	return inRepo(ctx, func(r *repo.Repo) error {
		by, err := c.identify(ctx, r, o.whose)
		if err != nil {
			return err
		}
		dir, err := r.CommonDir(ctx)
		if err != nil {
			return err
		}
		done, err := change.Request{
			Repo: r, CommonDir: dir, By: by, Cmd: c.record.cmd, Params: ask.params, Owned: ask.owned,
			Summary: ask.summary, Commit: o.commit, Observed: o.observed.Value(), Accepted: accepted,
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

func (c command) planComplete() *cli.Command {
	var o changeOptions
	return &cli.Command{
		Name: "complete",
		Flags: o.flags(listFlag(&o.accept, "accept",
			"complete it without this item being verified, for the --reason that is given: `ITEM`; may be repeated")),
		Action: c.settingStatus(&o, "is complete", plan.CompleteUnit),
	}
}

func (c command) planReopen() *cli.Command {
	var o changeOptions
	return &cli.Command{
		Name:   "reopen",
		Flags:  o.flags(),
		Action: c.settingStatus(&o, "is open again", plan.ReopenUnit),
	}
}

// settingStatus is the action of a command that sets the status of the unit that it names.
func (c command) settingStatus(
	o *changeOptions, summary string, set func(root *plan.Unit, unit string) (plan.Change, error),
) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		unit, err := named(ctx, "a task")
		if err != nil {
			return err
		}
		return c.changePlan(ctx.Context, *o, planChange{summary: summary, owned: true},
			func(root *plan.Unit) (plan.Change, error) { return set(root, unit) })
	}
}

func (c command) planReplan() *cli.Command {
	return c.recording(plan.ReplanSlice, "is planned again for ", "blocker", "TASK", &cli.Command{
		Name: "replan",
	}, "the complete `TASK` that makes it necessary", "what it showed: `TEXT`")
}

func (c command) planReassess() *cli.Command {
	return c.recording(plan.ReassessMilestone, "is reassessed after ", "completed", "SLICE", &cli.Command{
		Name: "reassess",
	}, "the `SLICE` that is complete", "what was found: `TEXT`")
}

// recording completes a command that writes down in a unit a record with another one, which an option names.
func (c command) recording(
	edit func(root *plan.Unit, unit, with, note, at string) (plan.Change, error), summary, option, value string,
	cmd *cli.Command, withUsage, noteUsage string,
) *cli.Command {
	var o changeOptions
	var with, note string
	cmd.Flags = o.flags(textFlag(&with, option, withUsage), textFlag(&note, "note", noteUsage))
	cmd.Action = func(ctx *cli.Context) error {
		unit, err := named(ctx, "a "+strings.ToLower(cmd.ArgsUsage))
		if err != nil {
			return err
		}
		if with == "" {
			return usagef("plan %s needs --%s %s", cmd.Name, option, value)
		}
		return c.changePlan(ctx.Context, o,
			planChange{summary: summary + with, params: map[string]any{option: with, "note": note}},
			func(root *plan.Unit) (plan.Change, error) { return edit(root, unit, with, note, timestamp()) })
	}
	return cmd
}

// timestamp is the time as plans have it.
func timestamp() string { return time.Now().UTC().Format(time.RFC3339) }
