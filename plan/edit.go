package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The edits of this file are what commands do to a plan. Each returns a change and checks only that its units exist:
// the caller runs Check, as for an edit by hand. They do not change the given tree.

// CompleteUnit completes a unit, and sets pending ancestors in progress.
func CompleteUnit(root *Unit, unit string) (Change, error) {
	c, n, err := edit(root, unit)
	if err != nil {
		return c, err
	}
	if n.Status != Complete { // otherwise Check refuses it
		n.Status = Complete
		n.activate()
	}
	return c, nil
}

// ReopenUnit sets a complete task to pending, or a slice to in progress and its tasks to pending; pending ancestors
// become in progress.
func ReopenUnit(root *Unit, unit string) (Change, error) {
	c, n, err := edit(root, unit)
	if err != nil {
		return c, err
	}
	c.Reopen = []string{n.Key}
	if n.Status != Complete || n.noun() == "milestone" {
		return c, nil // Check says so
	}
	n.reopen()
	if n.noun() == "slice" {
		for _, b := range n.descendants() {
			b.reopen()
		}
	}
	n.activate()
	return c, nil
}

func (n *Node) reopen() {
	n.Status = InProgress
	if n.IsTask() {
		n.Status = Pending
	}
}

// AddUnit adds a unit below another; "" is the root. An existing unit is updated with the given fields. An atomic
// parent becomes a parent.
func AddUnit(root *Unit, parent string, unit *Unit) (Change, error) {
	if parent == "" {
		parent = root.ID
	}
	c, p, err := edit(root, parent)
	if err != nil {
		return c, err
	}
	if old := p.child(unit.ID); old != nil {
		old.update(unit)
		return c, nil
	}
	added := unit.Clone()
	if added.Status == "" {
		added.Status = Pending
	}
	p.Children = append(p.Children, added)
	if p.Type == Atomic {
		p.Type = Parent
	}
	return c, nil
}

// FreeID is an id for a new unit below another: the letter of its kind, and the next free number.
func FreeID(root *Unit, parent string, unit *Unit) string {
	x := NewIndex(root)
	letter := "T"
	if !unit.IsTask() {
		letter = "S"
		if p := x.Find(parent); p != nil && p.Depth == 0 {
			letter = "M"
		}
	}
	last := 0
	for _, n := range x.Nodes {
		digits, ok := strings.CutPrefix(n.ID, letter)
		if number, err := strconv.Atoi(digits); ok && err == nil {
			last = max(last, number)
		}
	}
	return fmt.Sprintf("%s%02d", letter, last+1)
}

func (u *Unit) update(as *Unit) {
	if as.Description != "" {
		u.Description = as.Description
	}
	if as.Risk != "" {
		u.Risk = as.Risk
	}
	if as.Checklist != nil {
		u.Checklist = slices.Clone(as.Checklist)
	}
	if as.DependsOn != nil {
		u.DependsOn = slices.Clone(as.DependsOn)
	}
	if as.Paths != nil {
		u.Paths = slices.Clone(as.Paths)
	}
}

// ReplanSlice records that a slice is replanned because of a complete task, the blocker. at is the time in RFC 3339. A
// second record of the blocker replaces the first.
func ReplanSlice(root *Unit, slice, blocker, note, at string) (c Change, err error) {
	c, c.Replan, err = addRecord(root, slice, Record{Other: blocker, Note: note, At: at},
		func(n *Node) *[]Record { return &n.Replans })
	return c, err
}

// ReassessMilestone writes down that the roadmap of a milestone was looked at after
// a slice was complete. at is as for ReplanSlice; a second record of the slice replaces the first.
func ReassessMilestone(root *Unit, milestone, slice, note, at string) (c Change, err error) {
	c, c.Reassess, err = addRecord(root, milestone, Record{Other: slice, Note: note, At: at},
		func(n *Node) *[]Record { return &n.Assessments })
	return c, err
}

func addRecord(root *Unit, unit string, r Record, records func(*Node) *[]Record) (Change, []Pair, error) {
	c, n, err := edit(root, unit)
	if err != nil {
		return c, nil, err
	}
	with, err := c.find(r.Other)
	if err != nil {
		return c, nil, err
	}
	r.Other = with.ID
	all := records(n)
	if i := slices.IndexFunc(*all, func(o Record) bool { return c.isNamed(o.Other, with) }); i >= 0 {
		(*all)[i] = r
	} else {
		*all = append(*all, r)
	}
	return c, []Pair{{n.Key, with.Key}}, nil
}

// ReplaceTree is the change that replaces a tree in an ADAPT of a unit. It finds the trailers by comparing: reopened
// units, and new records.
func ReplaceTree(before, after *Unit, unit string) Change {
	c := Change{Before: before, After: after, Adapts: []string{unit}}
	oldIndex, newIndex := NewIndex(before), NewIndex(after)
	reopened := map[*Node]bool{}
	for _, n := range newIndex.Nodes {
		old := oldIndex.Find(n.ID)
		if old == nil {
			continue
		}
		if reopened[n.Parent] {
			reopened[n] = true
		} else if old.Status == Complete && n.Status != Complete {
			reopened[n] = true
			c.Reopen = append(c.Reopen, n.Key)
		}
		c.Replan = append(c.Replan, newRecords(n.Key, old.Replans, n.Replans)...)
		c.Reassess = append(c.Reassess, newRecords(n.Key, old.Assessments, n.Assessments)...)
	}
	return c
}

// edit begins a change by a unit, and finds the unit in the tree after it.
func edit(root *Unit, unit string) (Change, *Node, error) {
	c := Change{Before: root, After: root.Clone()}
	n, err := c.find(unit)
	if err != nil {
		return c, nil, err
	}
	c.Adapts = []string{n.Key}
	return c, n, nil
}

// find returns a unit of the tree after the change, or the *Violation that there is none.
func (c Change) find(name string) (*Node, error) {
	x := NewIndex(c.After)
	if n := x.Find(name); n != nil {
		return n, nil
	}
	return nil, UnknownUnit(x, name)
}

func (c Change) isNamed(name string, n *Node) bool {
	found := NewIndex(c.After).Find(name)
	return found != nil && found.Key == n.Key
}

func (n *Node) activate() {
	for _, a := range n.ancestors() {
		if a.Status == Pending {
			a.Status = InProgress
		}
	}
}
