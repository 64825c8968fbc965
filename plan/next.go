package plan

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
	for _, name := range n.DependsOn {
		if d := x.Find(name); d != nil && d.Status != Complete {
			return true
		}
	}
	return false
}
