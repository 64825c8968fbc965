package main

import (
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
)

func (c command) planComplete() *cli.Command {
	var o changeOptions
	return &cli.Command{
		Name: "complete", Usage: "make a unit complete", ArgsUsage: "UNIT",
		Description: "A task is complete when its last ACT reported every item and no claim of it is not_verified; a\n" +
			"slice or a milestone when everything below is. What is pending above the unit is then in progress.",
		Flags: o.flags(),
		Action: func(ctx *cli.Context) error {
			unit, err := named(ctx, "a unit")
			if err != nil {
				return err
			}
			return c.changePlan(ctx.Context, o, planChange{
				edit:    func(root *plan.Unit) (plan.Change, error) { return plan.CompleteUnit(root, unit) },
				summary: "is complete", owned: true,
			})
		},
	}
}
