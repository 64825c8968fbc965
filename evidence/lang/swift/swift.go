// Package swift describes Swift to package evidence.
//
// A stub is a function, an initialiser, an accessor or an observer whose body is
// empty, or only stops the program, throws or prints a text that says «not
// implemented»; or a placeholder beside a marker, given back with return or as
// the only expression of the body. fatalError() without a text is a placeholder. _ = x beside
// these is nothing; alone it may make a lazy value. A body that only gives back nil, or an empty collection, is
// unclear. A closure is an expression, and no definition; a property counts where it has accessors.
//
// The grammar is older than some of the language: see readable.
package swift

import (
	"bytes"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/swift"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Swift.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "swift",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"XCT", "try XCT", "throw XCT", "#expect", "try #require", "#require", "assert(", "precondition("},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

// Capture: one kind of node is a return, a throw, a break and a continue.
func (rules) Capture(n *syntax.Node, src []byte) string {
	rest := src[n.Start():]
	switch {
	case bytes.HasPrefix(rest, []byte("return")):
		return "return"
	case bytes.HasPrefix(rest, []byte("throw")):
		return "throw"
	}
	return ""
}

// Locate finds the parts of a definition.
func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	switch n.Type() {
	case "function_declaration", "protocol_function_declaration":
		return inBraces(n, after(n, "func"), n.Field("body"))
	case "init_declaration":
		return inBraces(n, n.ChildOf("init"), n.Field("body"))
	case "deinit_declaration":
		return inBraces(n, n.ChildOf("deinit"), n.Field("body"))
	case "subscript_declaration":
		return inBraces(n, n.ChildOf("subscript"), n.ChildOf("computed_property"))
	case "property_declaration":
		return locateProperty(n)
	case "computed_getter", "computed_setter", "computed_modify", "didset_clause", "willset_clause":
		return locateAccessor(n)
	}
	name, body := n.Field("name"), n.Field("body")
	if name != nil && name.Type() == "user_type" { // of an extension, B of a.B<T>
		name = lastChild(name, "type_identifier")
	}
	return lang.Parts{Name: lang.At(name), Body: lang.At(body)}, name != nil
}

// locateProperty: a property is a definition where it has accessors, or is an expression for one.
func locateProperty(n *syntax.Node) (lang.Parts, bool) {
	pattern := n.Field("name")
	if pattern == nil {
		return lang.Parts{}, false
	}
	name := pattern.Field("bound_identifier")
	if computed := n.Field("computed_value"); computed != nil {
		return inBraces(n, name, computed)
	}
	return lang.Parts{Name: lang.At(name)}, name != nil && n.ChildOf("willset_didset_block") != nil
}

// locateAccessor: its name is the word that it begins with, its body what stands in its brackets.
func locateAccessor(n *syntax.Node) (lang.Parts, bool) {
	open := n.ChildOf("{")
	if open == nil { // of a protocol
		return lang.Parts{}, false
	}
	var name lang.Span
	for c := range n.Children() {
		if strings.HasSuffix(c.Type(), "_specifier") || c.Type() == "didSet" || c.Type() == "willSet" {
			name = lang.At(c)
			break
		}
	}
	body := lang.Span{Start: open.Start(), End: n.End()}
	return lang.Parts{Name: name, Body: body}, name != lang.Span{}
}

// inBraces are the parts of a definition whose body is a block with its braces.
func inBraces(n, name, body *syntax.Node) (lang.Parts, bool) {
	return lang.Parts{Name: lang.At(name), Body: lang.At(body)}, name != nil
}

// lastChild returns the last child of a kind, n itself when there is none.
func lastChild(n *syntax.Node, kind string) *syntax.Node {
	last := n
	for c := range n.Children() {
		if c.Type() == kind {
			last = c
		}
	}
	return last
}

// after returns the child that follows the first one of a kind: the name of a function or an operator.
func after(n *syntax.Node, kind string) *syntax.Node {
	if c := n.ChildOf(kind); c != nil {
		return c.NextSibling()
	}
	return nil
}

// Probe knows the assertions and skips of XCTest and Swift Testing.
func (rules) Probe(statement string) lang.Effect {
	statement = strings.TrimPrefix(strings.TrimPrefix(statement, "throw "), "try ")
	name, arguments, _, ok := lang.Call(strings.TrimPrefix(statement, "#"))
	if !ok {
		return lang.Effective
	}
	switch {
	case name == "XCTSkip", name == "XCTSkipIf" && first(arguments) == "true",
		name == "XCTSkipUnless" && first(arguments) == "false":
		return lang.Skipping
	case isVacuous(name, arguments):
		return lang.Vacuous
	}
	return lang.Effective
}

func isVacuous(name string, arguments []string) bool {
	switch name {
	case "XCTAssert", "XCTAssertTrue", "expect", "require", "assert", "precondition":
		return lang.IsTrue.CannotFail([]string{strings.TrimSuffix(strings.TrimPrefix(first(arguments), "Bool("), ")")})
	case "XCTAssertFalse":
		return lang.IsFalse.CannotFail(arguments)
	case "XCTAssertNil":
		return lang.IsNull.CannotFail(arguments)
	case "XCTAssertEqual", "XCTAssertIdentical":
		return lang.AreSame.CannotFail(arguments)
	}
	return false
}

func first(arguments []string) string {
	if len(arguments) == 0 {
		return ""
	}
	return arguments[0]
}
