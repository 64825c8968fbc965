// Package java describes Java to package evidence.
//
// A stub is a method or constructor whose body is empty or only says that it is
// not implemented; what stubs.txt lists. An UnsupportedOperationException
// that says nothing is how a class declines an optional operation: it is a stub
// beside a marker only. A lambda is an expression, and no definition; a method of
// an anonymous class is one, named after the class that is extended there.
//
// What is complete though empty is listed in complete.txt. Methods without a
// body (abstract, native, of an interface) are no stubs; fields, interfaces and
// annotation types have none.
package java

import (
	grammar "github.com/smacker/go-tree-sitter/java"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Java.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "java",
		Folders: []string{"java", "jvm"},
		Grammar: grammar.GetLanguage(),
		Probes:  lang.JVMProbes(),
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

func (rules) Probe(statement string) lang.Effect { return lang.JVMEffect(statement) }

// Locate takes the fields of a definition; a method of an anonymous class, or of
// an enum's constant, belongs to what is given a body there.
func (rules) Locate(capture string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	parts := lang.Parts{Name: lang.At(n.Field("name"))}
	if capture == "function" || capture == "class" {
		parts.Body = lang.At(n.Field("body"))
	}
	if n.Type() == "method_declaration" && parts.Body != (lang.Span{}) {
		parts.Receiver = givenBody(n)
	}
	return parts, parts.Name != (lang.Span{})
}

// givenBody returns the type of the anonymous class that a method stands in.
func givenBody(method *syntax.Node) lang.Span {
	body := method.Parent()
	if body == nil || body.Type() != "class_body" {
		return lang.Span{}
	}
	if made := body.Parent(); made != nil && made.Type() == "object_creation_expression" {
		return lang.At(made.Field("type"))
	}
	return lang.Span{}
}
