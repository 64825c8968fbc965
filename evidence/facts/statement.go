package facts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Statements reads statements that follow one another.
func (r *Reader) Statements(nodes []*syntax.Node) *Term {
	t, skip, left := &Term{Op: Block}, false, false
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		role := r.Role(n)
		var s *Term
		switch {
		case left && role == lang.Idles:
			continue
		case left && role != lang.Arms && n.Type() != "labeled_statement":
			t.Parts = append(t.Parts, r.dead(n))
			continue
		case role == lang.Disables:
			skip = skip || lang.DisablesCode(r.Text(n))
			continue
		case skip && role != lang.Idles:
			s, skip = r.dead(n), false
		case role == lang.Transfers && i+1 < len(nodes) && r.Text(n) == "return" &&
			!strings.Contains(string(r.Src[n.End():max(n.End(), nodes[i+1].Start())]), "\n"):
			i++ // a grammar may part them
			s = r.term(Return, n, "", r.Value(nodes[i]))
			s.At.End = nodes[i].End()
		default:
			s = r.Statement(n)
		}
		if left = s.Op == Return || s.Op == Raise; s.Op != Nothing {
			t.Parts = append(t.Parts, s)
		}
	}
	return t
}

// dead is what is never reached. A yield in it makes its function a generator all the same.
func (r *Reader) dead(n *syntax.Node) *Term {
	if strings.Contains(string(r.Src[n.Start():n.End()]), "yield") && r.yields(n) {
		return r.term(Dead, n, "yield")
	}
	return r.term(Dead, n, "")
}

func (r *Reader) yields(n *syntax.Node) bool {
	if role := r.Role(n); role == lang.Nests || role == lang.Closes {
		return false
	}
	return strings.HasPrefix(n.Type(), "yield") || slices.ContainsFunc(n.NamedChildren(), r.yields)
}

// values reads expressions.
func (r *Reader) values(nodes []*syntax.Node) (all []*Term) {
	for _, n := range nodes {
		if r.Role(n) != lang.Idles {
			all = append(all, r.Value(n))
		}
	}
	return all
}

// Statement reads one statement.
func (r *Reader) Statement(n *syntax.Node) *Term {
	kind := n.Type()
	role := r.Role(n)
	if r.Left < 0 {
		return r.term(Unknown, n, kind)
	}
	if r.throwsAway(n) {
		return nothing
	}
	switch role {
	case lang.Acts:
		switch {
		case r.steps(n):
			return r.term(Bind, n, "+=", append(r.values(n.NamedChildren()), nothing)...)
		case kind == "yield_statement" && strings.HasPrefix(r.Text(n), "yield break"):
			return r.term(Return, n, "", r.term(Empty, n, ""))
		}
		return r.Value(n)
	case lang.Jumps:
		return r.term(Jump, n, "")
	case lang.Idles, lang.Disables:
		switch {
		case role == lang.Idles && r.IsWorded(n):
			if parts := r.values(r.Parts(n)); len(parts) > 0 {
				return r.term(Operate, n, ":", parts...)
			}
		case strings.HasPrefix(kind, "import"), kind == "use_declaration":
			return r.term(Import, n, "")
		}
		return nothing
	case lang.Groups, lang.Arms:
		return r.group(n)
	case lang.Branches:
		return r.branch(n)
	case lang.Loops:
		return r.loop(n)
	case lang.Stands:
		return r.stands(n)
	case lang.Returns, lang.Throws, lang.Transfers:
		return r.leave(n, role)
	case lang.Asserts:
		return r.term(Assert, n, "", r.values(n.NamedChildren())...)
	case lang.Shares:
		return r.term(Share, n, "", r.values(n.NamedChildren())...)
	case lang.Nests:
		if n.Field("body") != nil && strings.Contains(kind, "function") {
			return r.term(Define, n, r.defined(n), r.closure(n))
		}
		return r.term(Define, n, r.defined(n))
	case lang.Prints:
		return r.term(Call, n, "print", append([]*Term{{Op: Block}}, r.values(n.NamedChildren())...)...)
	case lang.Declares, lang.Assigns:
		return r.bind(n, role)
	}
	return r.Value(n)
}

