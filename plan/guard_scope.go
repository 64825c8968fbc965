package plan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// checkScope reports removed units, items, dependencies and descriptions. An item that is elsewhere now has only moved.
// So has a unit if its items or children moved, or its id changed.
func (g *guards) checkScope() {
	for _, old := range g.before.Nodes {
		if old.Status == Complete {
			continue
		}
		lost := g.lostItems(old)
		if n := g.after.byID[old.ID]; n != nil {
			lost = append(lost, g.lostDependencies(old, n)...)
			if isCutShort(old, n) {
				lost = append(lost, "its description lost more than half of its words")
			}
		}
		if lost == nil && g.isRemoved(old) {
			lost = []string{"it is removed"}
		}
		if lost != nil {
			g.refuse(old, guardScopeReduced, "restore it if this is not intended; every report lists it",
				"The plan requires less of %s: %s", old.label(), strings.Join(lost, ", "))
		}
	}
}

// lostDependencies are the open units that a unit no longer depends on, also not through a unit above or below them, or
// through its own ancestors.
func (g *guards) lostDependencies(old, n *Node) []string {
	var freed []string
	for _, name := range old.DependsOn {
		dependency := g.after.Find(name)
		if dependency == nil || dependency.Status == Complete {
			continue
		}
		isKept := slices.ContainsFunc(append(n.ancestors(), n), func(n *Node) bool {
			return slices.ContainsFunc(n.DependsOn, func(name string) bool {
				o := g.after.Find(name)
				return o != nil && (o == dependency || slices.Contains(o.ancestors(), dependency) ||
					slices.Contains(dependency.ancestors(), o))
			})
		})
		if !isKept {
			freed = append(freed, "it no longer depends on "+dependency.label()+", which is "+dependency.Status)
		}
	}
	return freed
}

// isCutShort reports whether a description lost most of its words, and no items or parts of the unit say them now.
func isCutShort(old, n *Node) bool {
	before := len(strings.Fields(old.Description))
	after := len(strings.Fields(n.Description))
	for _, i := range missingItems(n.Checklist, old.Checklist) {
		after += len(strings.Fields(i.Text))
	}
	if len(n.Children) > len(old.Children) {
		return false
	}
	return before >= minDescription && 2*after < before
}

// minDescription is how many words a description has at least that is looked at: a shorter one is a title.
const minDescription = 8

// isRemoved reports whether a unit without children is gone, and none of its work is elsewhere.
func (g *guards) isRemoved(old *Node) bool {
	if g.after.byID[old.ID] != nil || len(old.Children) > 0 {
		return false
	}
	if slices.ContainsFunc(old.Checklist, func(i Item) bool { return !i.IsOptional }) {
		return false // lostItems reports them
	}
	return old.Description == "" || !slices.ContainsFunc(g.after.Nodes, func(n *Node) bool {
		return g.before.byID[n.ID] == nil && n.Description == old.Description
	})
}

func (g *guards) countItems(x *Index, each int) {
	for _, n := range x.Nodes {
		for _, i := range n.Checklist {
			if !i.IsOptional {
				g.items[ItemKey(i.Text)] += each
			}
		}
	}
}

// lostItems are the removed or now optional items of a unit that are nowhere else.
func (g *guards) lostItems(old *Node) []string {
	var required []Item
	if n := g.after.byID[old.ID]; n != nil {
		if equalItems(old.Checklist, n.Checklist) {
			return nil
		}
		required = slices.DeleteFunc(slices.Clone(n.Checklist), func(i Item) bool { return i.IsOptional })
	}
	if g.items == nil {
		g.items = map[string]int{}
		g.countItems(g.before, -1)
		g.countItems(g.after, 1)
	}
	var lost []string
	for _, i := range required {
		if w := slices.IndexFunc(old.Checklist, func(w Item) bool { return ItemKey(w.Text) == ItemKey(i.Text) }); w >= 0 &&
			isWeakerKind(old.Checklist[w].Kind, i.Kind) {
			lost = append(lost, fmt.Sprintf("«%s» as %s and not as %s", i.Text, i.Kind, cmp.Or(old.Checklist[w].Kind, codeKind)))
		}
	}
	for _, i := range missingItems(old.Checklist, required) {
		if !i.IsOptional && g.items[ItemKey(i.Text)] < 0 {
			lost = append(lost, "«"+i.Text+"»")
		}
	}
	return lost
}

func isWeakerKind(oldKind, newKind string) bool {
	oldKind = cmp.Or(oldKind, codeKind)
	return (oldKind == "code" || oldKind == "test") && (newKind == "text" || newKind == "asset" || newKind == "removal")
}

