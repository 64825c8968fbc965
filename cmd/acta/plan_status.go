package main

import (
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
)

func (c command) planComplete() *cli.Command {
	var o changeOptions
	return &cli.Command{
		Name:   "complete",
		Flags:  o.flags(),
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
		unit, err := named(ctx, "a unit")
		if err != nil {
			return err
		}
		return c.changePlan(ctx.Context, *o, planChange{
			edit:    func(root *plan.Unit) (plan.Change, error) { return set(root, unit) },
			summary: summary, owned: true,
		})
	}
}
