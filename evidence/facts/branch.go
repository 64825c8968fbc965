package facts

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

func isStatement(role lang.Role) bool {
	switch role {
	case lang.Written, lang.Holds, lang.Text, lang.Refers, lang.Computes, lang.Wraps, lang.Selects, lang.Calls, lang.Makes,
		lang.Closes, lang.Acts:
		return false
	}
	return true
}

func (r *Reader) group(n *syntax.Node) *Term {
	kind, parts := n.Type(), r.Parts(n)
	if text := strings.Trim(r.Text(n), "{} \t\r\n;"); len(parts) == 0 && IsWord(text) {
		return r.term(Name, n, text) // a word of the language
	}
	switch {
	case kind == "with_item":
		if caught, ok := strings.CutPrefix(strings.TrimPrefix(r.Text(n), "contextlib."), "suppress("); ok {
			return r.term(Handler, n, "except ("+caught)
		}
		return r.term(Unknown, n, kind, r.values(parts)...)
	case kind == "match_block" && len(parts) == 0:
		return r.term(Unknown, n, kind) // a match of an uninhabited type
	case strings.HasPrefix(kind, "try"), strings.HasPrefix(kind, "with"), kind == "begin", kind == "lock_statement",
		kind == "synchronized_statement":
		return r.term(Try, n, "", r.Statements(parts).Parts...)
	case strings.HasPrefix(kind, "catch"), strings.HasPrefix(kind, "except"), strings.HasPrefix(kind, "rescue"):
		return r.handler(n, parts)
	case strings.HasPrefix(kind, "finally"), strings.HasPrefix(kind, "ensure"), strings.HasPrefix(kind, "after"):
		t := r.blockOf(n, parts)
		t.Text = "after" // its last value is not returned
		return t
	case isSequence(kind), strings.HasPrefix(kind, "else"):
		return r.blockOf(n, parts)
	case len(parts) < 2 && !r.HasWordRole(n) && (len(parts) == 0 || !r.isHead(n, parts[0])):
		return r.blockOf(n, parts)
	}
	head, ways := r.term(List, n, ""), []*Term{}
	for _, part := range parts {
		switch role := r.Role(part); {
		case role == lang.Idles:
		case isStatement(role) || len(ways) > 0:
			ways = append(ways, r.Statement(part))
		default:
			head.Parts = append(head.Parts, r.Value(part))
		}
	}
	if len(ways) == 0 && len(head.Parts) > 0 && !r.isHead(n, parts[len(parts)-1]) {
		// An arm with an expression instead of a block.
		last := len(head.Parts) - 1
		ways, head.Parts = head.Parts[last:], head.Parts[:last]
	}
	return r.term(Branch, n, kind, append([]*Term{head}, ways...)...)
}

func (r *Reader) handler(n *syntax.Node, parts []*syntax.Node) *Term {
	end := n.End()
	if last := n.LastNamedChild(); last != nil && r.Role(last) == lang.Groups && !strings.Contains(r.Text(last), "case ") {
		end, parts = last.Start(), []*syntax.Node{last}
	}
	return r.term(Handler, n, strings.TrimRight(string(r.Src[n.Start():end]), " \t\r\n{:"), r.Statements(parts).Parts...)
}

// isHead reports whether a part of a statement is its condition or pattern, not a value.
func (r *Reader) isHead(n, part *syntax.Node) bool {
	for _, name := range []string{"condition", "value", "pattern", "subject", "argument", "left", "right"} {
		if f := n.Field(name); f != nil && f.Start() == part.Start() && f.End() == part.End() {
			return name != "value" || strings.HasPrefix(n.Type(), "case") || n.LastNamedChild().Start() > part.Start()
		}
	}
	return false
}

// deadBranch reads a branch that never runs; live alternatives may stand in it.
func (r *Reader) deadBranch(n *syntax.Node) *Term {
	text := strings.Trim(r.Text(n), "{}; \t\r\n")
	t, hasCode := &Term{Op: Block, Span: lang.At(n)}, n.NamedChildCount() == 0 && text != "" && text != "end"
	for _, c := range n.NamedChildren() {
		switch r.Role(c) {
		case lang.Arms:
			t.Parts = append(t.Parts, r.Statement(c))
		case lang.Idles:
		default:
			hasCode = true
		}
	}
	if hasCode {
		t.Parts = append([]*Term{r.dead(n)}, t.Parts...)
	}
	return t
}

