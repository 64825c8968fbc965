package facts

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Statements reads a sequence of statements.
func (r *Reader) Statements(nodes []*syntax.Node) *Term {
	t, isSkipped, isLeft, isFinal := &Term{Op: Block}, false, false, false
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		role := r.Role(n)
		var s *Term
		switch {
		case isLeft && role == lang.Idles:
			continue
		case role == lang.Disables: // where the code after #else is built, a return after #if is not
			text := r.Text(n)
			isSkipped, isFinal = isSkipped || fits("disabled code", text), isLeft && (isFinal || strings.HasPrefix(text, "#if"))
			isLeft = isLeft && (isFinal || !strings.HasPrefix(text, "#e"))
			continue
		case isLeft && role != lang.Arms && n.Type() != "labeled_statement":
			t.Parts = append(t.Parts, r.dead(n))
			continue
		case isSkipped && role != lang.Idles:
			s, isSkipped = r.dead(n), false
		default:
			s = r.Statement(n)
		}
		if i > 0 && s.Op != Nothing && bytes.HasPrefix(r.Src[nodes[i-1].Start():], []byte("#[cfg(")) { // for some builds only
			s = r.term(Branch, n, "preproc", &Term{Op: List}, s)
		}
		if end := lastTerm(s); end.Op == Return && i+1 < len(nodes) && r.isReturned(n, nodes[i+1]) {
			i++ // some grammars split «return x», and «if (y) return x»
			end.Parts, end.Span.End = []*Term{r.Value(nodes[i])}, nodes[i].End()
		}
		if isLeft = s.Op == Return || s.Op == Raise; s.Op != Nothing {
			t.Parts = append(t.Parts, s)
		}
	}
	return t
}

// lastTerm returns the innermost term at the end of a term.
func lastTerm(t *Term) *Term {
	for len(t.Parts) > 0 {
		t = t.Parts[len(t.Parts)-1]
	}
	return t
}

// isReturned reports whether a node follows the word return, with which another ends, on its line.
func (r *Reader) isReturned(n, next *syntax.Node) bool {
	return bytes.HasSuffix(r.Src[n.Start():n.End()], []byte("return")) && r.Role(next) != lang.Idles &&
		len(bytes.Trim(r.Src[n.End():max(n.End(), next.Start())], " \t")) == 0
}

// dead returns the term of unreachable code. A yield in it still makes its function a generator.
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
	if r.NodesLeft < 0 {
		return r.term(Unknown, n, kind)
	}
	if r.discardsValue(n) {
		return nothing
	}
	switch role {
	case lang.Acts:
		switch {
		case r.isIncrement(n):
			return r.term(Bind, n, "+=", append(r.values(n.NamedChildren()), nothing)...)
		case kind == "yield_statement" && strings.HasPrefix(r.Text(n), "yield break"):
			return r.term(Return, n, "", r.term(Empty, n, ""))
		}
		return r.Value(n)
	case lang.Jumps:
		return r.term(Jump, n, "")
	case lang.Idles, lang.Disables:
		switch {
		case role == lang.Idles && r.HasWordRole(n):
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
		return r.expressionStatement(n)
	case lang.Returns, lang.Throws, lang.Transfers:
		return r.transfer(n, role)
	case lang.Asserts:
		return r.term(Assert, n, "", r.values(n.NamedChildren())...)
	case lang.Shares:
		return r.term(Share, n, "", r.values(n.NamedChildren())...)
	case lang.Nests:
		if n.Field("body") != nil && strings.Contains(kind, "function") {
			return r.term(Define, n, r.definedName(n), r.closure(n))
		}
		return r.term(Define, n, r.definedName(n))
	case lang.Prints:
		return r.term(Call, n, "print", append([]*Term{{Op: Block}}, r.values(n.NamedChildren())...)...)
	case lang.Declares, lang.Assigns:
		return r.bind(n, role)
	}
	return r.Value(n)
}

func (r *Reader) blockOf(n *syntax.Node, parts []*syntax.Node) *Term {
	t := r.Statements(parts)
	t.Span = lang.At(n)
	return t
}

// blockWords are the keywords of blocks; a keyword without code is an empty block.
const blockWords = ` default else do end then begin try catch rescue finally ensure unsafe `

// IsWord reports whether a text is one word of letters.
func IsWord(text string) bool {
	return text != "" && text != "_" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 &&
		!strings.Contains(blockWords, " "+text+" ")
}

// expressionStatement reads a statement that is one expression. With a semicolon it is not the value of its block.
func (r *Reader) expressionStatement(n *syntax.Node) *Term {
	t := r.blockOf(n, n.NamedChildren())
	if strings.HasSuffix(r.Text(n), ";") {
		t.Text = ";"
	}
	return t
}

// definedName returns the name of a definition; "" if it has none or is decorated, since others may call it then.
func (r *Reader) definedName(n *syntax.Node) string {
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

func (r *Reader) isIncrement(n *syntax.Node) bool {
	switch n.Type() {
	case "update_expression", "postfix_unary_expression", "postfix_expression", "inc_statement", "dec_statement":
		return strings.Contains(r.Text(n), "++") || strings.Contains(r.Text(n), "--")
	}
	return false
}

func (r *Reader) transfer(n *syntax.Node, role lang.Role) *Term {
	text := r.Text(n)
	if role == lang.Throws || strings.HasPrefix(text, "throw") {
		return r.term(Raise, n, "", r.values(n.NamedChildren())...)
	}
	if role == lang.Returns || strings.HasPrefix(text, "return") {
		return r.term(Return, n, "", r.values(r.Parts(n))...)
	} else if strings.HasPrefix(text, "yield") { // the caller may change the place that it gets
		return r.term(Unknown, n, "yield")
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
			t.Text, t.Parts = "+=", r.patternNames(target) // destructuring
			break
		} else if name == "" {
			t.Parts = []*Term{r.Value(target)}
			break
		}
		t.Parts = append(t.Parts, r.term(Name, target, name))
	}
	value := nothing
	if right != nil {
		value = r.Value(right)
	}
	t.Parts = append(t.Parts, value)
	return t
}

// augments reports whether an assignment updates its target: x += 1.
func (r *Reader) augments(target, right *syntax.Node) bool {
	if right == nil || right.Start() < target.End() {
		return false
	}
	operator := strings.TrimSpace(string(r.Src[target.End():right.Start()]))
	return len(operator) > 1 && strings.HasSuffix(operator, "=") && !strings.Contains(operator, ":") &&
		strings.IndexByte("+-*/%&|^<>?.", operator[0]) >= 0
}
