package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

func (c command) runAdd(call *cli.Context) error {
	parent, err := named(call, "a parent")
	o := addOptions{call}
	if err == nil {
		err = o.checkKinds()
	}
	if err != nil {
		return err
	}
	params := o.params()
	return c.changePlan(call, planChange{params: params}, func(root *plan.Unit) (plan.Change, error) {
		change, id, err := o.add(root, parent)
		params["id"], change.Says = id, "plans "+id
		return change, err
	})
}

// addOptions are those of plan add.
type addOptions struct{ *cli.Context }

// add plans the unit, new or anew, and says which id it has.
func (o addOptions) add(root *plan.Unit, parent string) (plan.Change, string, error) {
	unit := &plan.Unit{
		ID: o.String("id"), Type: o.String("type"), Description: o.String("description"), Risk: o.String("risk"),
		Checklist: o.checklist(), DependsOn: o.StringSlice("depends-on"), Paths: o.StringSlice("paths"),
	}
	if p := root.Find(parent); p != nil {
		for _, child := range p.Children {
			if child.ID == unit.ID {
				if is := formOf(child); unit.Type != "" && unit.Type != is {
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

// formOf is the type of a unit, which a file may leave to its children to say.
func formOf(u *plan.Unit) string {
	if u.Acts() {
		return plan.Atomic
	}
	return plan.Parent
}

// checkKinds asks for kinds that there are, one for all items or one for each.
func (o addOptions) checkKinds() error {
	given, items := o.StringSlice("kind"), len(o.StringSlice("item"))+len(o.StringSlice("optional-item"))
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

func (o addOptions) checklist() []plan.Item {
	var all []plan.Item
	add := func(text string, optional bool) {
		kind := parser.KindOf(text)
		if kinds := o.StringSlice("kind"); len(kinds) > 0 {
			kind = kinds[min(len(all), len(kinds)-1)]
		}
		all = append(all, plan.Item{Text: text, Optional: optional, Kind: kind})
	}
	for _, text := range o.StringSlice("item") {
		add(text, false)
	}
	for _, text := range o.StringSlice("optional-item") {
		add(text, true)
	}
	return all
}

// params are what was asked for, what was left out left out.
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