// blockOf reads statements that stand in a node.
func (r *Reader) blockOf(n *syntax.Node, parts []*syntax.Node) *Term {
	t := r.Statements(parts)
	t.At = lang.At(n)
	return t
}

// heads are the words that blocks begin with; one alone has an empty block behind it.
const heads = ` default else do end then begin try catch rescue finally ensure unsafe `

// IsWord reports whether a text is one word of letters.
func IsWord(text string) bool {
	return text != "" && text != "_" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 &&
		!strings.Contains(heads, " "+text+" ")
}

// stands reads a statement that is one expression. Behind a semicolon it is no value of what it ends.
func (r *Reader) stands(n *syntax.Node) *Term {
	t := r.blockOf(n, n.NamedChildren())
	if strings.HasSuffix(r.Text(n), ";") {
		t.Text = ";"
	}
	return t
}

// defined is the name of a definition; "" where it has none, or is decorated, so that it may be called by others.
func (r *Reader) defined(n *syntax.Node) string {
	if name := n.Field("name"); name != nil {
		return r.Text(name)
	}
	for _, c := range n.NamedChildren() {
		if r.Role(c) == lang.Refers && n.Type() != "decorated_definition" {
			return r.Text(c)
		}
	}
	return ""
}

// steps reports whether a node adds one to what it holds.
func (r *Reader) steps(n *syntax.Node) bool {
	switch n.Type() {
	case "update_expression", "postfix_unary_expression", "postfix_expression", "inc_statement", "dec_statement":
		return strings.Contains(r.Text(n), "++") || strings.Contains(r.Text(n), "--")
	}
	return false
}

func (r *Reader) leave(n *syntax.Node, role lang.Role) *Term {
	text := r.Text(n)
	if role == lang.Throws || strings.HasPrefix(text, "throw") {
		return r.term(Raise, n, "", r.values(n.NamedChildren())...)
	}
	if role == lang.Returns || strings.HasPrefix(text, "return") {
		return r.term(Return, n, "", r.values(r.Parts(n))...)
	}
	return r.term(Jump, n, "")
}

func (r *Reader) bind(n *syntax.Node, role lang.Role) *Term {
	op := Bind
	if role == lang.Declares {
		op = Declare
	}
	target, right := r.Sides(n)
	if target == nil {
		t := &Term{Op: Block}
		for _, part := range n.NamedChildren() {
			switch r.Role(part) {
			case lang.Refers:
				t.Parts = append(t.Parts, r.term(Declare, part, "", r.term(Name, part, r.Text(part)), nothing))
			case lang.Idles, lang.Disables:
			case lang.Declares:
				t.Parts = append(t.Parts, r.bind(part, lang.Declares))
			case lang.Assigns:
				t.Parts = append(t.Parts, r.bind(part, role))
			default:
				return r.term(Unknown, n, n.Type())
			}
		}
		return t
	}
	t := r.term(op, n, "")
	if kind := n.Type(); strings.Contains(kind, "augmented") || strings.Contains(kind, "compound_assignment") ||
		kind == "operator_assignment" || r.augments(target, right) {
		t.Text = "+="
	}
	for _, name := range r.Names(target) {
		if name == "" && strings.Contains(target.Type(), "pattern") {
			t.Text, t.Parts = "+=", r.taken(target) // it takes its value apart
			break
		} else if name == "" {
			t.Parts = []*Term{r.Value(target)}
			break
		}
		t.Parts = append(t.Parts, r.term(Name, target, name))
	}
	if right == nil {
		return r.with(t, nothing)
	}
	return r.with(t, r.Value(right))
}

func (r *Reader) with(t *Term, part *Term) *Term {
	t.Parts = append(t.Parts, part)
	return t
}

// augments reports whether an assignment changes what its target holds: x += 1.
func (r *Reader) augments(target, right *syntax.Node) bool {
	if right == nil || right.Start() < target.End() {
		return false
	}
	operator := strings.TrimSpace(string(r.Src[target.End():right.Start()]))
	return len(operator) > 1 && strings.HasSuffix(operator, "=") && !strings.Contains(operator, ":") &&
		strings.IndexByte("+-*/%&|^<>?.", operator[0]) >= 0
}
