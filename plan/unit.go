// Package plan is the tree of work as a state machine: units, their checklists and statuses, and which changes of them
// are legal.
//
// It is pure: bytes in, a tree out; a tree before and one after in, moves and violations out. Only history can tell
// the last ACT of a unit, so the Change asks for it through a function. A command and an edit by hand answer to the
// same Check: the mutations here (Complete, Add, …) only make the tree after. It must never import repo, judge or
// anything that reads files.
//
// [Read] is strict, for a plan that is about to land. [Parse] takes what it can use, for a plan that has landed
// already. [Write] is canonical: one key a line in the order of the file, so that a change of one unit is a small
// diff, and unknown fields stay where they are.
package plan

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

// The types of a unit. Without one, a unit with children is a parent.
const (
	Parent = "parent"
	Atomic = "atomic"
)

// The statuses of a unit. A file may leave the status out, which is Pending, and
// call a milestone in progress «active».
const (
	Pending    = "pending"
	InProgress = "in_progress"
	Complete   = "complete"
)

// How much caution a unit needs.
const (
	Low    = "low"
	Medium = "medium"
	High   = "high"
)

// Escalated is the failure threshold, inclusive, at which a unit may not act until its parent lowers it; Step is the
// least increase after a failed ACT.
const (
	Escalated = 1.0
	Step      = 0.25
)

// Unit is a node of the plan. Missing fields have their zero value, except the status: it is Pending.
type Unit struct {
	ID          string
	Type        string
	Description string
	// Risk is Low, Medium or High, "" if unset.
	Risk   string
	Status string
	// FailureThreshold is from 0 to 1, both included.
	FailureThreshold float64
	Checklist        []Item
	// DependsOn names units, by id or key, that must be complete before this one is planned or worked on.
	DependsOn []string
	// Paths are patterns of the files that the work lies in; see Scope.
	Paths []string
	// Assessments belong to a milestone, one for each completed slice; Replans to a slice, one for each blocker.
	Assessments, Replans []Record
	Children             []*Unit

	// Pos is the unit's place in the file; zero for a new unit.
	Pos report.Pos

	members   []member // the keys of the file, in its order
	rawStatus string   // the status as the file has it
	offsets   offsets
}

// Item is one thing that a unit must implement. An optional item must be reported, but need not be done.
type Item struct {
	Text       string
	IsOptional bool
	// Kind is code (the default, as ""), text, test, removal or asset.
	Kind string

	members []member
	offset  int
}

// Record records that a milestone's roadmap was reassessed after a slice was complete, or that a slice was replanned
// because of a complete task, the blocker.
type Record struct {
	// Other is the complete slice, or the blocker.
	Other, Note string
	// At is when, as written; Acta writes RFC 3339 in UTC.
	At string

	members []member
}

func newRecords(unit string, before, after []Record) (pairs []Pair) {
	for _, r := range after {
		isSame := func(o Record) bool { return o.Other == r.Other && o.Note == r.Note && o.At == r.At }
		if !slices.ContainsFunc(before, isSame) {
			pairs = append(pairs, Pair{Unit: unit, Other: r.Other})
		}
	}
	return pairs
}

// member is a key of an object in a plan file. Raw is the compact value of a key
// that is not known here, nil for a known one.
type member struct {
	key string
	raw []byte
}

// ItemKey identifies items over many commits: white space folded, without case and backticks.
func ItemKey(item string) string { return strings.ToLower(ItemText(item)) }

// ItemText identifies an item in its checklist: white space folded, without backticks. Case counts, since names of code
// may differ only in case.
func ItemText(item string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(item, "`", "")), " ")
}

// ItemNames finds the items of a list by their names in a report.
type ItemNames struct {
	exact, folded map[string]int // several: the number is negative
}

// NameItems prepares to find the items of a list.
func NameItems(items []Item) ItemNames {
	x := ItemNames{make(map[string]int, len(items)), make(map[string]int, len(items))}
	for n, i := range items {
		text := ItemText(i.Text)
		if _, exists := x.exact[text]; exists {
			continue
		}
		x.exact[text] = n
		key := strings.ToLower(text)
		if _, exists := x.folded[key]; exists {
			n = -1
		}
		x.folded[key] = n
	}
	return x
}

// Find is the index of the item with a name: exact, or without case if only one matches; -1 for none.
func (x ItemNames) Find(item string) int {
	text := ItemText(item)
	if n, ok := x.exact[text]; ok {
		return n
	}
	if n, ok := x.folded[strings.ToLower(text)]; ok {
		return n
	}
	return -1
}

