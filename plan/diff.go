package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MoveKind says what a move changes.
type MoveKind string

// The kinds of moves are named after the field that they change, where it is one.
const (
	moveAdded      MoveKind = "added"
	moveRemoved    MoveKind = "removed"
	moveMoved      MoveKind = "moved"
	Reordered      MoveKind = "reordered" // the children of a unit
	moveDescribed  MoveKind = "described" // anew
	moveRisked     MoveKind = "risk"
	moveDecomposed MoveKind = "decomposed"
	moveRetyped    MoveKind = "type"
	StatusMoved    MoveKind = "status"
	moveThreshold  MoveKind = "threshold"
	moveListed     MoveKind = "checklist"
	moveDepends    MoveKind = "depends_on"
	moveScoped     MoveKind = "paths"
	moveAssessed   MoveKind = "assessments"
	moveReplanned  MoveKind = "replans"
	moveOther      MoveKind = "other" // fields that Acta does not know
)

// theRoot is what a unit without one above is said to stand below, codeKind the kind of an item that names none.
const (
	theRoot  = "the root"
	codeKind = "code"
)

// Move is one difference between two plans. Moves are comparable: two are equal
// when they change the same of the same unit, from and to the same.
type Move struct {
	Kind MoveKind
	// Unit is the id, Key the key: before the change for a unit that is removed, else after it.
	Unit, Key string
	// From and To are the values as the file has them, "" where there is none; of an
	// added or removed unit all that it says of itself.
	From, To string

	words string
}

// String says the move in words: «T03: pending → complete».
func (m Move) String() string { return m.Unit + ": " + m.words }

// Words are what the move says, without its unit.
func (m Move) Words() string { return m.words }

// InWords says each of some moves in words; it is never nil.
func InWords(moves []Move) []string {
	words := []string{}
	for _, m := range moves {
		words = append(words, m.String())
	}
	return words
}

// Diff lists what changes from one plan to another, in the order of the second,
// then what is gone in the order of the first. Plans without a move between them
// say the same. nil is a plan without units.
func Diff(before, after *Unit) []Move {
	return diff(NewIndex(before), NewIndex(after))
}

func diff(before, after *Index) []Move {
	d := &differ{before: before, after: after}
	for _, n := range after.Nodes {
		if was := before.byID[n.ID]; was != nil {
			d.changed(was, n)
		} else {
			d.added(n)
		}
	}
	for _, was := range before.Nodes {
		if after.byID[was.ID] == nil {
			d.move(was, moveRemoved, was.says(), "", "removed")
		}
	}
	return d.moves
}

type differ struct {
	before, after *Index
	moves         []Move
}

func (d *differ) move(n *Node, kind MoveKind, from, to, format string, args ...any) {
	d.moves = append(d.moves,
		Move{Kind: kind, Unit: n.ID, Key: n.Key, From: from, To: to, words: fmt.Sprintf(format, args...)})
}

// value adds a move from one value to another, if they differ.
func (d *differ) value(n *Node, kind MoveKind, from, to, words string) {
	if from != to {
		d.move(n, kind, from, to, "%s", strings.TrimSpace(words+" "+from+" → "+to))
	}
}

// texts adds a move from some texts to others, if they differ.
func (d *differ) texts(n *Node, kind MoveKind, was, now []string, words string) {
	if !slices.Equal(was, now) {
		from, to := strings.Join(was, ", "), strings.Join(now, ", ")
		d.move(n, kind, from, to, "%s «%s» → «%s»", words, from, to)
	}
}

func (d *differ) added(n *Node) {
	switch {
	case n.Parent == nil:
		d.move(n, moveAdded, "", n.says(), "added")
	case d.decomposes(n.Parent):
		d.move(n, moveAdded, "", n.says(), "added, a part of %s", n.Parent.ID)
	default:
		d.move(n, moveAdded, "", n.says(), "added to %s", n.Parent.ID)
	}
}

func (d *differ) changed(was, n *Node) {
	d.place(was, n)
	d.value(n, StatusMoved, status(was.Status), status(n.Status), "")
	d.value(n, moveThreshold, number(was.FailureThreshold), number(n.FailureThreshold), "failure_threshold")
	if was.Description != n.Description {
		from, to := was.Description, n.Description
		d.move(n, moveDescribed, from, to, "description: «%s» → «%s»", from, to)
	}
	d.value(n, moveRisked, cmp.Or(was.Risk, "unknown"), cmp.Or(n.Risk, "unknown"), "risk")
	if !sameItems(was.Checklist, n.Checklist) {
		d.move(n, moveListed, was.items(), n.items(), "checklist: %s", itemWords(was.Checklist, n.Checklist))
	}
	d.texts(n, moveDepends, was.DependsOn, n.DependsOn, "depends on")
	d.texts(n, moveScoped, was.Paths, n.Paths, "paths")
	d.records(was, n)
}

