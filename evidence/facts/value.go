package facts

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Value reads an expression.
func (r *Reader) Value(n *syntax.Node) *Term {
	if r.NodesLeft < 0 {
		return r.term(Unknown, n, "")
	}
	if !n.IsNamed() {
		return r.term(Name, n, r.Text(n))
	}
	role := r.Role(n)
	if (role == lang.Acts || role >= lang.Written && role <= lang.Makes) && isEmptyValue(r.Text(n)) &&
		(n.Type() != "invocation_expression" || strings.Contains(r.Text(n), "Empty")) { // Set<T>() of C# is a method
		return r.term(Empty, n, r.Text(n))
	}
	if strings.HasPrefix(n.Type(), "jsx_") {
		return r.markup(n)
	}
	switch kind := n.Type(); role {
	case lang.Idles, lang.Written:
		return r.term(Literal, n, r.Text(n))
	case lang.Text:
		return r.term(Text, n, "", r.interpolations(n)...)
	case lang.Holds:
		return r.list(n)
	case lang.Refers:
		return r.term(Name, n, r.Text(n))
	case lang.Wraps, lang.Stands:
		return r.wrappedValue(n, kind)
	case lang.Computes:
		return r.operation(n)
	case lang.Selects:
		return r.member(n)
	case lang.Calls:
		return r.call(n)
	case lang.Makes:
		return r.makeObject(n)
	case lang.Closes:
		return r.closure(n)
	case lang.Returns, lang.Throws, lang.Transfers, lang.Assigns, lang.Groups, lang.Branches:
		return r.Statement(n)
	}
	switch kind := n.Type(); {
	case kind == "try_expression" && n.NamedChildCount() == 1: // f()?
		return r.term(Operate, n, "try", r.Value(n.NamedChild(0)))
	case kind == "annotated_lambda" && n.NamedChildCount() == 1:
		return r.Value(n.NamedChild(0))
	case kind == "async_block":
		return r.Statements(n.NamedChildren())
	}
	return r.term(Unknown, n, n.Type())
}

func (r *Reader) wrappedValue(n *syntax.Node, kind string) *Term {
	parts := r.values(n.NamedChildren())
	switch {
	case strings.Contains(kind, "cast"):
		return r.term(Operate, n, "cast", parts...)
	case strings.HasPrefix(kind, "await"):
		return r.term(Operate, n, "await", parts...)
	case len(parts) == 1:
		return parts[0]
	}
	return r.term(List, n, "", parts...)
}

// operation reads an operator and its operands. An operator that is a name is a method call.
func (r *Reader) operation(n *syntax.Node) *Term {
	if f := n.Field("operator"); f != nil && r.Role(f) == lang.Refers && n.NamedChildCount() == 3 {
		return r.term(Call, n, r.Text(f), r.Value(n.NamedChild(0)), r.Value(n.NamedChild(2)))
	}
	return r.term(Operate, n, r.operator(n), r.values(slices.DeleteFunc(n.NamedChildren(), isOperator))...)
}

func (r *Reader) closure(n *syntax.Node) *Term {
	t := r.term(Closure, n, "")
	for c := range n.Children() {
		switch kind := c.Type(); {
		case c.IsField("body"):
		case strings.HasSuffix(kind, "parameters"), kind == "parameter_list", c.IsField("parameter"),
			c.IsLeaf() && (r.Role(c) == lang.Refers && !c.IsField("name") || strings.HasSuffix(kind, "parameter")):
			for _, name := range r.Parameters(c) {
				t.Text += " " + name
			}
		}
	}
	if body := n.Field("body"); body != nil {
		t.Parts = []*Term{r.Statement(body)}
		return t
	}
	for _, c := range n.NamedChildren() {
		if r.Role(c) == lang.Groups {
			t.Parts = append(t.Parts, r.Statement(c))
		}
	}
	return t
}