func (r *Reader) branch(n *syntax.Node) *Term {
	condition, parts := r.Condition(n), r.Parts(n)
	t, first := r.term(Branch, n, "if", r.term(List, n, "")), &Term{Op: Block}
	isNever := condition != nil && IsFalse(r.Text(condition))
	for i, part := range parts {
		switch role := r.Role(part); {
		case role == lang.Idles:
		case condition != nil && part.Start() == condition.Start() && part.End() == condition.End(),
			condition == nil && len(t.Parts) == 1 && !isStatement(role) && i+1 < len(parts):
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.Value(part))
		default:
			if len(t.Parts) == 1 {
				t.Parts = append(t.Parts, first)
			}
			switch consequence := r.IsConsequence(n, part, parts[:i]); {
			case !consequence:
				t.Parts = append(t.Parts, r.Statement(part))
			case isNever:
				first.Parts = append(first.Parts, r.deadBranch(part))
			default:
				first.Parts = append(first.Parts, r.Statement(part)) // in some languages, there are several
			}
		}
	}
	return t
}

func (r *Reader) loop(n *syntax.Node) *Term {
	t := r.term(Loop, n, n.Type(), r.term(List, n, ""))
	var names []*Term
	condition, parts := n.Field("condition"), r.Parts(n)
	if len(parts) > 1 && parts[0].Type() == "enumerators" {
		parts = append(parts[0].NamedChildren(), parts[1:]...)
	}
	for _, part := range parts {
		role, inner := r.Role(part), part.NamedChildren()
		switch {
		case role == lang.Declares && (len(inner) == 1 || len(inner) == 2) && r.Role(inner[0]) == lang.Refers,
			part.Type() == "for_numeric" && len(inner) > 1:
			names = append(names, r.loopNames(inner[0])...) // each element of the value beside it
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.values(inner[1:])...)
		case role == lang.Idles:
		case n.Field("left") == part, n.Field("pattern") == part, n.Field("variable") == part, n.Field("name") == part,
			n.Field("var") == part && role == lang.Refers:
			names = append(names, r.loopNames(part)...)
		case part.Type() == "for_clause", part.Type() == "range_clause", part.Type() == "for_generic_clause":
			left, right := r.Sides(part)
			if part.Type() == "range_clause" && left == nil {
				t.Parts[0].Parts = append(t.Parts[0].Parts, r.values(part.NamedChildren())...)
				continue
			} else if part.Type() != "range_clause" || right == nil {
				t.Parts = append(t.Parts, r.Statements(part.NamedChildren()))
				continue
			}
			names = append(names, r.loopNames(left)...)
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.Value(right))
		case part == condition, !isStatement(role) && len(t.Parts) == 1 && !r.isIncrement(part):
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.Value(part))
		case condition != nil && part.Start() >= condition.End() && IsFalse(r.Text(condition)):
			t.Parts = append(t.Parts, r.deadBranch(part))
		default:
			t.Parts = append(t.Parts, r.Statement(part))
		}
	}
	r.dropLastJump(t.Parts[len(t.Parts)-1])
	if len(names) > 0 {
		t.Parts = append([]*Term{t.Parts[0], r.term(Declare, n, "", append(names, t.Parts[0])...)}, t.Parts[1:]...)
	}
	return t
}

// dropLastJump drops a jump to the next round where the round ends anyway.
func (r *Reader) dropLastJump(t *Term) {
	switch t.Op {
	case Jump:
		if text := string(r.Src[t.Span.Start:t.Span.End]); isOneOf(strings.TrimRight(text, "; \n"), "continue", "next") {
			t.Op = Nothing
		}
	case Block:
		if len(t.Parts) > 0 {
			r.dropLastJump(t.Parts[len(t.Parts)-1])
		}
	case Branch:
		for _, way := range t.Parts[1:] {
			r.dropLastJump(way)
		}
	}
}

func (r *Reader) patternNames(n *syntax.Node) (all []*Term) {
	for _, c := range n.NamedChildren() {
		if c.IsLeaf() && strings.Contains(c.Type(), "identifier") && !c.IsField("key") && !c.IsField("right") {
			all = append(all, r.term(Name, c, r.Text(c)))
		}
		all = append(all, r.patternNames(c)...)
	}
	return all
}

func (r *Reader) loopNames(n *syntax.Node) (all []*Term) {
	for _, name := range r.Names(n) {
		if name != "" {
			all = append(all, r.term(Name, n, name))
		}
	}
	return all
}
