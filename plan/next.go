package plan

import (
	"fmt"
	"slices"
)

// Next returns the task to work on now, depth first: not complete, not escalated,
// with nothing open that it or a unit above it depends on. free says whether a
// unit may be taken, by its key; nil takes any. nil is returned where there is none.
func Next(root *Unit, free func(key string) bool) *Node {
	x := NewIndex(root)
	if len(x.Nodes) == 0 {
		return nil
	}
	return x.next(x.tree(), free)
}

// place is a node with its children, for walks that leave out what is below.
type place struct {
	*Node
	below []*place
}

func (x *Index) tree() *place {
	places := map[*Node]*place{}
	for _, n := range x.Nodes {
		p := &place{Node: n}
		places[n] = p
		if n.Parent != nil {
			above := places[n.Parent]
			above.below = append(above.below, p)
		}
	}
	return places[x.Nodes[0]]
}

func (x *Index) next(p *place, free func(key string) bool) *Node {
	if p.Status == Complete || x.waits(p.Node) {
		return nil
	}
	if p.Acts() {
		if p.FailureThreshold < Escalated-epsilon && (free == nil || free(p.Key)) {
			return p.Node
		}
		return nil
	}
	for _, c := range p.below {
		if n := x.next(c, free); n != nil {
			return n
		}
	}
	return nil
}

// waits reports whether a unit depends on one that is not complete.
func (x *Index) waits(n *Node) bool {
	return slices.ContainsFunc(x.dependencies(n), func(d *Node) bool { return d.Status != Complete })
}

// dependencies are the units that a unit itself depends on.
func (x *Index) dependencies(n *Node) []*Node {
	var all []*Node
	for _, name := range n.DependsOn {
		if d := x.Find(name); d != nil {
			all = append(all, d)
		}
	}
	return all
}

// openDependency is the unit, n or the nearest one above it, that depends on one that is not complete, and that one;
// nil without. free, where it is not nil, says of which dependencies are not asked.
func (x *Index) openDependency(n *Node, free func(waiting, on *Node) bool) (waiting, on *Node) {
	for _, w := range append([]*Node{n}, n.above()...) {
		for _, d := range x.dependencies(w) {
			if d.Status != Complete && (free == nil || !free(w, d)) {
				return w, d
			}
		}
	}
	return nil, nil
}

// waitingFor says what a unit waits for, and what to do about it.
func waitingFor(n, waiting, on *Node) (why, hint string) {
	who := "it"
	if waiting != n {
		who = waiting.name()
	}
	return fmt.Sprintf("%s depends on %s, which is %s", who, on.name(), on.Status),
		fmt.Sprintf("complete %s first, or take the dependency of %s out of the plan", on.Key, waiting.ID)
}

// NextInLoop returns the unit whose turn it is in the Act→Assess→Adapt loop, depth first:
// a task that Next would return, or a parent below which nothing is left that can
// be worked on without it: all of that is complete, there is none yet, or a child
// is escalated. What is complete, escalated, or waits for a unit that it depends
// on is passed over. free says whether a unit may be taken, by its key; nil takes
// any. nil is returned where there is none.
func NextInLoop(root *Unit, free func(key string) bool) *Node {
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
