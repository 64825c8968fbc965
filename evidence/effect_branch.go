package evidence

import (
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/language"
)

// branch judges an if.
func (j *judgement) branch(n *sitter.Node, tail bool) flow {
	condition, parts := j.asked(n), j.parts(n)
	never := condition != nil && isFalse(j.text(condition))
	j.ways = true
	for i, part := range parts {
		if condition != nil && part.StartByte() == condition.StartByte() && part.EndByte() == condition.EndByte() {
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
			for _, arm := range children(part) {
				if j.role(arm) == language.Arms && j.statement(arm, tail) == acts {
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
func (j *judgement) asked(n *sitter.Node) *sitter.Node {
	if condition := n.ChildByFieldName("condition"); condition != nil {
		return condition
	}
	for _, c := range j.parts(n) {
		if j.role(c) == language.Idles {
			continue
		}
		if isFalse(j.text(c)) || j.isWorded(n) || c.Type() == "boolean" {
			return c
		}
		break
	}
	return nil
}

func (j *judgement) isConsequence(n, part *sitter.Node, before []*sitter.Node) bool {
	for _, name := range []string{"consequence", "body"} {
		if f := n.ChildByFieldName(name); f != nil {
			return f.StartByte() == part.StartByte() && f.EndByte() == part.EndByte()
		}
	}
	if slices.ContainsFunc(append(before, part), isElse) || part.Type() == "control_structure_body" &&
		before[len(before)-1].Type() == part.Type() {
		return false
	}
	return n.ChildByFieldName("alternative") == nil || part.StartByte() < n.ChildByFieldName("alternative").StartByte()
}

// isElse reports whether a node is, or stands before, what is done where the condition of an if does not hold.
func isElse(n *sitter.Node) bool {
	kind := strings.TrimPrefix(n.Type(), "if_")
	return strings.HasPrefix(kind, "else") || strings.HasPrefix(kind, "elif") || strings.HasPrefix(kind, "elsif")
}

// hasContent reports whether more than comments and what does nothing stands in a node.
func (j *judgement) hasContent(n *sitter.Node) bool {
	for _, c := range children(n) {
		if role := j.role(c); role != language.Idles && role != language.Arms {
			return true
		}
	}
	return n.NamedChildCount() == 0 && j.role(n) != language.Idles && !isBlock(strings.Trim(j.text(n), "{}; \t\r\n"))
}

// isBlock reports whether a text without its brackets is no more than the words around a block.
func isBlock(text string) bool { return text == "" || text == "do" || text == "end" || text == "then" }