// Scope is where a unit works: its own patterns, else those of its nearest ancestor with some; nil without any.
func (n *Node) Scope() []string {
	for at := n; at != nil; at = at.Parent {
		if len(at.Paths) > 0 {
			return at.Paths
		}
	}
	return nil
}

// InScope is the first pattern that matches a file, "" for none. `**` crosses folders, and a folder matches its
// content.
func InScope(patterns []string, file string) string {
	for _, pattern := range patterns {
		folder := strings.TrimSuffix(pattern, "/")
		fits, _ := doublestar.Match(folder, file)
		isName := !strings.ContainsAny(path.Base(folder), "*?[{")
		below, _ := doublestar.Match(folder+"/**", file)
		if fits || isName && below {
			return pattern
		}
	}
	return ""
}

func (v *validator) paths(n *Node) {
	for _, p := range n.Paths {
		clean := strings.TrimPrefix(p, "./") == p && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "../") && p != ""
		if !clean || !doublestar.ValidatePattern(p) {
			v.addProblem(n, atPaths,
				"%q in the paths of %s is not a pattern from the top of the repository, such as src/auth/**", p, n.ID)
		}
	}
}

// checkRecords checks the records that a change adds to a unit; old is nil for a new unit.
func (g *guards) checkRecords(old, n *Node) {
	oldUnit := &Unit{}
	if old != nil {
		oldUnit = old.Unit
	}
	for _, p := range newRecords(n.Key, oldUnit.Replans, n.Replans) {
		g.checkReplan(p)
	}
	for _, p := range newRecords(n.Key, oldUnit.Assessments, n.Assessments) {
		g.checkReassess(p)
	}
}

func (g *guards) checkReplan(p Pair) {
	slice, blocker := g.after.Find(p.Unit), g.after.Find(p.Other)
	switch {
	case slice == nil:
		g.refuseUnknown(p.Unit)
	case blocker == nil:
		g.refuseUnknown(p.Other)
	case g.IsSquash: // the steps between are unknown
	case g.statusBefore(slice) == Complete && slice.Status == Complete:
		g.refuse(slice, guardReplanComplete, reopenHint(slice), "Cannot re-plan: %s is already complete", slice.label())
	case slice.noun() != "slice":
		g.refuse(slice, guardBlockerOpen, "name the slice, a parent below a milestone, that the blocker belongs to",
			"Cannot re-plan %s: it is a %s, and only a slice can be re-planned", slice.ID, slice.noun())
	case !blocker.IsTask() || !blocker.IsBelow(slice.ID):
		g.refuse(slice, guardBlockerOpen, fmt.Sprintf("name a complete task below %s", slice.Key),
			"Cannot re-plan %s: blocker %s is not one of its tasks", slice.ID, blocker.ID)
	case blocker.Status != Complete:
		g.refuse(slice, guardBlockerOpen,
			fmt.Sprintf("complete %s first; what blocks it belongs in its own ADAPT", blocker.Key),
			"Cannot re-plan %s: blocker %s is not complete", slice.ID, blocker.ID)
	}
}

func (g *guards) checkReassess(p Pair) {
	milestone, slice := g.after.Find(p.Unit), g.after.Find(p.Other)
	switch {
	case milestone == nil:
		g.refuseUnknown(p.Unit)
	case slice == nil:
		g.refuseUnknown(p.Other)
	case g.IsSquash: // as above
	case milestone.noun() != "milestone":
		g.refuse(milestone, guardReassessOpen,
			"name the milestone, a parent directly below the root, that the slice belongs to",
			"Cannot reassess %s: it is a %s, and only a milestone has a roadmap", milestone.ID, milestone.noun())
	case slice.noun() != "slice" || !slice.IsBelow(milestone.ID):
		g.refuse(milestone, guardReassessOpen, fmt.Sprintf("name a complete slice below %s", milestone.Key),
			"Cannot reassess %s: %s is not one of its slices", milestone.ID, slice.label())
	case slice.Status != Complete:
		g.refuse(milestone, guardReassessOpen, fmt.Sprintf("complete %s first", slice.Key),
			"Cannot reassess %s: %s is not complete", milestone.ID, slice.label())
	case milestone.Status != InProgress:
		g.refuse(milestone, guardReassessOpen, "only a milestone in progress has a roadmap to look at",
			"Cannot reassess %s: it is %s, not active", milestone.ID, milestone.Status)
	}
}
