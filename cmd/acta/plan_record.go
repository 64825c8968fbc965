package main

import (
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
)

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
		return c.changePlan(ctx.Context, o, planChange{
			edit:    func(root *plan.Unit) (plan.Change, error) { return edit(root, unit, with, note, timestamp()) },
			summary: summary + with,
			params:  map[string]any{option: with, "note": note},
		})
	}
	return cmd
}

// timestamp is the time as plans have it.
func timestamp() string { return time.Now().UTC().Format(time.RFC3339) }
