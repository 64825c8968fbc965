package plan

import "fmt"

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
