// Package c reads the declarators of C and C++, and the macros that their grammars do not know.
package c

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Rules are the decisions about C and C++ that need code.
type Rules struct{ lang.DefaultRules }

var testName = lang.Lazy(`(?s)^\s*(?:([\pL_][\pL\pN_]*)\s*,\s*)?([\pL_][\pL\pN_]*)\s*(?:,\s*\..*)?$`)

// Locate finds the name in a declarator of a function or type, or of a test that a macro opens.
func (Rules) Locate(n *syntax.Node, src []byte, parts lang.Parts) (lang.Parts, bool) {
	declarator := n.Field("declarator")
	if declarator == nil {
		return parts, parts.Name != lang.Span{}
	}
	name, around := innerDeclarator(declarator)
	if n.Type() == "function_definition" {
		if isMacro(n) {
			return parts, false
		}
		if named, ok := testParts(n, src); ok {
			named.Body = parts.Body
			return named, true
		}
		switch {
		case declarator.Type() == "parenthesized_declarator": // main() without a type
			name = n.Field("type")
		case declarator.Type() == "operator_cast", declarator.Type() == "qualified_identifier":
			name = declarator
		case around == nil || isMisread(around, src):
			return parts, false
		}
	}
	if name == nil {
		return parts, false
	}
	begin := name.Start()
	parts.Receiver = lang.Span{}
	for (name.Type() == "qualified_identifier" || name.Type() == "template_function") && name.Field("name") != nil {
		name = name.Field("name")
	}
	if parts.Name = lang.At(name); name.Type() == "operator_cast" {
		parts.Name.End = name.Field("declarator").Start()
	}
	if at := name.Start(); at > begin {
		parts.Receiver = lang.Span{Start: begin, End: at}
	}
	return parts, strings.HasSuffix(name.Type(), "identifier") || slices.Contains([]string{"destructor_name",
		"operator_name", "operator_cast", "primitive_type"}, name.Type())
}

// isMacro reports whether an untyped function inside a function is really a macro with a block: CATCH (…) {}.
func isMacro(n *syntax.Node) bool {
	parent := n.Parent()
	return n.Field("type") == nil && parent != nil && parent.Type() == "compound_statement"
}

// isMisread reports whether the grammar took the type of another declaration for a function's annotation.
func isMisread(declarator *syntax.Node, src []byte) bool {
	return slices.ContainsFunc(declarator.NamedChildren()[1:], func(n *syntax.Node) bool {
		return n.Type() == "identifier" && isListed("declares", n.Content(src))
	})
}

// innerDeclarator returns what a declarator declares, without its pointers, functions and arrays, and the innermost of
// those.
func innerDeclarator(n *syntax.Node) (inner, around *syntax.Node) {
	for n != nil {
		inner := n.Field("declarator")
		if inner == nil && (strings.HasPrefix(n.Type(), "parenthesized_") || strings.HasPrefix(n.Type(), "reference_") ||
			strings.HasPrefix(n.Type(), "attributed_")) {
			inner = n.NamedChild(0)
		}
		if inner == nil {
			break
		}
		n, around = inner, n
	}
	return n, around
}

// testParts finds the name of a test that a macro opens: its last name with the suite before it, or its title.
func testParts(n *syntax.Node, src []byte) (parts lang.Parts, ok bool) {
	s := scanner{src: src}
	name := lang.SkipWord(src[:n.End()], n.Start())
	end, _ := s.arguments(name)
	open := s.skip(name)
	if end <= open || !isListed("tests", string(src[n.Start():name])) {
		return parts, false
	}
	text := string(src[open+1 : end-1])
	if begin := strings.IndexByte(text, '"'); begin >= 0 {
		content, _, _ := lang.Literal(text[begin:])
		at := open + 1 + begin + 1
		return lang.Parts{Name: lang.Span{Start: at, End: at + len(content)}, IsTitle: true}, content != ""
	}
	m := testName.In(text).FindStringSubmatchIndex(text)
	if m == nil {
		return parts, false
	}
	if m[2] >= 0 {
		parts.Receiver = lang.Span{Start: open + 1 + m[2], End: open + 1 + m[3]}
	}
	parts.Name = lang.Span{Start: open + 1 + m[4], End: open + 1 + m[5]}
	return parts, true
}
