package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/report"
)

// The edits of this file are what commands do to a plan. Each returns a change and checks only that its units exist:
// the caller runs Check, as for an edit by hand. They do not change the given tree.

// CompleteUnit completes a unit, and sets pending ancestors in progress.
func CompleteUnit(root *Unit, unit string) (Change, error) {
	return edit(root, unit, func(_ *Change, n *Node) {
		if n.Status != Complete { // otherwise Check refuses it
			n.Status = Complete
			n.activate()
		}
	})
}

// ReopenUnit sets a complete task to pending, or a slice to in progress and its tasks to pending; pending ancestors
// become in progress.
func ReopenUnit(root *Unit, unit string) (Change, error) {
	return edit(root, unit, func(c *Change, n *Node) {
		c.Reopen = []string{n.Key}
		if n.Status != Complete || n.noun() == "milestone" {
			return // Check says so
		}
		n.reopen()
		if n.noun() == "slice" {
			for _, b := range n.descendants() {
				b.reopen()
			}
		}
		n.activate()
	})
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
	return edit(root, cmp.Or(parent, root.ID), func(_ *Change, p *Node) {
		if i := slices.IndexFunc(p.Children, func(c *Unit) bool { return c.ID == unit.ID }); i >= 0 {
			p.Children[i].update(unit)
			return
		}
		added := unit.Clone()
		added.Status = cmp.Or(added.Status, Pending)
		p.Children = append(p.Children, added)
		if p.Type == Atomic {
			p.Type = Parent
		}
	})
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
	u.Description, u.Risk = cmp.Or(as.Description, u.Description), cmp.Or(as.Risk, u.Risk)
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

func addRecord(root *Unit, unit string, r Record, records func(*Node) *[]Record) (c Change, pairs []Pair, err error) {
	x := NewIndex(root)
	with := x.Find(r.Other)
	c, err = edit(root, unit, func(_ *Change, n *Node) {
		if with == nil {
			return
		}
		r.Other, pairs = with.ID, []Pair{{n.Key, with.Key}}
		all := records(n)
		if i := slices.IndexFunc(*all, func(o Record) bool { return x.Find(o.Other) == with }); i >= 0 {
			(*all)[i] = r
		} else {
			*all = append(*all, r)
		}
	})
	if err == nil && with == nil {
		err = UnknownUnit(x, r.Other)
	}
	return c, pairs, err
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

// edit changes a unit in a copy of the tree. Without the unit, the error is a *Violation.
func edit(root *Unit, unit string, change func(c *Change, n *Node)) (Change, error) {
	c := Change{Before: root, After: root.Clone()}
	x := NewIndex(c.After)
	n := x.Find(unit)
	if n == nil {
		return c, UnknownUnit(x, unit)
	}
	c.Adapts = []string{n.Key}
	change(&c, n)
	return c, nil
}

func (n *Node) activate() {
	for _, a := range n.ancestors() {
		if a.Status == Pending {
			a.Status = InProgress
		}
	}
}

// UntouchedMerge returns the plan of a merge without the merge's own changes: after, where a value that no parent has
// is replaced with the first parent's.
func UntouchedMerge(after *Unit, parents ...*Unit) *Unit {
	if after == nil || len(parents) == 0 {
		return after
	}
	m := &merger{report.Map(parents, NewIndex)}
	root := m.unit(after)
	m.restoreShared(root)
	return root
}

type merger struct{ parents []*Index }

// unit is the unit with the parents' values; nil if no parent has it.
func (m *merger) unit(u *Unit) *Unit {
	var versions []*Node
	for _, x := range m.parents {
		if n := x.byID[u.ID]; n != nil {
			versions = append(versions, n)
		}
	}
	if len(versions) == 0 {
		return nil
	}
	out := *u
	first := versions[0].Unit
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Type })
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Description })
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Risk })
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Status })
	setAgreed(&out, first, versions, func(u *Unit) *float64 { return &u.FailureThreshold })
	setAgreed(&out, first, versions, func(u *Unit) *[]string { return &u.DependsOn })
	setAgreed(&out, first, versions, func(u *Unit) *[]string { return &u.Paths })
	out.Checklist = sharedItems(u.Checklist, versions)
	out.Children = nil
	for _, c := range u.Children {
		if child := m.unit(c); child != nil {
			out.Children = append(out.Children, child)
		}
	}
	return &out
}

// setAgreed sets a field to the first parent's value if no parent has the current one.
func setAgreed[V any](out, first *Unit, versions []*Node, field func(*Unit) *V) {
	if !slices.ContainsFunc(versions, func(n *Node) bool { return reflect.DeepEqual(field(n.Unit), field(out)) }) {
		*field(out) = *field(first)
	}
}

// sharedItems removes the items that no parent has, and restores those that all have.
func sharedItems(items []Item, versions []*Node) []Item {
	has := func(n *Node, i Item) bool { return len(missingItems([]Item{i}, n.Checklist)) == 0 }
	out := slices.DeleteFunc(slices.Clone(items), func(i Item) bool {
		return !slices.ContainsFunc(versions, func(n *Node) bool { return has(n, i) })
	})
	for _, i := range versions[0].Checklist {
		all := !slices.ContainsFunc(versions, func(n *Node) bool { return !has(n, i) })
		if all && len(missingItems([]Item{i}, items)) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// restoreShared adds the units that every parent has and the merge has not.
func (m *merger) restoreShared(root *Unit) {
	index := NewIndex(root)
	for _, n := range m.parents[0].Nodes {
		everywhere := !slices.ContainsFunc(m.parents, func(x *Index) bool { return x.byID[n.ID] == nil })
		if n.Parent == nil || index.byID[n.ID] != nil || !everywhere {
			continue
		}
		if p := index.byID[n.Parent.ID]; p != nil {
			restored := *n.Unit
			restored.Children = nil
			p.Children = append(p.Children, &restored)
			index = NewIndex(root)
		}
	}
}
