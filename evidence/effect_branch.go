package evidence

import (
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// branch judges an if.
func (j *judgement) branch(n *syntax.Node, tail bool) outlet {
	condition, parts := j.Asked(n), j.Parts(n)
	never := condition != nil && facts.IsFalse(j.Text(condition))
	j.ways = true
	for i, part := range parts {
		if condition != nil && part.Start() == condition.Start() && part.End() == condition.End() {
			if !never && j.condition(part) == act {
				return acts
			}
			continue
		}
		if never && j.IsConsequence(n, part, parts[:i]) {
			if j.holdsYield(part) {
				return acts
			}
			j.dead = j.dead || j.hasContent(part)
			for _, arm := range part.NamedChildren() {
				if j.Role(arm) == lang.Arms && j.statement(arm, tail) == acts {
					return acts
				}
			}
			continue
		}
		if condition == nil && !tail && j.IsValue(part) {
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

// hasContent reports whether more than comments and what does nothing stands in a node.
func (j *judgement) hasContent(n *syntax.Node) bool {
	for _, c := range n.NamedChildren() {
		if role := j.Role(c); role != lang.Idles && role != lang.Arms {
			return true
		}
	}
	return n.NamedChildCount() == 0 && j.Role(n) != lang.Idles && !isBlock(strings.Trim(j.Text(n), "{}; \t\r\n"))
}

// isBlock reports whether a text without its brackets is no more than the words around a block.
func isBlock(text string) bool { return text == "" || text == "do" || text == "end" || text == "then" }