// place compares where a unit stands and what stands below it.
func (d *differ) place(was, n *Node) {
	if from, to := was.parentID(), n.parentID(); from != to {
		d.move(n, moveMoved, from, to, "moved from %s to %s", cmp.Or(from, theRoot), cmp.Or(to, theRoot))
	}
	if d.decomposes(n) {
		d.move(n, moveDecomposed, "", ids(n.Children), "decomposed into %s", ids(n.Children))
	} else if was.Type != n.Type {
		d.move(n, moveRetyped, was.Type, n.Type, "type %s → %s", was.Type, n.Type)
	}
	if slices.EqualFunc(was.Children, n.Children, func(a, b *Unit) bool { return a.ID == b.ID }) {
		return
	}
	from, to := stay(was, d.after), stay(n, d.before)
	if from != to {
		d.move(n, Reordered, from, to, "children reordered: %s", to)
	}
}

// stay lists the children of a unit that are its children in the other plan too.
func stay(n *Node, in *Index) string {
	return ids(slices.DeleteFunc(slices.Clone(n.Children), func(c *Unit) bool {
		o := in.byID[c.ID]
		return o == nil || o.parentID() != n.ID
	}))
}

// decomposes reports whether a unit that had no children has some now.
func (d *differ) decomposes(n *Node) bool {
	was := d.before.byID[n.ID]
	return was != nil && was.Type != Parent && len(was.Children) == 0 && len(n.Children) > 0
}

// records compares what commands write down in a unit, and what others did.
func (d *differ) records(was, n *Node) {
	if was.bare() && n.bare() {
		return
	}
	for _, r := range []struct {
		kind     MoveKind
		from, to string
	}{
		{moveAssessed, was.list(atAssessments), n.list(atAssessments)},
		{moveReplanned, was.list(atReplans), n.list(atReplans)},
	} {
		if r.from != r.to {
			d.move(n, r.kind, r.from, r.to, "%s changed", r.kind)
		}
	}
	if from, to := unknownOf(was.members), unknownOf(n.members); from != to {
		d.move(n, moveOther, from, to, "other fields changed: %s → %s", from, to)
	}
}

func (n *Node) parentID() string {
	if n.Parent == nil {
		return ""
	}
	return n.Parent.ID
}

func ids(units []*Unit) string {
	all := make([]string, len(units))
	for i, u := range units {
		all[i] = u.ID
	}
	return strings.Join(all, ", ")
}

// list prints one field of a unit.
func (u *Unit) list(field int) string {
	if field == atAssessments && len(u.Assessments) == 0 || field == atReplans && len(u.Replans) == 0 {
		return ""
	}
	w := &writer{}
	w.field(u, field, 0)
	return w.String()
}

// bare reports a unit without records and without fields that are not known here.
func (u *Unit) bare() bool {
	return len(u.Assessments)+len(u.Replans) == 0 && !slices.ContainsFunc(u.members, isUnknown)
}

func isUnknown(m member) bool { return m.raw != nil }

// sameItems compares checklists as they count: an absent kind or «required» is its default.
func sameItems(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(a, b Item) bool {
		return a.Text == b.Text && a.Optional == b.Optional && cmp.Or(a.Kind, codeKind) == cmp.Or(b.Kind, codeKind) &&
			(!slices.ContainsFunc(a.members, isUnknown) && !slices.ContainsFunc(b.members, isUnknown) ||
				unknownOf(a.members) == unknownOf(b.members))
	})
}

// items prints the checklist in one form, whatever it leaves out.
func (u *Unit) items() string {
	w := &strings.Builder{}
	for _, i := range u.Checklist {
		fmt.Fprintf(w, "%s %v %s %s\n", quote(i.Text), !i.Optional, cmp.Or(i.Kind, codeKind), unknownOf(i.members))
	}
	return w.String()
}

// unknownOf prints the fields that are not known here; their order says nothing.
func unknownOf(members []member) string {
	var all []string
	for _, m := range members {
		if isUnknown(m) {
			all = append(all, quote(m.key)+": "+string(m.raw))
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// says is all that a unit says of itself, its children and its place excepted.
func (u *Unit) says() string {
	return strings.Join([]string{
		u.Type, status(u.Status), number(u.FailureThreshold), quote(u.Description), u.Risk,
		u.items(), strings.Join(u.DependsOn, " "), strings.Join(u.Paths, " "), u.list(atAssessments), u.list(atReplans),
		unknownOf(u.members),
	}, "\n")
}

// itemWords says how a checklist changes: what comes, what goes, and whether what stays is asked for otherwise.
func itemWords(before, after []Item) string {
	var words []string
	for _, i := range missing(after, before) {
		words = append(words, "+ «"+i.Text+"»")
	}
	for _, i := range missing(before, after) {
		words = append(words, "− «"+i.Text+"»")
	}
	if words == nil {
		return "order, kinds or required items changed"
	}
	return strings.Join(words, ", ")
}

// Reports tells whether a report of items names each of a checklist.
func Reports(reported, checklist []Item) bool { return len(missing(checklist, reported)) == 0 }

// missing are the items of a list that another one does not have.
func missing(of, in []Item) []Item {
	have, names := map[string]bool{}, NameItems(of)
	for _, i := range in {
		if n := names.Find(i.Text); n >= 0 {
			have[ItemText(of[n].Text)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(of), func(i Item) bool { return have[ItemText(i.Text)] })
}
