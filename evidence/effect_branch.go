package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// branch judges an if.
func (j *judgement) branch(n *syntax.Node, tail bool) flow {
	condition, parts := j.asked(n), j.parts(n)
	never := condition != nil && isFalse(j.text(condition))
	j.ways = true
	for i, part := range parts {
		if condition != nil && part.Start() == condition.Start() && part.End() == condition.End() {
			if !never && j.condition(part) == act {
				return acts
			}
			continue
		}
		if never && j.isConsequence(n, part, parts[:i]) {
			if j.holdsYield(part) {
				return acts
			}
			j.dead = j.dead || j.hasContent(part)
			for _, arm := range part.NamedChildren() {
				if j.role(arm) == lang.Arms && j.statement(arm, tail) == acts {
					return acts
				}
			}
			continue
		}
		if condition == nil && !tail && j.isValue(part) {
			if j.condition(part) == act {
				return acts
			}
			continue
		}
		if j.statement(part, tail) == acts {
			return acts
		}
	}
	return goesOn
}

// asked returns what an if asks: its condition, or in a grammar without such a field the value that it begins with.
func (j *judgement) asked(n *syntax.Node) *syntax.Node {
	if condition := n.Field("condition"); condition != nil {
		return condition
	}
	for _, c := range j.parts(n) {
		if j.role(c) == lang.Idles {
			continue
		}
		if isFalse(j.text(c)) || j.isWorded(n) || c.Type() == "boolean" {
			return c
		}
		break
	}
	return nil
}

func (j *judgement) isConsequence(n, part *syntax.Node, before []*syntax.Node) bool {
	for _, name := range []string{"consequence", "body"} {
		if f := n.Field(name); f != nil {
			return f.Start() == part.Start() && f.End() == part.End()
		}
	}
	if slices.ContainsFunc(append(before, part), isElse) || part.Type() == "control_structure_body" &&
		before[len(before)-1].Type() == part.Type() {
		return false
	}
	return n.Field("alternative") == nil || part.Start() < n.Field("alternative").Start()
}

// isElse reports whether a node is, or stands before, what is done where the condition of an if does not hold.
func isElse(n *syntax.Node) bool {
	kind := strings.TrimPrefix(n.Type(), "if_")
	return strings.HasPrefix(kind, "else") || strings.HasPrefix(kind, "elif") || strings.HasPrefix(kind, "elsif")
}

// hasContent reports whether more than comments and what does nothing stands in a node.
func (j *judgement) hasContent(n *syntax.Node) bool {
	for _, c := range n.NamedChildren() {
		if role := j.role(c); role != lang.Idles && role != lang.Arms {
			return true
		}
	}
	return n.NamedChildCount() == 0 && j.role(n) != lang.Idles && !isBlock(strings.Trim(j.text(n), "{}; \t\r\n"))
}

// isBlock reports whether a text without its brackets is no more than the words around a block.
func isBlock(text string) bool { return text == "" || text == "do" || text == "end" || text == "then" }
