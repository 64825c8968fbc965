package plan

// Turn returns the unit whose turn it is in the Act→Assess→Adapt loop, depth first:
// a task that Next would return, or a parent below which nothing is left that can
// be worked on without it: all of that is complete, there is none yet, or a child
// is escalated. What is complete, escalated, or waits for a unit that it depends
// on is passed over. free says whether a unit may be taken, by its key; nil takes
// any. nil is returned where there is none.
func Turn(root *Unit, free func(key string) bool) *Node {
	x := NewIndex(root)
	if len(x.Nodes) == 0 {
		return nil
	}
	if free == nil {
		free = func(string) bool { return true }
	}
	return x.turn(x.tree(), free)
}

func (x *Index) turn(p *place, free func(key string) bool) *Node {
	switch {
	case p.Status == Complete || x.waits(p.Node) || p.IsEscalated():
		return nil
	case p.Acts():
		if free(p.Key) {
			return p.Node
		}
		return nil
	}
	for _, c := range p.below {
		if n := x.turn(c, free); n != nil {
			return n
		}
	}
	if p.isDue() && free(p.Key) {
		return p.Node
	}
	return nil
}

// isDue reports whether a parent whose children have no turn has one itself.
func (p *place) isDue() bool {
	open := false
	for _, c := range p.below {
		if c.IsEscalated() && c.Status != Complete {
			return true
		}
		open = open || c.Status != Complete
	}
	return !open
}

// IsEscalated reports whether the unit failed so often that its parent must plan another way.
func (u *Unit) IsEscalated() bool { return u.FailureThreshold >= Escalated-epsilon }
