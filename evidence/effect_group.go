package evidence

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// heads are the words that blocks begin with; one alone has an empty block behind it.
const heads = ` default else do begin try catch rescue finally ensure unsafe `

// group judges the parts of a statement; every arm of a match may be the last of it.
func (j *judgement) group(n *syntax.Node, tail bool) flow {
	parts, worded := j.parts(n), j.isWorded(n)
	if text := strings.Trim(j.text(n), "{} \t\r\n;"); len(parts) == 0 && isWord(text) {
		if v := j.named(text); tail { // a word of the language
			return j.give(v, text)
		} else if v != empty {
			return acts
		}
	}
	kind := n.Type()
	if kind == "match_block" && len(parts) == 0 {
		return acts // nothing can get there, as the type of what is matched says
	}
	if kind == "with_item" && !strings.HasPrefix(strings.TrimPrefix(j.text(n), "contextlib."), "suppress(") {
		return acts
	}
	if kind == "with_item" {
		return goesOn
	}
	if isSequence(kind) || len(parts) < 2 && !worded && (len(parts) == 0 || !j.heads(n, parts[0])) {
		return j.block(parts, tail)
	}
	end := goesOn
	j.ways = true
	for i, part := range parts {
		if j.left < 0 {
			return acts
		}
		if j.isMatched(n, part) {
			if j.match(part) == acts {
				return acts
			}
			continue
		}
		switch role := j.role(part); role {
		case lang.Groups, lang.Arms, lang.Branches, lang.Loops, lang.Stands, lang.Returns,
			lang.Throws, lang.Transfers,
			lang.Declares, lang.Assigns, lang.Nests, lang.Asserts, lang.Prints, lang.Shares,
			lang.Idles, lang.Jumps:
			if j.statement(part, tail) == acts {
				return acts
			}
		default:
			if worded || i == 0 && holdsLock(kind) || j.heads(n, part) {
				if j.condition(part) == act {
					return acts
				}
			} else if j.statement(part, tail) == acts {
				return acts
			}
		}
	}
	return end
}

// heads reports whether a part of a statement is what is asked or matched there, no value of it.
func (j *judgement) heads(n, part *syntax.Node) bool {
	for _, name := range []string{"condition", "value", "pattern", "subject", "argument", "left", "right"} {
		if f := n.Field(name); f != nil && f.Start() == part.Start() && f.End() == part.End() {
			return name != "value" || !j.grammar.Tail || strings.HasPrefix(n.Type(), "case") ||
				n.NamedChild(int(n.NamedChildCount())-1).Start() > part.Start()
		}
	}
	if f := n.Field("expr"); f != nil && strings.HasPrefix(n.Type(), "switch") {
		return f.Start() == part.Start() && f.End() == part.End()
	}
	return false
}

// isSequence reports whether the parts of nodes of a kind follow one another; those of others are the ways that there
// are.
func isSequence(kind string) bool {
	switch kind {
	case "block", "statements", "compound_statement", "body", "then", "do", "else", "do_group", "elif_clause", "begin",
		"ensure", "subshell":
		return true
	}
	return strings.HasSuffix(kind, "_block") || strings.HasSuffix(kind, "body_statement") ||
		strings.HasSuffix(kind, "_body") || strings.HasSuffix(kind, "do_statement")
}

// isMatched reports whether a part of an arm is what is matched there.
func (j *judgement) isMatched(n, part *syntax.Node) bool {
	f := n.Field("left")
	return f != nil && f == part && j.role(n) == lang.Arms
}

// match judges a pattern: the names in it are given values; what it calls, save in a guard, acts.
func (j *judgement) match(n *syntax.Node) flow {
	switch j.role(n) {
	case lang.Refers:
		if name := j.text(n); name != "_" && !isTypeName(name) {
			j.bounds, j.reads = append(j.bounds, name), true
		}
	case lang.Calls, lang.Acts:
		return acts
	default:
		for _, c := range n.NamedChildren() {
			if j.match(c) == acts {
				return acts
			}
		}
	}
	return goesOn
}

// isValue reports whether a node is an expression.
func (j *judgement) isValue(n *syntax.Node) bool {
	role := j.role(n)
	return role >= lang.Written && role <= lang.Makes
}

// parts are the children of a statement. Those of a call that is one are its arguments, and its blocks, without what it
// is called by.
func (j *judgement) parts(n *syntax.Node) []*syntax.Node {
	all := n.NamedChildren()
	if !j.isWorded(n) {
		return all
	}
	var parts []*syntax.Node
	target, method := n.Field("target"), n.Field("method")
	for _, c := range all {
		switch kind := c.Type(); {
		case target != nil && c == target, method != nil && c == method, kind == "command_name":
		case kind == "arguments", kind == "argument_list", kind == "keywords":
			for _, a := range c.NamedChildren() {
				if a.Type() != "keywords" {
					parts = append(parts, a)
					continue
				}
				for _, pair := range a.NamedChildren() {
					if v := pair.Field("value"); v != nil {
						parts = append(parts, v)
					}
				}
			}
		default:
			parts = append(parts, c)
		}
	}
	return parts
}

// condition judges an expression on which it depends what is done.
func (j *judgement) condition(n *syntax.Node) value {
	v := j.value(n)
	if v >= talk {
		return act
	}
	if v >= first {
		j.reads = true
	}
	return v
}