// Parameters returns the names of parameters.
func (r *Reader) Parameters(n *syntax.Node) (names []string) {
	kind := n.Type()
	if role := r.Role(n); kind == "variable_name" || n.IsLeaf() && n.IsNamed() &&
		(role == lang.Refers || strings.Contains(kind, "identifier") || strings.HasSuffix(kind, "parameter")) {
		return []string{r.Text(n)}
	}
	if kind == "pair_pattern" { // { key: name }
		return r.Parameters(n.LastNamedChild())
	}
	for _, c := range n.NamedChildren() {
		if !isParameterExtra(c) {
			names = append(names, r.Parameters(c)...)
		}
	}
	return names
}

// isParameterExtra reports whether a part of a parameter is not its name: a type, default value or annotation.
func isParameterExtra(n *syntax.Node) bool {
	kind := n.Type()
	return strings.Contains(kind, "type") && !strings.Contains(kind, "parameter") ||
		slices.ContainsFunc(extraKinds, func(part string) bool { return strings.Contains(kind, part) }) ||
		slices.ContainsFunc(extraFields, n.IsField)
}

// extraKinds are parts of the kinds of such nodes, extraFields their fields.
var (
	extraKinds  = strings.Fields("modifier annotation attribute decorator comment lifetime")
	extraFields = strings.Fields("external_name type value default_value right size")
)

func (r *Reader) interpolations(n *syntax.Node) (all []*Term) {
	for _, c := range n.NamedChildren() {
		switch kind := c.Type(); {
		case r.Role(c) == lang.Text && c.NamedChildCount() > 0:
			all = append(all, r.interpolations(c)...)
		case kind == "variable_name", strings.Contains(kind, "interpol"), strings.Contains(kind, "substitution"),
			strings.Contains(kind, "expansion"):
			inner := slices.DeleteFunc(c.NamedChildren(), isBrace)
			if text := r.Text(c); text == "$" || text == "" { // the opening mark
				continue
			}
			if kind == "variable_name" || len(inner) == 0 {
				all = append(all, r.term(Name, c, r.Text(c)))
			} else {
				all = append(all, r.values(inner)...)
			}
		}
	}
	return all
}

func isOperator(n *syntax.Node) bool { return n.IsField("operator") }

func isBrace(n *syntax.Node) bool { return strings.HasSuffix(n.Type(), "brace") }

// list reads the elements of a value. A pair is its value, without the key.
func (r *Reader) list(n *syntax.Node) *Term {
	parts, kind := n.NamedChildren(), n.Type()
	if kind == "token_tree" {
		return r.term(List, n, kind, r.tokens(parts)...)
	}
	if len(parts) == 2 && (strings.HasSuffix(kind, "pair") || strings.HasPrefix(kind, "key") ||
		kind == "field_initializer" || kind == "array_element_initializer") || kind == "field" && len(parts) > 1 {
		return r.Value(parts[len(parts)-1])
	}
	for i, part := range parts {
		right := part.Field("right")
		if strings.Contains(kind, "initializer") && right != nil && r.Role(part) == lang.Assigns {
			parts[i] = right // new User { Id = 1 }
		}
	}
	return r.term(List, n, kind, r.values(parts)...)
}

// tokens reads the words of a macro call, which the grammar does not parse.
func (r *Reader) tokens(parts []*syntax.Node) (all []*Term) {
	for i := 0; i < len(parts); i++ {
		n := parts[i]
		after := strings.TrimLeft(string(r.Src[n.End():min(len(r.Src), n.End()+8)]), " \t\n")
		switch {
		case r.Role(n) != lang.Refers:
			all = append(all, r.Value(n))
		case strings.HasPrefix(after, ":"): // a qualifier, or the name of a field
		case i+1 < len(parts) && parts[i+1].Type() == "token_tree" && strings.HasPrefix(after, "("):
			arguments := append([]*Term{{Op: Block}}, r.tokens(parts[i+1].NamedChildren())...)
			all, i = append(all, r.term(Call, n, "::"+r.Text(n), arguments...)), i+1
		case IsTypeName(r.Text(n)) && !IsNull(r.Text(n)):
			all = append(all, r.term(Make, n, r.Text(n)))
		default:
			all = append(all, r.term(Name, n, r.Text(n)))
		}
	}
	return all
}

