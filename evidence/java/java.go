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
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/smacker/go-tree-sitter/java"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed query.scm
var query string

// Language returns the description of Java.
func Language() language.Language {
	return language.Language{
		Name:       "java",
		Extensions: []string{".java"},
		Grammar:    grammar.GetLanguage,
		Query:      query,
		Strings:    []string{"string_literal"},

		Readable:       readable,
		Locate:         locate,
		Owner:          language.TypeName,
		Throws:         []string{"throw", "fail(", "Assert.fail(", "Assertions.fail("},
		NotImplemented: language.ThrowsUnwrittenClass,
		Unwritten:      unwritten,
		Placeholder:    isPlaceholder,
		Nothing:        nothing.MatchString,
		Probes:         language.JVMProbes(),
		Probe:          language.JVMEffect,
		Directive:      language.IsJVMDirective,
		Exempt:         exempt,
		Skips:          skip.MatchString,

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
		Complete: []language.Word{
			{Word: "abstract", Why: "an empty abstract class; «not implemented» in a method of one that others can override, or with a message that leaves it to subclasses"},
			{Word: "anonymous", Why: "an empty method of an anonymous class or an enum constant, which has to have it"},
			{Word: "context_test", Why: "contextLoads() of Spring: the test is that the context of its annotations loads"},
			{Word: "decorated", Why: "an empty class with an annotation, which fills it"},
			{Word: "default_constructor", Why: "a constructor without parameters: libraries make objects by it"},
			{Word: "deliberate", Why: "an override whose comment says that there is nothing to do, or a method that is documented to do nothing"},
			{Word: "listener", Why: "a method for an event of AWT or Swing in a subclass: who listens to one event of a kind must have the methods of all"},
			{Word: "overridable", Why: "a method of an abstract class that others can override, a default method of an interface, or a protected method that overrides nothing: it does nothing unless they do"},
			{Word: "pointcut", Why: "@Pointcut of AspectJ, whose method only bears the name"},
			{Word: "private_constructor", Why: "a private or protected constructor: it only forbids new"},
			{Word: "record", Why: "a record, whose components are its content"},
			{Word: "subclass", Why: "an empty class that extends, implements or permits another"},
			{Word: "teardown", Why: "close(), dispose(), flush() and their like in a subclass: a class has them for its callers"},
			{Word: "visitor", Why: "visitX() in a subclass: a visitor that passes over nodes of a kind says so"},
		},
	}
}

const constant = `(?:null|true|false|-?[01]?[lLfFdD]?|-?[01]\.0?[fFdD]?|""|'\\0'|'\\u0000'|` + empty + `)`

// empty is a value that holds nothing.
const empty = `(?:(?:[\w.]+\.)?(?:Collections\.(?:<[^()]*>\s*)?empty\w+|(?:List|Set|Map|Stream|IntStream|EnumSet)\.(?:<[^()]*>\s*)?(?:of|empty)|Optional\w*\.(?:<[^()]*>\s*)?empty|Mono\.(?:<[^()]*>\s*)?empty|Flux\.(?:<[^()]*>\s*)?empty)\(\s*\)|new\s+(?:[\w.]*(?:List|Map|Set|Deque|Queue)|ArrayList|HashMap)(?:<[^()]*>)?\(\s*\)|new\s+[\w.]+(?:<[^()]*>)?\[0?\]\s*(?:\{\s*\})?|CompletableFuture\.completedFuture\(\s*null\s*\))`

var (
	nothing     = language.Lazy(`^return[\s(]*(?:null|` + empty + `)?[\s)]*;?$`)
	placeholder = language.Lazy(`^return[\s(]*` + constant + `?[\s)]*;?$`)
	failed      = language.Lazy(`^return\s+[\w.]+\.(?:<[^()]*>\s*)?(?:failedFuture|failedStage|error|immediateFailedFuture)\(\s*(?:\(\)\s*->\s*)?new\s+[\w.]+\(`)
	skip        = language.Lazy(`^@\s*([\w.]+\.)?(Disabled\w*|Ignore\w*|Test\s*\(.*\benabled\s*=\s*false\b.*\))`)

	abstractClass = language.Lazy(`\babstract\s+(\w+\s+)*class\b`)
	recordHeader  = language.Lazy(`\brecord\s+[\pL_$][\pL\pN_$]*\s*\(`)
	enum          = language.Lazy(`\benum\s`)
	heritage      = language.Lazy(`\b(extends|implements|permits)\b`)
	closed        = language.Lazy(`\b(private|static|final)\s`)
	protected     = language.Lazy(`\bprotected\s`)
	hidden        = language.Lazy(`\b(private|protected)\s`)
	hasDefault    = language.Lazy(`\bdefault\s`)
	noParameters  = language.Lazy(`\(\s*\)\s*(throws\b.*)?$`)
	override      = language.Lazy(`^@\s*(java\.lang\.)?Override\b`)
	pointcut      = language.Lazy(`^@\s*([\w.]+\.)?Pointcut\b`)
)

