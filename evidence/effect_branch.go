package evidence

import (
	"bytes"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/language"
)

// branch judges an if.
func (j *judgement) branch(n *sitter.Node, tail bool) flow {
	condition := j.asked(n)
	never := condition != nil && isFalse(j.text(condition))
	parts := children(n)
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
			continue
		}
		if condition == nil && !tail && j.role(part) >= language.Written && j.role(part) <= language.Makes {
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

// asked returns what an if asks: its condition, or in a grammar without such a field the constant that it begins with.
func (j *judgement) asked(n *sitter.Node) *sitter.Node {
	if condition := n.ChildByFieldName("condition"); condition != nil {
		return condition
	}
	for _, c := range children(n) {
		if role := j.role(c); role != language.Idles {
			if isFalse(j.text(c)) {
				return c
			}
			break
		}
	}
	return nil
}

// askedBy judges a branch that is written as a call with a block.
func (j *judgement) askedBy(n *sitter.Node, arguments []*sitter.Node, tail bool) flow {
	last := n.NamedChild(int(n.NamedChildCount()) - 1)
	if len(arguments) != 1 || last.Type() != "do_block" {
		return acts
	}
	if isFalse(j.text(arguments[0])) && !bytes.Contains(j.src[last.StartByte():last.EndByte()], []byte("else")) {
		j.dead = j.dead || j.hasContent(last)
		return goesOn
	}
	if j.condition(arguments[0]) == act {
		return acts
	}
	return j.group(last, tail)
}

func (j *judgement) isConsequence(n, part *sitter.Node, before []*sitter.Node) bool {
	for _, name := range []string{"consequence", "body"} {
		if f := n.ChildByFieldName(name); f != nil {
			return f.StartByte() == part.StartByte() && f.EndByte() == part.EndByte()
		}
	}
	if slices.ContainsFunc(append(before, part), isElse) || part.Type() == "control_structure_body" && before[len(before)-1].Type() == part.Type() {
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
		if j.role(c) != language.Idles {
			return true
		}
	}
	return n.NamedChildCount() == 0 && j.role(n) != language.Idles && n.EndByte()-n.StartByte() > 2
}
