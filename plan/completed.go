package plan

// CheckCompleted lists the units that a change completes and that are not done: a
// task whose last ACT does not show it, a parent with open work below. It asks no
// more than that, so it holds for a change whose steps nobody can see: that of a
// cherry-pick, or of a whole range, however the commits in it came together.
func CheckCompleted(c Change) ([]*Violation, error) {
	if c.Before == nil || c.After == nil {
		return nil, nil
	}
	g := newGuards(c)
	for _, n := range g.after.Nodes {
		switch {
		case n.Status != Complete || g.was(n) == Complete:
		case n.Acts():
			g.proven(n)
		default:
			g.openBelow(n)
		}
	}
	return g.found, g.err
}

// openBelow refuses to complete a parent that has nothing below, or something that is not complete.
func (g *guards) openBelow(n *Node) (open bool) {
	below := n.below()
	if len(below) == 0 {
		g.refuse(n, GuardOpenChildren, "add tasks below it, or remove it from the plan",
			"Cannot complete %s: it has no tasks", n.name())
		return true
	}
	for _, b := range below {
		if b.Status != Complete {
			g.refuse(n, GuardOpenChildren, "complete "+b.Key+" first, with an ADAPT of its own, or remove it from the plan",
				"Cannot complete %s: %s is %s", n.name(), b.name(), b.Status)
			return true
		}
	}
	return false
}