func (r *Reader) operator(n *syntax.Node) string {
	if f := n.Field("operator"); f != nil {
		return r.Text(f)
	}
	for c := range n.Children() {
		if text := r.Text(c); (!c.IsNamed() || text == "!") && text != "(" && text != ")" {
			return text
		}
	}
	return n.Type()
}

func (r *Reader) member(n *syntax.Node) *Term {
	parts := n.NamedChildren()
	if len(parts) == 0 && n.Type() == "global_variable" {
		return r.term(Name, n, "@"+r.Text(n)) // like a field of the object
	} else if len(parts) == 0 {
		return r.term(Name, n, r.Text(n))
	}
	kind, last := n.Type(), parts[len(parts)-1]
	if strings.Contains(kind, "subscript") || strings.Contains(kind, "index") || strings.Contains(kind, "element") ||
		kind == "array_access" {
		return r.term(Operate, n, "[", r.values(parts)...)
	}
	text := r.Text(last)
	return r.term(Member, n, strings.TrimLeft(text, ".?:>-"), r.Value(parts[0]))
}

// call reads a call. The receiver is its first part; a closure that is called at once has no name.
func (r *Reader) call(n *syntax.Node) *Term {
	callee, arguments := r.Callee(n)
	if last := n.LastNamedChild(); callee == "" || last == nil || last.Type() == "do_block" {
		return r.term(Unknown, n, "")
	}
	if f := n.Field("function"); f != nil {
		for r.Role(f) == lang.Wraps && f.NamedChildCount() == 1 {
			f = f.NamedChild(0)
		}
		if r.Role(f) == lang.Closes {
			return r.term(Call, n, "", append([]*Term{r.closure(f)}, r.values(arguments)...)...)
		}
	}
	receiver := &Term{Op: Block}
	object := fieldOf(n, "object", "receiver")
	if c := n.NamedChild(0); object == nil && c != nil && r.Role(c) == lang.Selects {
		object = c.NamedChild(0)
	}
	if object != nil {
		receiver = r.Value(object)
	} else if root, _, ok := strings.Cut(callee, "."); ok && isName(root) {
		receiver = r.term(Name, n, root)
	}
	if len(arguments) > 0 && arguments[0].Parent().Type() == "token_tree" {
		return r.term(Call, n, callee, append([]*Term{receiver}, r.tokens(arguments)...)...)
	}
	return r.term(Call, n, callee, append([]*Term{receiver}, r.values(arguments)...)...)
}

func isName(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool { return c < 0x80 && !lang.IsWordByte(byte(c)) }) < 0
}

// markup reads a JSX element: its values and components, which may do anything.
func (r *Reader) markup(n *syntax.Node) *Term {
	t := r.term(List, n, n.Type())
	for _, c := range n.NamedChildren() {
		switch kind := c.Type(); {
		case kind == "jsx_text", strings.HasSuffix(kind, "comment"):
		case strings.HasPrefix(kind, "jsx_"):
			t.Parts = append(t.Parts, r.markup(c))
		case kind == "property_identifier", strings.Contains(kind, "identifier") && !IsTypeName(r.Text(c)) &&
			!strings.HasPrefix(n.Type(), "jsx_expression"):
		case strings.Contains(kind, "identifier") && !strings.HasPrefix(n.Type(), "jsx_expression"):
			t.Parts = append(t.Parts, r.term(Closure, c, "")) // a component
		default:
			t.Parts = append(t.Parts, r.Value(c))
		}
	}
	return t
}

func (r *Reader) makeObject(n *syntax.Node) *Term {
	t := r.term(Make, n, r.Text(n)[:strings.IndexAny(r.Text(n)+"(", "({")])
	for _, c := range n.NamedChildren() {
		switch role := r.Role(c); {
		case role == lang.Refers || role == lang.Idles || role == lang.Disables,
			role == lang.Selects && !strings.Contains(r.Text(c), "("):
		default:
			t.Parts = append(t.Parts, r.Value(c))
		}
	}
	return t
}
