// Package csharp describes C# to package evidence.
//
// A stub is a method, constructor, accessor or operator whose body is empty or
// only says that it is not implemented, as a block or as an expression (=> throw
// …); what stubs.txt lists. A property with accessors that have bodies holds
// them as a class holds its methods, and is a stub where all of them are. A lambda
// is an expression, and no definition.
//
// What is complete though empty is listed in complete.txt. Members without a
// body (abstract, extern, partial, of an interface) and automatic properties are
// no stubs.
package csharp

import (
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/csharp"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of C#.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "csharp",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"Assert.", "ClassicAssert.", "Skip.", "true.Should", "false.Should", "throw", "_ = "},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	constraint = lang.Lazy(`^(?:Is\.(?:True|Not\.False)|Is\.EqualTo\(\s*(.*?)\s*\))$`)
)

// Capture tells a property whose accessors have bodies, which holds them as a
// class holds methods, from one that is an expression, and from one that only
// declares.
func (rules) Capture(n *syntax.Node, src []byte) string {
	switch accessors := n.Field("accessors"); {
	case accessors == nil:
		return "function"
	case slices.ContainsFunc(accessors.NamedChildren(), func(c *syntax.Node) bool { return c.Field("body") != nil }):
		return "class"
	}
	return "type"
}

func (rules) Locate(_ string, n *syntax.Node, _ []byte) (lang.Parts, bool) {
	parts := lang.Parts{Name: lang.At(nameOf(n))}
	body := n.Field("body")
	switch n.Type() {
	case "accessor_declaration":
		if body == nil {
			return parts, false
		}
	case "property_declaration", "indexer_declaration", "event_declaration":
		if body = n.Field("accessors"); body == nil {
			body = n.Field("value")
		}
	}
	if body != nil && body.Type() == "arrow_expression_clause" {
		body, parts.Expression = last(body.NamedChildren()), true
	}
	parts.Body = lang.At(body)
	return parts, parts.Name != (lang.Span{})
}

// nameOf returns the node that a definition is known by: the sign of an operator, the type that a conversion gives,
// «this».
func nameOf(n *syntax.Node) *syntax.Node {
	switch n.Type() {
	case "operator_declaration":
		return n.Field("operator")
	case "conversion_operator_declaration":
		return n.Field("type")
	case "indexer_declaration":
		for c := range n.Children() {
			if c.Type() == "this" {
				return c
			}
		}
	}
	return n.Field("name")
}

// last returns the last node that is no comment, nil without one.
func last(nodes []*syntax.Node) *syntax.Node {
	for _, n := range slices.Backward(nodes) {
		if n.Type() != "comment" {
			return n
		}
	}
	return nil
}

// Probe knows the assertions of xUnit, NUnit and MSTest.
func (rules) Probe(statement string) lang.Effect {
	statement = strings.TrimRight(statement, "; \t\r\n")
	name, arguments, rest, ok := lang.Call(statement)
	if ok && rest == "" && (name == "Pass" || lang.AlwaysHolds(name, arguments) ||
		name == "That" && holdsOfItself(arguments)) {
		return lang.Vacuous
	}
	return lang.Effective
}

// holdsOfItself: Assert.That(constant, Is.EqualTo(constant)).
func holdsOfItself(arguments []string) bool {
	if len(arguments) < 2 || !lang.IsConstant(arguments[0]) {
		return false
	}
	m := constraint.FindStringSubmatch(arguments[1])
	return m != nil && (m[1] == arguments[0] || m[1] == "" && arguments[0] == "true")
}
