package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/report"
)

// MoveKind is a kind of move that callers tell apart; "" for the others.
type MoveKind string

// The kinds of moves.
const (
	Reordered     MoveKind = "reordered" // the children of a unit
	StatusMoved   MoveKind = "status"
	moveThreshold MoveKind = "threshold"
)

// rootName is the parent of a unit without one, codeKind the default kind of an item.
const (
	rootName = "the root"
	codeKind = "code"
)

// Move is one difference between two plans. Moves are comparable: two are equal
// when they change the same of the same unit, from and to the same.
type Move struct {
	Kind MoveKind
	// Unit is the id, Key the key: before the change for a unit that is removed, else after it.
	Unit, Key string
	// From and To are the values in the file, "" for none; for an added or removed unit, all of its fields.
	From, To string

	words string
}

// String says the move in words: «T03: pending → complete».
func (m Move) String() string { return m.Unit + ": " + m.words }

// Words are the move without its unit.
func (m Move) Words() string { return m.words }

// MoveTexts says each of some moves in words; it is never nil.
func MoveTexts(moves []Move) []string { return append([]string{}, report.Map(moves, Move.String)...) }

// Diff lists the changes between two plans, in the order of the second, then removed units in the order of the first.
// Plans without a move between them are equal. nil is an empty plan.
func Diff(before, after *Unit) []Move {
	return diff(NewIndex(before), NewIndex(after))
}

func diff(before, after *Index) []Move {
	d := &differ{before: before, after: after}
	for _, n := range after.Nodes {
		if old := before.byID[n.ID]; old != nil {
			d.compareUnit(old, n)
		} else {
			d.addUnit(n)
		}
	}
	for _, old := range before.Nodes {
		if after.byID[old.ID] == nil {
			d.add(old, old.text(), "", "removed")
		}
	}
	return d.moves
}

type differ struct {
	before, after *Index
	moves         []Move
}

func (d *differ) add(n *Node, from, to, format string, args ...any) {
	d.addKind(n, "", from, to, fmt.Sprintf(format, args...))
}

func (d *differ) addKind(n *Node, kind MoveKind, from, to, words string) {
	d.moves = append(d.moves, Move{Kind: kind, Unit: n.ID, Key: n.Key, From: from, To: to, words: words})
}

func (d *differ) compareValues(n *Node, kind MoveKind, from, to, words string) {
	if from != to {
		d.addKind(n, kind, from, to, strings.TrimSpace(words+" "+from+" → "+to))
	}
}

func (d *differ) compareTexts(n *Node, before, after []string, words string) {
	if !slices.Equal(before, after) {
		from, to := strings.Join(before, ", "), strings.Join(after, ", ")
		d.add(n, from, to, "%s «%s» → «%s»", words, from, to)
	}
}

func (d *differ) addUnit(n *Node) {
	switch {
	case n.Parent == nil:
		d.add(n, "", n.text(), "added")
	case d.isDecomposed(n.Parent):
		d.add(n, "", n.text(), "added, a part of %s", n.Parent.ID)
	default:
		d.add(n, "", n.text(), "added to %s", n.Parent.ID)
	}
}

func (d *differ) compareUnit(old, n *Node) {
	d.comparePlace(old, n)
	d.compareValues(n, StatusMoved, status(old.Status), status(n.Status), "")
	d.compareValues(n, moveThreshold, number(old.FailureThreshold), number(n.FailureThreshold), "failure_threshold")
	if old.Description != n.Description {
		from, to := old.Description, n.Description
		d.add(n, from, to, "description: «%s» → «%s»", from, to)
	}
	d.compareValues(n, "", cmp.Or(old.Risk, "unknown"), cmp.Or(n.Risk, "unknown"), "risk")
	if !equalItems(old.Checklist, n.Checklist) {
		d.add(n, old.checklistText(), n.checklistText(), "checklist: %s",
			checklistChange(old.Checklist, n.Checklist))
	}
	d.compareTexts(n, old.DependsOn, n.DependsOn, "depends on")
	d.compareTexts(n, old.Paths, n.Paths, "paths")
	d.compareRecords(old, n)
}

