// Package rust describes Rust to package evidence.
//
// A stub is a function whose body is empty, or only todo!(), unimplemented!(), a
// panic or an Err that says «not implemented»; or a placeholder beside a marker,
// given back with return or as the last expression. let _ = x beside these is nothing.
// A function that only gives back None, (), Ok(()) or an empty collection is
// unclear. A closure is an expression, and no definition.
//
// An impl block, a trait and an inline module are classes: each holds what it
// holds, and one that holds only stubs is one. Structs, unit structs among them,
// enums, constants and macros have no bodies of statements.
//
// Doc comments are comments, but what may be a line of a documentation test is
// an instruction to a tool: rustdoc runs it.
package rust

import (
	"strings"

	grammar "github.com/smacker/go-tree-sitter/rust"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Rust.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "rust",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"let _", "loop", "assert!", "assert_eq!", "debug_assert!", "debug_assert_eq!"},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

// Locate finds the parts of a definition. An impl block is named as its type is, without what is generic.
func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	body := n.Field("body")
	switch n.Type() {
	case "impl_item":
		return lang.Parts{Name: lang.At(nameOfType(n.Field("type"))), Body: lang.At(body)}, true
	case "function_item":
		return lang.Parts{Name: lang.At(n.Field("name")), Body: lang.At(body)}, true
	}
	name := lang.At(n.Field("name"))
	return lang.Parts{Name: name, Body: lang.At(body)}, string(src[name.Start:name.End]) != "_"
}

// nameOfType returns the node that names a type best: B of &mut a::B<T>; the type itself when nothing does.
func nameOfType(n *syntax.Node) *syntax.Node {
	for inner := n; inner != nil; {
		switch inner.Type() {
		case "type_identifier", "primitive_type":
			return inner
		case "scoped_type_identifier":
			inner = inner.Field("name")
		case "generic_type", "reference_type", "pointer_type":
			inner = inner.Field("type")
		case "array_type":
			inner = inner.Field("element")
		case "dynamic_type":
			inner = inner.Field("trait")
		default:
			return n
		}
	}
	return n
}

// Probe knows the assertions of the standard library; nothing skips a test while it runs.
func (rules) Probe(statement string) lang.Effect {
	// What follows the values is a message and what it is formatted with.
	name, arguments, _, _ := lang.Call(strings.Replace(statement, "!", "", 1))
	check := lang.IsTrue
	if strings.HasSuffix(name, "_eq") {
		check = lang.AreSame
	}
	if check.CannotFail(arguments) {
		return lang.Vacuous
	}
	return lang.Effective
}
