package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// bind judges what gives names their values.
func (j *judgement) bind(n *syntax.Node, declares bool) flow {
	j.bound++
	target, right := j.sides(n)
	if target == nil {
		return j.bindEach(n, declares)
	}
	if right != nil && (j.role(right) == lang.Refers || right.Type() == "expression_list") &&
		bytes.Equal(j.src[target.Start():target.End()], j.src[right.Start():right.End()]) {
		return goesOn
	}
	if right != nil && j.text(target) == "_" && j.closes(right) {
		j.dead = true // nothing can call it
		return goesOn
	}
	v := constant
	if right != nil {
		v = j.value(right)
	}
	if v >= talk || right != nil && j.text(target) == "_" && (strings.ContainsAny(j.text(right), "[({") &&
		j.role(right) != lang.Holds || j.grammar.Unqualified && !slices.Contains(j.params, j.text(right))) {
		return acts
	}
	augments := strings.Contains(n.Type(), "augmented") || strings.Contains(n.Type(), "compound_assignment") ||
		n.Type() == "operator_assignment"
	for _, name := range j.names(target) {
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
			if right != nil && v == computed && j.role(right) == lang.Closes {
				if hasWord(string(j.src[right.End():max(right.End(), j.whole.end)]), name) {
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
func (j *judgement) bindEach(n *syntax.Node, declares bool) flow {
	for _, part := range n.NamedChildren() {
		switch j.role(part) {
		case lang.Refers:
			j.locals[j.text(part)] = empty
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
	for j.role(n) == lang.Holds && n.NamedChildCount() == 1 {
		n = n.NamedChild(0)
	}
	return j.role(n) == lang.Closes
}

// isLocal reports whether an assignment to a name stays in the body.
func (j *judgement) isLocal(name string) bool {
	if _, known := j.locals[name]; known || slices.Contains(j.params, name) {
		return true
	}
	return j.grammar.Scoped && !slices.Contains(j.shared, name)
}

// names returns the names that a target consists of, "" for what is none.
func (j *judgement) names(target *syntax.Node) []string {
	switch role := j.role(target); {
	case role == lang.Refers, role == lang.Idles && j.text(target) == "_":
		return []string{j.text(target)}
	case role == lang.Holds && strings.ContainsAny(j.text(target), ".["): // of something that others may hold
	case role == lang.Holds, role == lang.Wraps, strings.HasSuffix(target.Type(), "pattern_list"),
		strings.HasSuffix(target.Type(), "_declarator") && target.Type() != "function_declarator",
		target.Type() == "directly_assignable_expression", target.Type() == "pattern",
		target.Type() == "variable_declaration":
		var all []string
		for _, c := range target.NamedChildren() {
			if r := j.role(c); r == lang.Idles && j.text(c) != "_" {
				continue
			}
			all = append(all, j.names(c)...)
		}
		if len(all) > 0 {
			return all
		}
	}
	return []string{""}
}

// sides returns what a binding names and the value that it gives, nil without one.
func (j *judgement) sides(n *syntax.Node) (target, right *syntax.Node) {
	for _, name := range []string{"left", "pattern", "name", "declarator", "target"} {
		if f := n.Field(name); f != nil {
			target = f
			break
		}
	}
	if target != nil && (j.role(target) == lang.Declares && target.Type() != "variable_declaration") {
		return nil, nil // a declaration of several
	}
	for _, name := range []string{"right", "value", "result", "default_value"} {
		if f := n.Field(name); f != nil {
			return target, f
		}
	}
	parts := n.NamedChildren()
	parts = slices.DeleteFunc(parts, func(c *syntax.Node) bool {
		return j.role(c) == lang.Idles && c.Type() != "wildcard_pattern" && j.text(c) != "_"
	})
	if target == nil && len(parts) == 2 && j.role(parts[0]) != lang.Idles && j.role(parts[1]) != lang.Declares {
		return parts[0], parts[1]
	}
	if target != nil && len(parts) > 1 {
		if last := parts[len(parts)-1]; last.Start() >= target.End() && j.role(last) != lang.Idles {
			return target, last
		}
	}
	return target, nil
}
