// Package kotlin describes Kotlin to package evidence.
//
// A stub is a function, constructor, getter or setter whose body is empty or only
// says that it is not implemented, as a block or as an expression (= TODO()); what
// stubs.txt lists. A getter and the property above it are one definition. A
// lambda is an expression, and no definition, save that of a test with a title.
//
// What is complete though empty is listed in complete.txt. Functions without
// a body (abstract, external, expect, of an interface), classes and objects
// without a body are no stubs.
package kotlin

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Kotlin.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "kotlin",
		Folders: []string{"kotlin", "jvm"},
		Grammar: guarded(),
		Probes:  append(lang.JVMProbes(), "true should", "false should", "1 should"),
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	shouldBe = lang.Lazy(`^(\S+)\s+should(?:Be|BeEqual|EqualTo)?\s+(\S+)$`)
	titled   = lang.Lazy(`^(?:[xf]?(?:test|it|describe|context|feature|scenario|given|when|then|and|expect` +
		`|should|Given|When|Then|And|Scenario|Feature)|` + "`when`" + `|group)\s*\(\s*"`)

	lowConstructor = lang.Lazy(`\bclass\s+[\pL_][\pL\pN_]*[ \t]*(?:<[^<>{}]*>)?\s*\n\s*` +
		`(?:(?:@[\w.:]+(?:\([^()]*\))?|private|protected|internal|public)\s+)*constructor\b|` +
		`\bclass\s+[\pL_][\pL\pN_]*[ \t]*(?:<[^<>{}]*>)?[ \t]+@[\w.:]+(?:\([^()]*\))?\s*\n\s*constructor\b`)
)

// Readable blanks the ends of lines before a primary constructor that stands below its class.
func (rules) Readable(src []byte) []byte {
	if !bytes.Contains(src, []byte("constructor")) {
		return src
	}
	src = bytes.Clone(src)
	for _, found := range lowConstructor.FindAllIndex(src) {
		for i, b := range src[found[0]:found[1]] {
			if b == '\n' || b == '\r' {
				src[found[0]+i] = ' '
			}
		}
	}
	return src
}

// Capture tells interfaces from classes, throws from returns, and calls that say
// «not implemented», assert or are tests with a title from all others.
func (rules) Capture(n *syntax.Node, src []byte) string {
	text := src[n.Start():n.End()]
	switch n.Type() {
	case "class_declaration":
		if n.ChildOf("interface") != nil {
			return "scope"
		}
		return "class"
	case "jump_expression":
		switch {
		case bytes.HasPrefix(text, []byte("throw")):
			return "throw"
		case bytes.HasPrefix(text, []byte("return")) && !bytes.HasPrefix(text, []byte("return@")):
			return "return"
		}
		return ""
	}
	if text[len(text)-1] == '}' && isTitled(text) {
		return "function"
	}
	if isReturned(src[:n.Start()]) && !bytes.HasPrefix(text, []byte("TODO(")) {
		return "return"
	}
	return "throw"
}

// isReturned reports whether the word return stands before a call: the grammar
// reads «return call<T>()» as two statements.
func isReturned(before []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(before, " \t"), []byte("return"))
}

// isTitled reports whether a call is a test with a title: test("adds") { … } or "adds" { … }.
func isTitled(call []byte) bool {
	return call[0] == '"' || titled.MatchString(string(call[:min(len(call), 40)]))
}

func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	var parts lang.Parts
	switch n.Type() {
	case "call_expression":
		return test(n)
	case "secondary_constructor":
		parts.Name = lang.At(n.ChildOf("constructor"))
		if opens, closes := n.ChildOf("{"), n.ChildOf("}"); opens != nil && closes != nil {
			parts.Body = lang.Span{Start: opens.Start(), End: closes.End()}
		}
	case "getter", "setter":
		accessor(n, src, &parts)
		return parts, parts.Body != (lang.Span{})
	case "function_declaration":
		parts.Name = lang.At(n.ChildOf("simple_identifier"))
		parts.Receiver = receiver(n)
		parts.Body, parts.Expression = bodyOf(n)
	default:
		parts.Name = lang.At(n.ChildOf("type_identifier", "simple_identifier"))
		parts.Body = lang.At(n.ChildOf("class_body", "enum_class_body"))
	}
	return parts, parts.Name != (lang.Span{})
}