// IsTask reports whether the unit does work itself: it has no children and is not meant to have any.
func (u *Unit) IsTask() bool { return len(u.Children) == 0 && u.Type != Parent }

// Find returns a unit by its key (the ids from below the root, joined by '/') or its id. nil if there is none.
func (u *Unit) Find(name string) *Unit {
	if n := NewIndex(u).Find(name); n != nil {
		return n.Unit
	}
	return nil
}

// Current returns the atomic unit that is in progress; nil unless there is exactly one.
func (u *Unit) Current() *Unit {
	var found []*Unit
	for _, n := range NewIndex(u).Nodes {
		if len(n.Children) == 0 && n.Status == InProgress {
			found = append(found, n.Unit)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// Clone copies the unit and all below it.
func (u *Unit) Clone() *Unit {
	c := *u
	c.Checklist, c.DependsOn = slices.Clone(u.Checklist), slices.Clone(u.DependsOn)
	c.Paths = slices.Clone(u.Paths)
	c.Assessments, c.Replans = slices.Clone(u.Assessments), slices.Clone(u.Replans)
	c.Children = report.Map(u.Children, (*Unit).Clone)
	return &c
}

// Node is a unit and its place in the tree.
type Node struct {
	*Unit
	Parent *Node // nil for the root
	// Key is the ids from below the root joined by '/'; for the root its id.
	Key   string
	Depth int // 0 for the root
}

// Index finds the units of a tree by their names.
type Index struct {
	// Nodes are all units, a parent before its children: depth first.
	Nodes []*Node
	byID  map[string]*Node
}

// NewIndex indexes a tree; nil gives an empty index. Of units with the same id, which Read refuses, it finds the first.
func NewIndex(root *Unit) *Index {
	n := root.count()
	x := &Index{Nodes: make([]*Node, 0, n), byID: make(map[string]*Node, n)}
	if root != nil {
		x.add(root, nil)
	}
	return x
}

func (u *Unit) count() int {
	if u == nil {
		return 0
	}
	n := 1
	for _, c := range u.Children {
		n += c.count()
	}
	return n
}

func (x *Index) add(u *Unit, parent *Node) {
	n := &Node{Unit: u, Parent: parent, Key: u.ID}
	if parent != nil {
		n.Depth = parent.Depth + 1
		if parent.Depth > 0 {
			n.Key = parent.Key + "/" + u.ID
		}
	}
	x.Nodes = append(x.Nodes, n)
	if x.byID[u.ID] == nil {
		x.byID[u.ID] = n
	}
	for _, c := range u.Children {
		x.add(c, n)
	}
}

// Find returns a unit by its key or id; nil if there is none.
func (x *Index) Find(name string) *Node {
	n := x.byID[name[strings.LastIndexByte(name, '/')+1:]]
	if n == nil || strings.Contains(name, "/") && n.Key != name {
		return nil
	}
	return n
}

// KeyAbove is the key of the unit above another, by its key; "" for one directly below the root.
func KeyAbove(key string) string { return key[:max(strings.LastIndexByte(key, '/'), 0)] }

// StatusIn is the status of a unit, by its key or id, anywhere in a tree; "" if it is not there.
func StatusIn(root *Unit, unit string) string {
	if n := NewIndex(root).byID[unit[strings.LastIndexByte(unit, '/')+1:]]; n != nil {
		return n.Status
	}
	return ""
}

// What a unit is called: «task», «milestone», «slice» or, for the root, «plan».
func (n *Node) noun() string {
	switch {
	case n.Depth == 0:
		return "plan"
	case n.IsTask():
		return "task"
	case n.Depth == 1:
		return "milestone"
	}
	return "slice"
}

// label is the unit as messages call it: «task T01».
func (n *Node) label() string { return n.noun() + " " + n.ID }

func (n *Node) ancestors() []*Node {
	var all []*Node
	for p := n.Parent; p != nil; p = p.Parent {
		all = append(all, p)
	}
	return all
}

// IsBelow reports whether the unit is an ancestor of n.
func (n *Node) IsBelow(id string) bool {
	return slices.ContainsFunc(n.ancestors(), func(a *Node) bool { return a.ID == id })
}

func (n *Node) descendants() []*Node {
	x := &Index{byID: map[string]*Node{}}
	for _, c := range n.Children {
		x.add(c, n)
	}
	return x.Nodes
}
