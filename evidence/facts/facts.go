package facts

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Op is what a term is.
type Op uint8

const (
	// Unknown may do anything.
	Unknown Op = iota
	// Nothing does nothing: a comment, pass, an import.
	Nothing
	// Block holds statements that follow one another.
	Block
	// Bind gives the last of its parts to those before it.
	Bind
	// Declare gives it to new names.
	Declare
	// Return gives its parts back.
	Return
	// Jump leaves a loop, or one of its rounds.
	Jump
	// Raise ends what goes on with an error.
	Raise
	// Branch asks its first part, and does one of the others.
	Branch
	// Loop goes over its first part, or asks it, and does the others again and again.
	Loop
	// Try does its parts.
	Try
	// Handler does its parts with what was thrown before it.
	Handler
	// Literal is written out.
	Literal
	// Text is written out, but for its parts.
	Text
	// Name is a name.
	Name
	// Call calls Text on the first of its parts, a block without parts where there is none, with the others.
	Call
	// Make makes an object of the type Text with its parts.
	Make
	// Member is the member Text of its part.
	Member
	// Operate is the operator Text over its parts.
	Operate
	// List is made of its parts.
	List
	// Closure is a function without a name; its part is what it does.
	Closure
)

// Term is a statement or an expression.
type Term struct {
	Op    Op
	Text  string
	At    lang.Span
	Parts []*Term
}

var nothing = &Term{Op: Nothing}

func (r *Reader) term(op Op, n *syntax.Node, text string, parts ...*Term) *Term {
	return &Term{op, text, lang.At(n), parts}
}

// Statements reads statements that follow one another.
func (r *Reader) Statements(nodes []*syntax.Node) *Term {
	t := &Term{Op: Block}
	for _, n := range nodes {
		if s := r.Statement(n); s.Op != Nothing {
			t.Parts = append(t.Parts, s)
		}
	}
	return t
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
	switch role := r.Role(n); role {
	case lang.Acts:
		if steps(kind) {
			return r.term(Bind, n, "+=", append(r.values(n.NamedChildren()), nothing)...)
		}
		return r.term(Unknown, n, kind)
	case lang.Jumps:
		return r.term(Jump, n, "")
	case lang.Idles, lang.Disables:
		if role == lang.Idles && r.IsWorded(n) {
			return r.term(List, n, "", r.values(r.Parts(n))...)
		}
		return nothing
	case lang.Groups, lang.Arms:
		return r.group(n)
	case lang.Branches:
		return r.branch(n)
	case lang.Loops:
		return r.loop(n)
	case lang.Stands:
		return r.Statements(n.NamedChildren())
	case lang.Returns, lang.Throws, lang.Transfers:
		return r.leave(n, role)
	case lang.Asserts, lang.Shares, lang.Nests:
		return r.term(Unknown, n, kind)
	case lang.Prints:
		return r.term(Call, n, "print", append([]*Term{{Op: Block}}, r.values(n.NamedChildren())...)...)
	case lang.Declares, lang.Assigns:
		return r.bind(n, role)
	}
	return r.Value(n)
}

