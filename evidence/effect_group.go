package evidence

import (
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// heads are the words that blocks begin with; one alone has an empty block behind it.
const heads = ` default else do begin try catch rescue finally ensure unsafe `

// group judges the parts of a statement; every arm of a match may be the last of it.
func (j *judgement) group(n *syntax.Node, tail bool) outlet {
	parts, worded := j.Parts(n), j.IsWorded(n)
	if text := strings.Trim(j.Text(n), "{} \t\r\n;"); len(parts) == 0 && isWord(text) {
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
	if kind == "with_item" && !strings.HasPrefix(strings.TrimPrefix(j.Text(n), "contextlib."), "suppress(") {
		return acts
	}
	if kind == "with_item" {
		return goesOn
	}
	if facts.IsSequence(kind) || len(parts) < 2 && !worded && (len(parts) == 0 || !j.heads(n, parts[0])) {
		return j.block(parts, tail)
	}
	end := goesOn
	j.ways = true
	for i, part := range parts {
		if j.Left < 0 {
			return acts
		}
		if j.isMatched(n, part) {
			if j.match(part) == acts {
				return acts
			}
			continue
		}
		switch role := j.Role(part); role {
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

// isMatched reports whether a part of an arm is what is matched there.
func (j *judgement) isMatched(n, part *syntax.Node) bool {
	f := n.Field("left")
	return f != nil && f == part && j.Role(n) == lang.Arms
}

// match judges a pattern: the names in it are given values; what it calls, save in a guard, acts.
func (j *judgement) match(n *syntax.Node) outlet {
	switch j.Role(n) {
	case lang.Refers:
		if name := j.Text(n); name != "_" && !facts.IsTypeName(name) {
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