func (d *differ) comparePlace(old, n *Node) {
	if from, to := old.parentID(), n.parentID(); from != to {
		d.add(n, from, to, "moved from %s to %s", cmp.Or(from, rootName), cmp.Or(to, rootName))
	}
	if d.isDecomposed(n) {
		d.add(n, "", ids(n.Children), "decomposed into %s", ids(n.Children))
	} else if old.Type != n.Type {
		d.add(n, old.Type, n.Type, "type %s → %s", old.Type, n.Type)
	}
	if slices.EqualFunc(old.Children, n.Children, func(a, b *Unit) bool { return a.ID == b.ID }) {
		return
	}
	from, to := sharedChildren(old, d.after), sharedChildren(n, d.before)
	if from != to {
		d.addKind(n, Reordered, from, to, "children reordered: "+to)
	}
}

func sharedChildren(n *Node, in *Index) string {
	return ids(slices.DeleteFunc(slices.Clone(n.Children), func(c *Unit) bool {
		o := in.byID[c.ID]
		return o == nil || o.parentID() != n.ID
	}))
}

func (d *differ) isDecomposed(n *Node) bool {
	old := d.before.byID[n.ID]
	return old != nil && old.Type != Parent && len(old.Children) == 0 && len(n.Children) > 0
}

func (d *differ) compareRecords(old, n *Node) {
	if old.isPlain() && n.isPlain() {
		return
	}
	for _, field := range []int{atAssessments, atReplans} {
		if from, to := old.fieldText(field), n.fieldText(field); from != to {
			d.add(n, from, to, "%s changed", keys[field])
		}
	}
	if from, to := unknownOf(old.members), unknownOf(n.members); from != to {
		d.add(n, from, to, "other fields changed: %s → %s", from, to)
	}
}

func (n *Node) parentID() string {
	if n.Parent == nil {
		return ""
	}
	return n.Parent.ID
}

func ids(units []*Unit) string {
	return strings.Join(report.Map(units, func(u *Unit) string { return u.ID }), ", ")
}

func (u *Unit) fieldText(field int) string {
	if field == atAssessments && len(u.Assessments) == 0 || field == atReplans && len(u.Replans) == 0 {
		return ""
	}
	w := &writer{}
	w.field(u, field, 0)
	return w.String()
}

func (u *Unit) isPlain() bool {
	return len(u.Assessments)+len(u.Replans) == 0 && !slices.ContainsFunc(u.members, isUnknown)
}

func isUnknown(m member) bool { return m.raw != nil }

// equalItems compares checklists as they count: an absent kind or «required» is its default.
func equalItems(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(a, b Item) bool {
		return a.Text == b.Text && a.IsOptional == b.IsOptional && cmp.Or(a.Kind, codeKind) == cmp.Or(b.Kind, codeKind) &&
			(!slices.ContainsFunc(a.members, isUnknown) && !slices.ContainsFunc(b.members, isUnknown) ||
				unknownOf(a.members) == unknownOf(b.members))
	})
}

func (u *Unit) checklistText() string {
	w := &strings.Builder{}
	for _, i := range u.Checklist {
		fmt.Fprintf(w, "%s %v %s %s\n", quote(i.Text), !i.IsOptional, cmp.Or(i.Kind, codeKind), unknownOf(i.members))
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

// text is all that a unit says of itself, its children and its place excepted.
func (u *Unit) text() string {
	return strings.Join([]string{
		u.Type, status(u.Status), number(u.FailureThreshold), quote(u.Description), u.Risk, u.checklistText(),
		strings.Join(u.DependsOn, " "), strings.Join(u.Paths, " "), u.fieldText(atAssessments), u.fieldText(atReplans),
		unknownOf(u.members),
	}, "\n")
}

// checklistChange describes how a checklist changes: added and removed items, else their order or kinds.
func checklistChange(before, after []Item) string {
	added := report.Map(missingItems(after, before), func(i Item) string { return "+ «" + i.Text + "»" })
	removed := report.Map(missingItems(before, after), func(i Item) string { return "− «" + i.Text + "»" })
	words := slices.Concat(added, removed)
	if words == nil {
		return "order, kinds or required items changed"
	}
	return strings.Join(words, ", ")
}

// CoversChecklist reports whether a report has all items of a checklist.
func CoversChecklist(reported, checklist []Item) bool {
	return len(missingItems(checklist, reported)) == 0
}

func missingItems(wanted, given []Item) []Item {
	have, names := map[string]bool{}, NameItems(wanted)
	for _, i := range given {
		if n := names.Find(i.Text); n >= 0 {
			have[ItemText(wanted[n].Text)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(wanted), func(i Item) bool { return have[ItemText(i.Text)] })
}
