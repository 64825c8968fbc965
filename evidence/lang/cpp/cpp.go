// Package cpp describes C++, and headers of C, to package evidence; it builds on
// package c, which says what a stub is in both, and how macros are passed over.
//
// Beside that, a throw of an exception whose class or text says «not implemented» is a
// stub. A member that is = default, = delete or = 0 has no body, and is a declaration; a lambda is
// an expression. A class is a stub where it holds nothing but stubs; an empty one is one only
// without a base. A namespace holds what it holds, and is a stub where that is all stubs.
// A test that a macro opens (TEST(Suite, Name) {, TEST_CASE("title") {) is a function.
package cpp

import (
	grammar "github.com/smacker/go-tree-sitter/cpp"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/lang/c"
	"github.com/acta-git/acta/evidence/syntax"
)

// rules are what code decides of it.
type rules struct{ c.Rules }

// Language returns the description of C++.
func Language() lang.Language {
	l := c.Language()
	l.Rules, l.Name, l.Folders, l.Grammar, l.Query = rules{}, "cpp", []string{"cpp", "c"}, grammar.GetLanguage(), ""
	return l
}

// Locate finds the parts of a definition of C++.
func (rules) Locate(capture string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	name, body := n.Field("name"), n.Field("body")
	switch n.Type() {
	case "function_definition":
		return locateFunction(n, body, src)
	case "class_specifier", "struct_specifier":
		return lang.Parts{Name: lang.At(lastName(name)), Body: lang.At(body)}, name != nil && body != nil
	case "namespace_definition":
		return lang.Parts{Name: lang.At(lastName(name)), Body: lang.At(body)}, name != nil
	}
	return c.Rules{}.Locate(capture, n, src)
}

func locateFunction(n, body *syntax.Node, src []byte) (lang.Parts, bool) {
	if c.IsMacro(n) {
		return lang.Parts{}, false
	}
	if body != nil && body.Type() == "try_statement" && !catches(body) {
		body = body.Field("body")
	}
	parts, ok := c.OfTest(n, src)
	if !ok {
		parts, ok = nameOf(n, src)
	}
	parts.Body = lang.At(body)
	return parts, ok
}

// catches reports whether a try has a handler that does something.
func catches(try *syntax.Node) bool {
	for _, n := range try.NamedChildren() {
		if n.Type() == "catch_clause" && n.Field("body") != nil && n.Field("body").NamedChildCount() > 0 {
			return true
		}
	}
	return false
}

// nameOf finds the name of a function, and what qualifies it: B in void a::B<T>::f() {}.
func nameOf(n *syntax.Node, src []byte) (lang.Parts, bool) {
	name := c.Declared(n, src)
	if conversion := n.Field("declarator"); name == nil || conversion != nil && conversion.Type() == "operator_cast" {
		name = conversion
	}
	if name == nil {
		return lang.Parts{}, false
	}
	begin := name.Start()
	for name.Type() == "qualified_identifier" && name.Field("name") != nil {
		name = name.Field("name")
	}
	switch name.Type() {
	case "template_function":
		name = name.Field("name")
	case "identifier", "field_identifier", "destructor_name", "operator_name", "operator_cast", "type_identifier":
	default:
		return lang.Parts{}, false
	}
	parts := lang.Parts{Name: lang.At(name)}
	if name.Type() == "operator_cast" {
		parts.Name.End = int(name.Field("declarator").Start())
	}
	if at := name.Start(); at > begin {
		parts.Receiver = lang.Span{Start: begin, End: at}
	}
	return parts, true
}

// lastName returns the node of a name without what qualifies it and without template arguments.
func lastName(n *syntax.Node) *syntax.Node {
	for n != nil {
		inner := n.Field("name")
		if n.Type() == "nested_namespace_specifier" {
			inner = n.LastNamedChild()
		}
		if inner == nil {
			return n
		}
		n = inner
	}
	return nil
}
