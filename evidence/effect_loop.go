package evidence

import (
	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// loop judges a loop. One that waits for a condition acts.
func (j *judgement) loop(n *syntax.Node) outlet {
	if counts.MatchString(j.Text(n)) {
		return goesOn
	}
	condition := n.Field("condition")
	if condition != nil && j.condition(condition) > constant {
		return acts
	}
	j.endless = j.endless || isEndless(j.Text(n), condition == nil || facts.IsTrue(j.Text(condition)))
	never := condition != nil && facts.IsFalse(j.Text(condition))
	known := j.bound
	if never {
		if j.holdsYield(n) {
			return acts
		}
		for _, part := range n.NamedChildren() {
			j.dead = j.dead || part.Start() >= condition.End() && j.hasContent(part)
		}
		return goesOn
	}
	parts := j.Parts(n)
	if len(parts) > 1 && parts[0].Type() == "enumerators" {
		parts = append(parts[0].NamedChildren(), parts[1:]...)
	}
	for i, part := range parts {
		if condition != nil && part.Start() == condition.Start() || j.isVariable(n, part) {
			continue
		}
		if right := part.Field("right"); right != nil && part.Type() == "range_clause" && j.value(right) <= constant {
			continue
		}
		if i == 0 && j.IsWorded(n) && j.Role(part) == lang.Assigns { // a comprehension
			if j.statement(part, false) == acts {
				return acts
			}
			known = j.bound
		} else if j.IsValue(part) {
			if v := j.value(part); v > computed || v >= first && !j.grammar.Spent {
				return acts
			}
			j.reads = true // how often it runs
		} else if name, of := j.each(part); name != nil {
			j.locals[j.Text(name)] = constant
			if of != nil && j.value(of) >= first {
				return acts
			}
		} else if j.statement(part, false) == acts {
			return acts
		}
	}
	if j.bound > known {
		return acts // it counts, or waits
	}
	return goesOn
}

// each returns the name that a loop gives each element, and what they are elements of where that stands beside it; nil
// where a part of a loop is something else.
func (j *judgement) each(n *syntax.Node) (name, of *syntax.Node) {
	parts := n.NamedChildren()
	if j.Role(n) != lang.Declares || len(parts) == 0 || len(parts) > 2 || j.Role(parts[0]) != lang.Refers {
		return nil, nil
	}
	if len(parts) == 2 {
		of = parts[1]
	}
	return parts[0], of
}

// isVariable reports whether a part of a loop is the variable that it gives its values, which is one of the body.
func (j *judgement) isVariable(n, part *syntax.Node) bool {
	for _, name := range []string{"var", "variable", "pattern"} {
		if f := n.Field(name); f != nil && f == part && j.Role(part) == lang.Refers {
			j.bounds = append(j.bounds, j.Text(part))
			return true
		}
	}
	return false
}

// isEndless reports whether nothing ends a loop; always: it has no condition, or one that is true.
func isEndless(loop string, always bool) bool {
	return always && endless.MatchString(loop) && !hasWord(loop, "break")
}

// nested judges a definition in the body: one that nothing there names is dead.
func (j *judgement) nested(n, name *syntax.Node) outlet {
	if name == nil {
		name = j.firstName(n)
	}
	if n.Type() == "decorated_definition" || name == nil || j.grammar.Nested {
		return acts
	}
	word := j.Text(name)
	at := stretch{n.Start(), n.End()}
	before, after := string(j.Src[j.whole.start:at.start]), string(j.Src[at.end:max(at.end, j.whole.end)])
	if hasWord(before, word) || hasWord(after, word) {
		return acts
	}
	j.dead = true
	return goesOn
}

// firstName returns the first part of a definition that is a name, where the grammar does not say which is.
func (j *judgement) firstName(n *syntax.Node) *syntax.Node {
	for _, c := range n.NamedChildren() {
		if j.Role(c) == lang.Refers {
			return c
		}
	}
	return nil
}