// bodyOf returns the block or the expression that a function's body is.
func bodyOf(n *syntax.Node) (body lang.Span, expression bool) {
	around := n.ChildOf("function_body")
	if around == nil {
		return lang.Span{}, false
	}
	if around.ChildOf("=") == nil {
		return lang.At(around), false
	}
	for i := int(around.NamedChildCount()) - 1; i >= 0; i-- {
		if c := around.NamedChild(i); !strings.HasSuffix(c.Type(), "_comment") {
			return lang.At(c), true
		}
	}
	// A constant such as null is a token without a name.
	return lang.At(around.LastChild()), true
}

// accessor: a getter is one definition with its property, of whose name it is; a
// setter is one of its own.
func accessor(n *syntax.Node, src []byte, parts *lang.Parts) {
	parts.Body, parts.Expression = bodyOf(n)
	parts.Name = lang.At(n.ChildOf("get", "set"))
	if parts.Body == (lang.Span{}) {
		return
	}
	property := n.PrevNamedSibling()
	if parent := n.Parent(); parent != nil && parent.Type() == "property_declaration" {
		property = parent
	}
	for property != nil && property.Type() != "property_declaration" &&
		(property.Type() == "getter" || property.Type() == "setter" || strings.HasSuffix(property.Type(), "_comment")) {
		property = property.PrevNamedSibling()
	}
	if property == nil || property.Type() != "property_declaration" {
		return
	}
	declared := property.ChildOf("variable_declaration")
	if declared == nil {
		return
	}
	if n.Type() == "setter" || !isAlone(src[property.End():max(n.Start(), property.End())]) {
		parts.Receiver = lang.At(declared.ChildOf("simple_identifier"))
		return
	}
	parts.Name = lang.At(declared.ChildOf("simple_identifier"))
	parts.Whole = lang.Span{Start: property.Start(), End: n.End()}
}

// isAlone reports whether no setter stands between a property and its getter.
func isAlone(between []byte) bool { return !bytes.Contains(between, []byte("set")) }

// receiver returns the type that a function extends, or that the object expression around it is of.
func receiver(n *syntax.Node) lang.Span {
	var before *syntax.Node
	for c := range n.Children() {
		if before != nil && c.Type() == "." {
			return lang.At(before)
		} else if before != nil && c.Type() == "simple_identifier" {
			break
		}
		before = c
	}
	around := n.Parent()
	if around == nil || around.Type() != "class_body" {
		return lang.Span{}
	}
	if made := around.Parent(); made != nil && made.Type() == "object_literal" {
		if base := made.ChildOf("delegation_specifier"); base != nil {
			return lang.At(base.NamedChild(0))
		}
	}
	return lang.Span{}
}

// test finds the title and the block of a test that is a call.
func test(n *syntax.Node) (lang.Parts, bool) {
	callee, suffix := n.NamedChild(0), n.NamedChild(1)
	if callee == nil || suffix == nil {
		return lang.Parts{}, false
	}
	block := suffix.ChildOf("annotated_lambda")
	title := titleOf(callee)
	if block == nil || title == nil {
		return lang.Parts{}, false
	}
	return lang.Parts{Name: lang.At(title), Body: lang.At(block), Title: true}, true
}

// titleOf returns the content of the string that is called, or is the first
// argument of the call that is, with or without a .config(…) behind it.
func titleOf(callee *syntax.Node) *syntax.Node {
	for callee != nil {
		switch callee.Type() {
		case "string_literal":
			return callee.ChildOf("string_content")
		case "navigation_expression":
			callee = callee.NamedChild(0)
		case "call_expression":
			called, suffix := callee.NamedChild(0), callee.NamedChild(1)
			if called == nil || suffix == nil || called.Type() != "simple_identifier" {
				callee = called
				break
			}
			callee = firstArgument(suffix)
		default:
			return nil
		}
	}
	return nil
}

func firstArgument(suffix *syntax.Node) *syntax.Node {
	if arguments := suffix.ChildOf("value_arguments"); arguments != nil {
		if first := arguments.ChildOf("value_argument"); first != nil {
			return first.NamedChild(0)
		}
	}
	return nil
}

func (rules) Probe(statement string) lang.Effect {
	if m := shouldBe.FindStringSubmatch(statement); m != nil {
		if m[1] == m[2] && lang.IsConstant(m[1]) {
			return lang.Vacuous
		}
		return lang.Effective
	}
	return lang.JVMEffect(statement)
}