// steps reports whether nodes of a kind add one to what they hold.
func steps(kind string) bool {
	switch kind {
	case "update_expression", "postfix_unary_expression", "postfix_expression", "inc_statement", "dec_statement":
		return true
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
			case lang.Refers, lang.Idles, lang.Disables:
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
		kind == "operator_assignment" || r.augments(n, target, right) {
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
func (r *Reader) augments(n, target, right *syntax.Node) bool {
	if right == nil || right.Start() < target.End() {
		return false
	}
	operator := strings.TrimSpace(string(r.Src[target.End():right.Start()]))
	return len(operator) > 1 && strings.HasSuffix(operator, "=") && !strings.Contains(operator, ":") &&
		strings.IndexByte("+-*/%&|^<>?.", operator[0]) >= 0
}

// isStatement reports whether a role is that of a statement.
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
	switch {
	case kind == "with_item":
		if !strings.HasPrefix(strings.TrimPrefix(r.Text(n), "contextlib."), "suppress(") {
			return r.term(Unknown, n, kind)
		}
		return nothing
	case kind == "lock_statement", kind == "synchronized_statement":
		return r.term(Unknown, n, kind)
	case strings.HasPrefix(kind, "try"), strings.HasPrefix(kind, "with"), kind == "begin":
		return r.term(Try, n, "", r.Statements(parts).Parts...)
	case strings.HasPrefix(kind, "catch"), strings.HasPrefix(kind, "except"), kind == "rescue":
		return r.term(Handler, n, "", r.Statements(parts).Parts...)
	case IsSequence(kind), strings.HasPrefix(kind, "finally"), strings.HasPrefix(kind, "else"):
		return r.Statements(parts)
	case len(parts) < 2 && !r.IsWorded(n):
		text := strings.Trim(r.Text(n), "{} \t\r\n;")
		if len(parts) == 0 && text != "" && !strings.ContainsAny(text, " \n:") {
			return r.term(Name, n, text) // a word of the language
		}
		return r.Statements(parts)
	}
	asked, ways := r.term(List, n, ""), []*Term{}
	for _, part := range parts {
		switch role := r.Role(part); {
		case role == lang.Idles:
		case isStatement(role) || len(ways) > 0:
			ways = append(ways, r.Statement(part))
		default:
			asked.Parts = append(asked.Parts, r.Value(part))
		}
	}
	if len(ways) == 0 && len(asked.Parts) > 0 { // an arm with an expression in the place of a block
		last := len(asked.Parts) - 1
		ways, asked.Parts = asked.Parts[last:], asked.Parts[:last]
	}
	return r.term(Branch, n, kind, append([]*Term{asked}, ways...)...)
}

func (r *Reader) branch(n *syntax.Node) *Term {
	condition, parts := r.Asked(n), r.Parts(n)
	t := r.term(Branch, n, "if", r.term(List, n, ""))
	for i, part := range parts {
		switch role := r.Role(part); {
		case role == lang.Idles:
		case condition != nil && part.Start() == condition.Start() && part.End() == condition.End(),
			condition == nil && len(t.Parts) == 1 && !isStatement(role) && i+1 < len(parts):
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.Value(part))
		case !r.IsConsequence(n, part, parts[:i]) && len(t.Parts) == 1:
			t.Parts = append(t.Parts, &Term{Op: Block}, r.Statement(part))
		default:
			t.Parts = append(t.Parts, r.Statement(part))
		}
	}
	return t
}

func (r *Reader) loop(n *syntax.Node) *Term {
	t := r.term(Loop, n, n.Type(), r.term(List, n, ""))
	var names []*Term
	condition := n.Field("condition")
	for _, part := range r.Parts(n) {
		role := r.Role(part)
		switch {
		case role == lang.Idles:
		case n.Field("left") == part, n.Field("pattern") == part, n.Field("variable") == part, n.Field("name") == part,
			n.Field("var") == part && role == lang.Refers:
			names = append(names, r.bound(part)...)
		case part.Type() == "for_clause", part.Type() == "range_clause", part.Type() == "for_generic_clause":
			left, right := r.Sides(part)
			if part.Type() != "range_clause" || left == nil || right == nil {
				t.Parts = append(t.Parts, r.Statements(part.NamedChildren()))
				continue
			}
			names = append(names, r.bound(left)...)
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.Value(right))
		case part == condition, !isStatement(role) && len(t.Parts) == 1 && !steps(part.Type()):
			t.Parts[0].Parts = append(t.Parts[0].Parts, r.Value(part))
		default:
			t.Parts = append(t.Parts, r.Statement(part))
		}
	}
	if len(names) > 0 {
		t.Parts = append([]*Term{t.Parts[0], r.term(Declare, n, "", append(names, t.Parts[0])...)}, t.Parts[1:]...)
	}
	return t
}

// taken are the names that a pattern gives to parts of a value.
func (r *Reader) taken(n *syntax.Node) (all []*Term) {
	for _, c := range n.NamedChildren() {
		if c.IsLeaf() && strings.Contains(c.Type(), "identifier") && !c.IsField("key") && !c.IsField("right") {
			all = append(all, r.term(Name, c, r.Text(c)))
		}
		all = append(all, r.taken(c)...)
	}
	return all
}

// bound are the names that a loop gives its values.
func (r *Reader) bound(n *syntax.Node) (all []*Term) {
	for _, name := range r.Names(n) {
		if name != "" {
			all = append(all, r.term(Name, n, name))
		}
	}
	return all
}