// locate takes the fields of a definition; a method of an anonymous class, or of
// an enum's constant, belongs to what is given a body there.
func locate(capture string, n *sitter.Node, src []byte) (language.Parts, bool) {
	parts := language.Parts{Name: language.At(n.ChildByFieldName("name"))}
	if capture == "function" || capture == "class" {
		parts.Body = language.At(n.ChildByFieldName("body"))
	}
	if n.Type() == "method_declaration" && parts.Body != (language.Span{}) {
		parts.Receiver = givenBody(n)
	}
	return parts, parts.Name != (language.Span{})
}

// givenBody returns the type of the anonymous class that a method stands in.
func givenBody(method *sitter.Node) language.Span {
	body := method.Parent()
	if body == nil || body.Type() != "class_body" {
		return language.Span{}
	}
	if made := body.Parent(); made != nil && made.Type() == "object_creation_expression" {
		return language.At(made.ChildByFieldName("type"))
	}
	return language.Span{}
}

func unwritten(statement string) bool {
	if m := failed.FindString(statement); m != "" {
		return language.SaysUnwritten(statement[len(m):])
	}
	return language.JVMUnwritten(statement) || language.JVMFails(statement)
}

func isPlaceholder(statement string) bool {
	return placeholder.MatchString(statement) || language.ThrowsBare(statement, "UnsupportedOperationException", "RuntimeException", "IllegalStateException")
}

func exempt(d language.Definition) string {
	switch {
	case d.Class:
		return exemptClass(d)
	case d.Marked && !d.NotImplemented:
		return ""
	case isConstructor(d):
		return exemptConstructor(d)
	case d.NotImplemented:
		return exemptUnwritten(d)
	}
	return idle(d)
}

func exemptClass(d language.Definition) string {
	header := language.WithoutArguments(d.Header)
	switch {
	case recordHeader.MatchString(header):
		return "record"
	case abstractClass.MatchString(header):
		return "abstract"
	case heritage.MatchString(header):
		return "subclass"
	case len(d.Decorators) > 0:
		return "decorated"
	}
	return ""
}

func isConstructor(d language.Definition) bool {
	return d.Owner == "" && d.Parent != nil && d.Parent.Class && d.Parent.Name == d.Name && !strings.Contains(language.BeforeName(d), "void ")
}

func exemptConstructor(d language.Definition) string {
	switch {
	case !d.Empty:
		return ""
	case hidden.MatchString(language.BeforeName(d)):
		return "private_constructor"
	case noParameters.MatchString(strings.TrimSpace(d.Header)):
		return "default_constructor"
	}
	return ""
}

// exemptUnwritten: «not implemented» is for others to write.
func exemptUnwritten(d language.Definition) string {
	switch {
	case language.LeftToSubclasses(d), inAbstractClass(d) && !d.Marked:
		return "abstract"
	case inInterface(d) && !d.Marked:
		return "overridable"
	}
	return ""
}

// idle: what does nothing, and says neither that it is not written nor that it is to be.
func idle(d language.Definition) string {
	overrides := decorated(d, override)
	switch {
	case d.Owner != "", inConstant(d):
		return "anonymous"
	case inAbstractClass(d), inInterface(d), isHook(d):
		return "overridable"
	case language.IsTeardown(d.Name) && (overrides || inSubclass(d) || d.Name == "finalize"):
		return "teardown"
	case inSubclass(d) && language.JVMListens(d.Header):
		return "listener"
	case inSubclass(d) && language.JVMVisits(d.Name):
		return "visitor"
	case overrides && language.IsDeliberate(d.Body), language.DocumentsNothing(d):
		return "deliberate"
	case decorated(d, pointcut):
		return "pointcut"
	case d.Name == "contextLoads" && d.Parent != nil && len(d.Parent.Decorators) > 0:
		return "context_test"
	}
	return ""
}

// inAbstractClass reports whether a method stands in an abstract class and can be overridden.
func inAbstractClass(d language.Definition) bool {
	return d.Owner == "" && d.Parent != nil && d.Parent.Class && abstractClass.MatchString(d.Parent.Header) && !closed.MatchString(language.BeforeName(d))
}

// isHook reports whether a method is protected and overrides nothing: it is there for subclasses.
func isHook(d language.Definition) bool {
	before := language.BeforeName(d)
	return protected.MatchString(before) && !closed.MatchString(before) && !decorated(d, override)
}

func inSubclass(d language.Definition) bool {
	return d.Parent != nil && d.Parent.Class && heritage.MatchString(language.WithoutArguments(d.Parent.Header))
}

// inInterface reports whether a method is a default method of an interface.
func inInterface(d language.Definition) bool {
	return d.Parent != nil && !d.Parent.Class && hasDefault.MatchString(language.BeforeName(d))
}

// inConstant reports whether a method stands in the body of an enum's constant.
func inConstant(d language.Definition) bool {
	return d.Parent != nil && d.Parent.Parent != nil && !d.Parent.Class && enum.MatchString(language.BeforeName(*d.Parent.Parent))
}

func decorated(d language.Definition, by language.Pattern) bool {
	return slices.ContainsFunc(d.Decorators, by.MatchString)
}
