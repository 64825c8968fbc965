package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// callAs notes by what names a definition can be called: its own, after what it belongs to. n is its node, or that of
// the
// value that a name is bound to.
func (j *judgement) callAs(n *syntax.Node, c capture) {
	j.headed = string(j.Src[n.Start():max(n.Start(), c.body.start)])
	if c.title || slices.ContainsFunc(n.NamedChildren(), isExplicit) {
		return // no call means it
	}
	j.name = string(j.Src[c.name.start:c.name.end])
	if j.name == "" {
		j.boundAs(n)
	}
	if i := strings.LastIndexAny(j.name, ".:"); i >= 0 {
		j.ownedBy(strings.TrimRight(j.name[:i], ".:"))
		j.name = j.name[i+1:]
	}
	if owner := string(j.Src[c.receiver.start:c.receiver.end]); owner != "" {
		j.ownedBy(j.grammar.Owner(owner))
	}
}

// isExplicit: a member that is called through an interface alone.
func isExplicit(n *syntax.Node) bool { return n.Type() == "explicit_interface_specifier" }

// ownedBy notes what a definition belongs to.
func (j *judgement) ownedBy(owner string) {
	if owner != "" {
		j.owners, j.method = append(j.owners, owner), true
	}
}

// boundAs notes the name that a value is bound to. A function expression has a name to itself besides.
func (j *judgement) boundAs(n *syntax.Node) {
	if own := n.Field("name"); own != nil {
		j.alone = j.Text(own)
	}
	for up, i := n.Parent(), 0; up != nil && i < maxWraps; up, i = up.Parent(), i+1 {
		for _, field := range []string{"name", "left", "key", "property"} {
			if f := up.Field(field); f != nil && f.End() <= n.Start() {
				if j.name = j.Text(f); !j.method && j.alone == "" {
					j.alone = j.name
				}
				return
			}
		}
		if !strings.HasSuffix(up.Type(), "_expression") {
			return
		}
	}
}

// isItself reports whether a call, of what is written and its last name, means the definition that it stands in.
func (j *judgement) isItself(callee, name string) bool {
	if name == "" || name != j.name && name != j.alone {
		return false
	}
	qualifier := strings.TrimSpace(strings.TrimPrefix(callee[:len(callee)-len(name)], "await "))
	switch qualifier = strings.TrimRight(qualifier, ".:->?! "); {
	case qualifier == "":
		return !j.method || j.grammar.Unqualified || name == j.alone
	case name != j.name:
		return false
	}
	return j.method && slices.Contains(j.self, qualifier) || slices.Contains(j.owners, qualifier)
}
