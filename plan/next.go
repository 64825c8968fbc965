package plan

import (
	"fmt"
	"slices"
)

// Next returns the task to work on now, depth first: not complete, not escalated, and without an open dependency of
// itself or its ancestors. free says whether a unit may be taken, by its key; nil takes any. nil means none.
func Next(root *Unit, free func(key string) bool) *Node { return next(root, free, false) }

func (x *Index) isWaiting(n *Node) bool {
	return slices.ContainsFunc(x.dependencies(n), func(d *Node) bool { return d.Status != Complete })
}

func (x *Index) dependencies(n *Node) []*Node {
	var all []*Node
	for _, name := range n.DependsOn {
		if d := x.Find(name); d != nil {
			all = append(all, d)
		}
	}
	return all
}

// openDependency is n or its nearest ancestor that depends on an incomplete unit, and that unit; nil without one. free,
// if set, excludes dependencies.
func (x *Index) openDependency(n *Node, free func(waiting, on *Node) bool) (waiting, on *Node) {
	for _, w := range append([]*Node{n}, n.ancestors()...) {
		for _, d := range x.dependencies(w) {
			if d.Status != Complete && (free == nil || !free(w, d)) {
				return w, d
			}
		}
	}
	return nil, nil
}

func waitingFor(n, waiting, on *Node) (why, hint string) {
	subject := "it"
	if waiting != n {
		subject = waiting.label()
	}
	return fmt.Sprintf("%s depends on %s, which is %s", subject, on.label(), on.Status),
		fmt.Sprintf("complete %s first, or take the dependency of %s out of the plan", on.Key, waiting.ID)
}

// NextInLoop returns the next unit of the Act→Assess→Adapt loop, depth first: a task of Next, or a parent whose
// children are all complete, missing, or one of them escalated. Complete, escalated and waiting units are skipped. free
// says whether a unit may be taken, by its key; nil takes any. nil means none.
func NextInLoop(root *Unit, free func(key string) bool) *Node { return next(root, free, true) }

func next(root *Unit, free func(key string) bool, inLoop bool) *Node {
	x := NewIndex(root)
	below := map[*Node][]*Node{}
	for _, n := range x.Nodes {
		below[n.Parent] = append(below[n.Parent], n)
	}
	var visit func(n *Node) *Node
	visit = func(n *Node) *Node {
		switch {
		case n.Status == Complete || x.isWaiting(n) || n.IsEscalated() && (inLoop || n.IsTask()):
			return nil
		case n.IsTask():
			if free == nil || free(n.Key) {
				return n
			}
			return nil
		}
		for _, c := range below[n] {
			if found := visit(c); found != nil {
				return found
			}
		}
		if inLoop && n.isDue() && (free == nil || free(n.Key)) {
			return n
		}
		return nil
	}
	if root == nil {
		return nil
	}
	return visit(x.Nodes[0])
}

// isDue reports whether a parent is next if none of its children is.
func (u *Unit) isDue() bool {
	open := false
	for _, c := range u.Children {
		if c.IsEscalated() && c.Status != Complete {
			return true
		}
		open = open || c.Status != Complete
	}
	return !open
}

// IsEscalated reports whether the unit failed so often that its parent must plan another way.
func (u *Unit) IsEscalated() bool { return u.FailureThreshold >= Escalated-epsilon }
