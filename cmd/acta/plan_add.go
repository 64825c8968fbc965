package main

import (
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/plan"
)

type addOptions struct {
	changeOptions
	id, kind, description string
	items, optional       cli.StringSlice
	dependsOn             cli.StringSlice
}

func (c command) planAdd() *cli.Command {
	var o addOptions
	return &cli.Command{
		Name: "add", Usage: "plan a unit below another", ArgsUsage: "PARENT",
		Description: "PARENT is a unit, or the root by its id. Where it has the unit already, that is planned anew: description,\n" +
			"items and dependencies as far as they are given. Write an item as " + plan.Guide + ".",
		Flags: o.flags(
			&cli.StringFlag{Name: "id", Usage: "the unit's `ID`, unique in the whole plan", Destination: &o.id},
			&cli.StringFlag{Name: "type", Usage: "`TYPE`: atomic for a task, parent for what has units below (default: atomic)", Destination: &o.kind},
			&cli.StringFlag{Name: "description", Usage: "what it is about: `TEXT`", Destination: &o.description},
			&cli.StringSliceFlag{Name: "item", Usage: "what it must implement: `ITEM`; may be repeated", Destination: &o.items},
			&cli.StringSliceFlag{Name: "optional-item", Usage: "what it may leave out: `ITEM`; may be repeated", Destination: &o.optional},
			&cli.StringSliceFlag{Name: "depends-on", Usage: "a `UNIT` that must be complete before; may be repeated", Destination: &o.dependsOn},
		),
		Action: func(ctx *cli.Context) error {
			parent, err := named(ctx, "a parent")
			switch {
			case err != nil:
				return err
			case o.id == "":
				return usagef("plan add needs --id ID")
			case o.kind != "" && o.kind != plan.Atomic && o.kind != plan.Parent:
				return usagef("--type is parent or atomic, not %q", o.kind)
			}
			return c.changePlan(ctx.Context, o.changeOptions, planChange{
				edit:    func(root *plan.Unit) (plan.Change, error) { return o.add(root, parent) },
				summary: "plans " + o.id, params: o.params(),
			})
		},
	}
}

// add plans the unit, new or anew.
func (o *addOptions) add(root *plan.Unit, parent string) (plan.Change, error) {
	unit := &plan.Unit{ID: o.id, Type: o.kind, Description: o.description, Checklist: o.checklist(), DependsOn: o.dependsOn.Value()}
	if p := root.Find(parent); p != nil {
		for _, child := range p.Children {
			if child.ID == o.id {
				if is := kindOf(child); o.kind != "" && o.kind != is {
					return plan.Change{}, usagef("%s is planned already, with the type %s; leave --type out", o.id, is)
				}
				return plan.AddUnit(root, parent, unit)
			}
		}
	}
	if o.description == "" {
		return plan.Change{}, usagef("plan add needs --description TEXT for a unit that is new")
	}
	if unit.Type == "" {
		unit.Type = plan.Atomic
	}
	return plan.AddUnit(root, parent, unit)
}

// kindOf is the type of a unit, which a file may leave to its children to say.
func kindOf(u *plan.Unit) string {
	if u.Acts() {
		return plan.Atomic
	}
	return plan.Parent
}

func (o *addOptions) checklist() []plan.Item {
	var all []plan.Item
	for _, text := range o.items.Value() {
		all = append(all, plan.Item{Text: text})
	}
	for _, text := range o.optional.Value() {
		all = append(all, plan.Item{Text: text, Optional: true})
	}
	return all
}

// params are what was asked for, what was left out left out.
func (o *addOptions) params() map[string]any {
	params := map[string]any{"id": o.id}
	for key, value := range map[string]string{"type": o.kind, "description": o.description} {
		if value != "" {
			params[key] = value
		}
	}
	for key, values := range map[string][]string{"items": o.items.Value(), "optional_items": o.optional.Value(), "depends_on": o.dependsOn.Value()} {
		if len(values) > 0 {
			params[key] = values
		}
	}
	return params
}
