package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// checkScope reports removed units, items, dependencies and descriptions. An item that is elsewhere now has only moved.
// So has a unit if its items or children moved, or its id changed.
func (g *guards) checkScope() {
	for _, was := range g.before.Nodes {
		if was.Status == Complete {
			continue
		}
		lost := g.lostItems(was)
		if n := g.after.byID[was.ID]; n != nil {
			lost = append(lost, g.lostDependencies(was, n)...)
			if isCutShort(was, n) {
				lost = append(lost, "its description lost more than half of its words")
			}
		}
		if lost == nil && g.isRemoved(was) {
			lost = []string{"it is removed"}
		}
		if lost != nil {
			g.refuse(was, guardScopeReduced, "if this is intended, change nothing; every report lists it",
				"The plan requires less of %s: %s", was.label(), strings.Join(lost, ", "))
		}
	}
}

// lostDependencies are the open units that a unit no longer depends on, also not through a unit above or below them, or
// through its own ancestors.
func (g *guards) lostDependencies(was, now *Node) []string {
	var freed []string
	for _, name := range was.DependsOn {
		on := g.after.Find(name)
		if on == nil || on.Status == Complete {
			continue
		}
		kept := slices.ContainsFunc(append(now.ancestors(), now), func(n *Node) bool {
			return slices.ContainsFunc(n.DependsOn, func(name string) bool {
				o := g.after.Find(name)
				return o != nil && (o == on || slices.Contains(o.ancestors(), on) || slices.Contains(on.ancestors(), o))
			})
		})
		if !kept {
			freed = append(freed, "it no longer depends on "+on.label()+", which is "+on.Status)
		}
	}
	return freed
}

// isCutShort reports whether a description lost most of its words, and neither items nor parts of the unit say them
// now.
func isCutShort(was, now *Node) bool {
	before := len(strings.Fields(was.Description))
	left := len(strings.Fields(now.Description))
	for _, i := range missingItems(now.Checklist, was.Checklist) {
		left += len(strings.Fields(i.Text))
	}
	if len(now.Children) > len(was.Children) {
		return false
	}
	return before >= minDescription && 2*left < before
}

// minDescription is how many words a description has at least that is looked at: a shorter one is a title.
const minDescription = 8

// isRemoved reports whether a unit without children is gone, and none of its work is elsewhere.
func (g *guards) isRemoved(was *Node) bool {
	if g.after.byID[was.ID] != nil || len(was.Children) > 0 {
		return false
	}
	if slices.ContainsFunc(was.Checklist, func(i Item) bool { return !i.Optional }) {
		return false // lostItems reports them
	}
	return was.Description == "" || !slices.ContainsFunc(g.after.Nodes, func(n *Node) bool {
		return g.before.byID[n.ID] == nil && n.Description == was.Description
	})
}

// countItems counts the items that a plan asks for.
func (g *guards) countItems(x *Index, each int) {
	for _, n := range x.Nodes {
		for _, i := range n.Checklist {
			if !i.Optional {
				g.items[ItemKey(i.Text)] += each
			}
		}
	}
}

// lostItems are the items of a unit that are gone, or optional now, and stand nowhere instead.
func (g *guards) lostItems(was *Node) []string {
	var now []Item
	if n := g.after.byID[was.ID]; n != nil {
		if equalItems(was.Checklist, n.Checklist) {
			return nil
		}
		now = slices.DeleteFunc(slices.Clone(n.Checklist), func(i Item) bool { return i.Optional })
	}
	if g.items == nil {
		g.items = map[string]int{}
		g.countItems(g.before, -1)
		g.countItems(g.after, 1)
	}
	var lost []string
	for _, i := range now {
		if w := slices.IndexFunc(was.Checklist, func(w Item) bool { return ItemKey(w.Text) == ItemKey(i.Text) }); w >= 0 &&
			isWeakerKind(was.Checklist[w].Kind, i.Kind) {
			lost = append(lost, fmt.Sprintf("«%s» as %s and not as %s", i.Text, i.Kind, cmp.Or(was.Checklist[w].Kind, codeKind)))
		}
	}
	for _, i := range missingItems(was.Checklist, now) {
		if !i.Optional && g.items[ItemKey(i.Text)] < 0 {
			lost = append(lost, "«"+i.Text+"»")
		}
	}
	return lost
}

// isWeakerKind reports whether an item that asked for code is satisfied with less.
func isWeakerKind(was, now string) bool {
	was = cmp.Or(was, codeKind)
	return (was == "code" || was == "test") && (now == "text" || now == "asset" || now == "removal")
}
