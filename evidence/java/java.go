// Package java describes Java to package evidence.
//
// A stub is a method or constructor whose body is empty or only says that it is
// not implemented; what Language.Stubs lists. An UnsupportedOperationException
// that says nothing is how a class declines an optional operation: it is a stub
// beside a marker only. A lambda is an expression, and no definition; a method of
// an anonymous class is one, named after the class that is extended there.
//
// What is complete though empty is listed in Language.Complete. Methods without a
// body (abstract, native, of an interface) are no stubs; fields, interfaces and
// annotation types have none.
package java

import (
	_ "embed"
	grammar "github.com/smacker/go-tree-sitter/java"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

//go:embed query.scm
var query string

// Language returns the description of Java.
func Language() language.Language {
	return language.Language{
		Rules:      rules{},
		Name:       "java",
		Extensions: []string{".java"},
		Grammar:    grammar.GetLanguage(),
		Query:      query,
		Strings:    []string{"string_literal"},

		Probes:    language.JVMProbes(),
		Directive: language.JVMDirective(),
		Skips:     skip,

		Judged:      true,
		Unqualified: true,
		Stubs: []string{
			"an empty body, or one that holds only comments",
			`throw new NotImplementedException(…), or of another class whose name says so`,
			`throw of an exception whose message says «not implemented», «TODO» or, as NetBeans writes, «Not supported yet.», and nothing else`,
			`return of a failed future or an empty Mono whose exception says so`,
			"throw new UnsupportedOperationException() without a message, beside a TODO",
			"return of a constant or an empty collection beside a TODO («Auto-generated method stub»)",
			"a test that only asserts constants, skips itself, or fails with «not yet implemented»",
			"an empty class without base, interface, annotation or component",
		},
		Complete: complete(),
	}
}

// rules are what code decides of it.
type rules struct{ language.Plain }

func (rules) Owner(receiver string) string { return language.TypeName(receiver) }

func (rules) Probe(statement string) language.Effect { return language.JVMEffect(statement) }

var (
	skip = language.Lazy(`^@\s*([\w.]+\.)?(Disabled\w*|Ignore\w*|Test\s*\(.*\benabled\s*=\s*false\b.*\))`)
)

// Locate takes the fields of a definition; a method of an anonymous class, or of
// an enum's constant, belongs to what is given a body there.
func (rules) Locate(capture string, n *syntax.Node, src []byte) (language.Parts, bool) {
	parts := language.Parts{Name: language.At(n.Field("name"))}
	if capture == "function" || capture == "class" {
		parts.Body = language.At(n.Field("body"))
	}
	if n.Type() == "method_declaration" && parts.Body != (language.Span{}) {
		parts.Receiver = givenBody(n)
	}
	return parts, parts.Name != (language.Span{})
}

// givenBody returns the type of the anonymous class that a method stands in.
func givenBody(method *syntax.Node) language.Span {
	body := method.Parent()
	if body == nil || body.Type() != "class_body" {
		return language.Span{}
	}
	if made := body.Parent(); made != nil && made.Type() == "object_creation_expression" {
		return language.At(made.Field("type"))
	}
	return language.Span{}
}

// open is what others can override; inherited is a member that a class must have, or overrides.
const open = " !owned !private !static !final"

func complete() []language.Word {
	return []language.Word{
		{
			Word: "record", Why: "a record, whose components are its content",
			When: []string{"type record"},
		}, {
			Word: "abstract", Why: "an empty abstract class; «not implemented» in a method of one that others can override, or with a message that leaves it to subclasses",
			When: []string{"type abstract", "unwritten delegated", "unwritten !marked !constructor in:type in:abstract" + open},
		}, {
			Word: "subclass", Why: "an empty class that extends, implements or permits another",
			When: []string{"type bases"},
		}, {
			Word: "decorated", Why: "an empty class with an annotation, which fills it",
			When: []string{"type decorated"},
		}, {
			Word: "private_constructor", Why: "a private or protected constructor: it only forbids new",
			When: []string{"constructor empty !marked private|protected"},
		}, {
			Word: "default_constructor", Why: "a constructor without parameters: libraries make objects by it",
			When: []string{"constructor empty !marked !parameters"},
		}, {
			Word: "anonymous", Why: "an empty method of an anonymous class or an enum constant, which has to have it",
			When: []string{"idle owned", "idle !in:type in:in:enum"},
		}, {
			Word: "overridable", Why: "a method of an abstract class that others can override, a default method of an interface, or a protected method that overrides nothing: it does nothing unless they do",
			When: []string{"unwritten !marked in:interface default", "idle in:abstract in:type" + open, "idle in:interface default", "idle protected !@Override" + open},
		}, {
			Word: "teardown", Why: "close(), dispose(), flush() and their like in a subclass: a class has them for its callers",
			When: []string{"idle teardown @Override|in:bases|name:finalize"},
		}, {
			Word: "listener", Why: "a method for an event of AWT or Swing in a subclass: who listens to one event of a kind must have the methods of all",
			When: []string{"idle in:bases " + language.ListensOnJVM},
		}, {
			Word: "visitor", Why: "visitX() in a subclass: a visitor that passes over nodes of a kind says so",
			When: []string{"idle in:bases name:visit[A-Z]*"},
		}, {
			Word: "deliberate", Why: "an override whose comment says that there is nothing to do, or a method that is documented to do nothing",
			When: []string{"idle deliberate @Override", "idle documented"},
		}, {
			Word: "pointcut", Why: "@Pointcut of AspectJ, whose method only bears the name",
			When: []string{"idle @Pointcut"},
		}, {
			Word: "context_test", Why: "contextLoads() of Spring: the test is that the context of its annotations loads",
			When: []string{"idle name:contextLoads in:decorated"},
		},
	}
}
