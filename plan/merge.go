package plan

import "slices"

// UntouchedMerge returns the plan of a merge without the merge's own changes: after, where a value that no parent has
// is replaced with the first parent's.
func UntouchedMerge(after *Unit, parents ...*Unit) *Unit {
	if after == nil || len(parents) == 0 {
		return after
	}
	m := &merger{}
	for _, p := range parents {
		m.parents = append(m.parents, NewIndex(p))
	}
	root := m.unit(after)
	m.restoreShared(root)
	return root
}

type merger struct{ parents []*Index }

// unit is the unit with the parents' values; nil if no parent has it.
func (m *merger) unit(u *Unit) *Unit {
	var versions []*Node
	for _, x := range m.parents {
		if n := x.byID[u.ID]; n != nil {
			versions = append(versions, n)
		}
	}
	if len(versions) == 0 {
		return nil
	}
	out := *u
	first := versions[0].Unit
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Type })
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Description })
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Risk })
	setAgreed(&out, first, versions, func(u *Unit) *string { return &u.Status })
	setAgreed(&out, first, versions, func(u *Unit) *float64 { return &u.FailureThreshold })
	if !slices.ContainsFunc(versions, func(n *Node) bool { return slices.Equal(n.DependsOn, u.DependsOn) }) {
		out.DependsOn = first.DependsOn
	}
	if !slices.ContainsFunc(versions, func(n *Node) bool { return slices.Equal(n.Paths, u.Paths) }) {
		out.Paths = first.Paths
	}
	out.Checklist = sharedItems(u.Checklist, versions)
	out.Children = nil
	for _, c := range u.Children {
		if child := m.unit(c); child != nil {
			out.Children = append(out.Children, child)
		}
	}
	return &out
}

// setAgreed sets a field to the first parent's value if no parent has the current one.
func setAgreed[V comparable](out, first *Unit, versions []*Node, field func(*Unit) *V) {
	if !slices.ContainsFunc(versions, func(n *Node) bool { return *field(n.Unit) == *field(out) }) {
		*field(out) = *field(first)
	}
}

// sharedItems removes the items that no parent has, and restores those that all have.
func sharedItems(items []Item, versions []*Node) []Item {
	has := func(n *Node, i Item) bool { return len(missingItems([]Item{i}, n.Checklist)) == 0 }
	out := slices.DeleteFunc(slices.Clone(items), func(i Item) bool {
		return !slices.ContainsFunc(versions, func(n *Node) bool { return has(n, i) })
	})
	for _, i := range versions[0].Checklist {
		all := !slices.ContainsFunc(versions, func(n *Node) bool { return !has(n, i) })
		if all && len(missingItems([]Item{i}, items)) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// restoreShared adds the units that every parent has and the merge has not.
func (m *merger) restoreShared(root *Unit) {
	index := NewIndex(root)
	for _, n := range m.parents[0].Nodes {
		everywhere := !slices.ContainsFunc(m.parents, func(x *Index) bool { return x.byID[n.ID] == nil })
		if n.Parent == nil || index.byID[n.ID] != nil || !everywhere {
			continue
		}
		if p := index.byID[n.Parent.ID]; p != nil {
			restored := *n.Unit
			restored.Children = nil
			p.Children = append(p.Children, &restored)
			index = NewIndex(root)
		}
	}
}
