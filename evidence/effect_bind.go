package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// bind judges what gives names their values.
func (j *judgement) bind(n *syntax.Node, declares bool) outlet {
	j.bound++
	target, right := j.Sides(n)
	if target == nil {
		return j.bindEach(n, declares)
	}
	if right != nil && (j.Role(right) == lang.Refers || right.Type() == "expression_list") &&
		bytes.Equal(j.Src[target.Start():target.End()], j.Src[right.Start():right.End()]) {
		return goesOn
	}
	if right != nil && j.Text(target) == "_" && j.closes(right) {
		j.dead = true // nothing can call it
		return goesOn
	}
	v := constant
	if right != nil {
		v = j.value(right)
	}
	if v >= talk || right != nil && j.Text(target) == "_" && (strings.ContainsAny(j.Text(right), "[({") &&
		j.Role(right) != lang.Holds || j.grammar.Unqualified && !slices.Contains(j.params, j.Text(right))) {
		return acts
	}
	augments := strings.Contains(n.Type(), "augmented") || strings.Contains(n.Type(), "compound_assignment") ||
		n.Type() == "operator_assignment"
	for _, name := range j.Names(target) {
		if old, known := j.locals[name]; augments && (!known || old > constant) {
			return acts // it may change what others hold
		}
		switch {
		case name == "":
			return acts
		case name == "_" || name == "$_" || name == "_unused":
			continue
		case declares || j.isLocal(name):
			if old, known := j.locals[name]; known && !declares {
				v = max(v, old)
			}
			if right != nil && v == computed && j.Role(right) == lang.Closes {
				if hasWord(string(j.Src[right.End():max(right.End(), j.whole.end)]), name) {
					return acts
				}
				j.dead = true
			}
			j.locals[name] = v
		default:
			return acts
		}
	}
	return goesOn
}

// bindEach judges what declares several names, each with a value of its own or none.
func (j *judgement) bindEach(n *syntax.Node, declares bool) outlet {
	for _, part := range n.NamedChildren() {
		switch j.Role(part) {
		case lang.Refers:
			j.locals[j.Text(part)] = empty
		case lang.Idles, lang.Disables:
		case lang.Declares, lang.Assigns:
			if j.bind(part, declares) == acts {
				return acts
			}
		default:
			return acts
		}
	}
	return goesOn
}

// closes reports whether a value is a function without a name, alone in a list of values.
func (j *judgement) closes(n *syntax.Node) bool {
	for j.Role(n) == lang.Holds && n.NamedChildCount() == 1 {
		n = n.NamedChild(0)
	}
	return j.Role(n) == lang.Closes
}

// isLocal reports whether an assignment to a name stays in the body.
func (j *judgement) isLocal(name string) bool {
	if _, known := j.locals[name]; known || slices.Contains(j.params, name) {
		return true
	}
	return j.grammar.Scoped && !slices.Contains(j.shared, name)
}
