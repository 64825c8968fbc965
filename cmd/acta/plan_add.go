package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

type addOptions struct {
	changeOptions
	id, form, description, risk string
	items, optional, kinds      cli.StringSlice
	dependsOn, paths            cli.StringSlice
}

func (c command) planAdd() *cli.Command {
	var o addOptions
	return &cli.Command{
		Name: "add",
		Description: "PARENT is the key of a task, or the id of the root. A task that it has already is planned anew:\n" +
			"description, risk, items, dependencies and paths as far as they are given. Write an item as " + plan.Guide + ".\n" +
			"Without --kind an item that writes prose is of kind text («Document login()», «Fix typo in …»),\n" +
			"any other of kind code.",
		Flags: o.flags(
			textFlag(&o.id, "id", "the task's `ID`, unique in the whole plan (default: the next free number, as T04)"),
			oneOfFlag(&o.form, "type", "`TYPE`, atomic for work and by default, parent for a group of tasks", "", plan.Parent,
				plan.Atomic),
			textFlag(&o.description, "description", "what it is about: `TEXT`"),
			listFlag(&o.items, "item", "what it must implement: `ITEM`; may be repeated"),
			listFlag(&o.optional, "optional-item", "what it may leave out: `ITEM`; may be repeated"),
			listFlag(&o.kinds, "kind",
				"what the items are: `KIND` is code, text, test, removal or asset; one for all of them, or one for "+
					"each in their order"),
			oneOfFlag(&o.risk, "risk", "how much caution it needs, `RISK`", "", plan.High, plan.Medium, plan.Low),
			listFlag(&o.dependsOn, "depends-on", "a `TASK` that must be complete before; may be repeated"),
			listFlag(&o.paths, "paths", "where the work lies: `GLOB`, from the top of the repository, ** crosses folders; may "+
				"be repeated"),
		),
		Action: func(ctx *cli.Context) error {
			parent, err := named(ctx, "a parent")
			if err == nil {
				err = o.checkKinds()
			}
			if err != nil {
				return err
			}
			params := o.params()
			return c.changePlan(ctx.Context, o.changeOptions, planChange{params: params},
				func(root *plan.Unit) (plan.Change, error) {
					change, id, err := o.add(root, parent)
					params["id"], change.Says = id, "plans "+id
					return change, err
				})
		},
	}
}

// add plans the unit, new or anew, and says which id it has.
func (o *addOptions) add(root *plan.Unit, parent string) (plan.Change, string, error) {
	unit := &plan.Unit{
		ID: o.id, Type: o.form, Description: o.description, Risk: o.risk, Checklist: o.checklist(),
		DependsOn: o.dependsOn.Value(), Paths: o.paths.Value(),
	}
	if p := root.Find(parent); p != nil {
		for _, child := range p.Children {
			if child.ID == o.id {
				if is := formOf(child); o.form != "" && o.form != is {
					return plan.Change{}, o.id, usagef("%s is planned already, with the type %s; leave --type out", o.id, is)
				}
				change, err := plan.AddUnit(root, parent, unit)
				return change, o.id, err
			}
		}
	}
	if o.description == "" {
		return plan.Change{}, o.id, usagef("plan add needs --description TEXT for a task that is new")
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

// formOf is the type of a unit, which a file may leave to its children to say.
func formOf(u *plan.Unit) string {
	if u.Acts() {
		return plan.Atomic
	}
	return plan.Parent
}

// checkKinds asks for kinds that there are, one for all items or one for each.
func (o *addOptions) checkKinds() error {
	given, items := o.kinds.Value(), len(o.items.Value())+len(o.optional.Value())
	for _, kind := range given {
		if !slices.Contains(plan.Kinds(), kind) {
			return usagef("--kind must be one of %s, not %q", strings.Join(plan.Kinds(), ", "), kind)
		}
	}
	if len(given) > 1 && len(given) != items {
		return usagef("--kind is given once for all items, or once for each of the %d: found %d", items, len(given))
	}
	if len(given) > 0 && items == 0 {
		return usagef("--kind goes with --item or --optional-item")
	}
	return nil
}

func (o *addOptions) checklist() []plan.Item {
	var all []plan.Item
	add := func(text string, optional bool) {
		kind := parser.KindOf(text)
		if kinds := o.kinds.Value(); len(kinds) > 0 {
			kind = kinds[min(len(all), len(kinds)-1)]
		}
		all = append(all, plan.Item{Text: text, Optional: optional, Kind: kind})
	}
	for _, text := range o.items.Value() {
		add(text, false)
	}
	for _, text := range o.optional.Value() {
		add(text, true)
	}
	return all
}

// params are what was asked for, what was left out left out.
func (o *addOptions) params() map[string]any {
	params := map[string]any{"id": o.id}
	for key, value := range map[string]string{"type": o.form, "description": o.description, "risk": o.risk} {
		if value != "" {
			params[key] = value
		}
	}
	for key, values := range map[string][]string{
		"items": o.items.Value(), "optional_items": o.optional.Value(), "kinds": o.kinds.Value(),
		"depends_on": o.dependsOn.Value(), "paths": o.paths.Value(),
	} {
		if len(values) > 0 {
			params[key] = values
		}
	}
	return params
}
