// Package c describes C to package evidence; package cpp builds on it.
//
// A stub is a function whose body is empty, or only throws its parameters away,
// or says «not implemented»: by an assertion that always fails, a macro of that name, or by
// printing it, ends the program or not beside that. A placeholder, abort() and
// return -1 among them, is a stub beside a marker. An endless loop that does nothing is
// what a handler of faults does, and no main: main of a program that does nothing but
// that is a stub, on an embedded target too.
//
// A header is read as C++, which reads C. Macros that are no C for a parser are
// passed over; see Readable. A definition that cannot be read is unclear, as are
// those that a condition cuts in two (#ifdef around one of two opening brackets).
package c

import (
	"strings"

	grammar "github.com/smacker/go-tree-sitter/c"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of C, on which that of C++ rests.
func Language() lang.Language {
	return lang.Language{
		Rules:   Rules{},
		Name:    "c",
		Grammar: grammar.GetLanguage(),
		Query:   "(struct_specifier) @type\n", // in C++ it is a class
		Probes:  probes,
	}
}

// Rules are what code decides of C, and of C++ where that says nothing else.
type Rules struct{ lang.DefaultRules }

// Locate finds the parts of a definition of C.
func (Rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	name, body := n.Field("name"), n.Field("body")
	switch n.Type() {
	case "function_definition":
		return locateFunction(n, src)
	case "struct_specifier", "union_specifier", "enum_specifier":
		return lang.Parts{Name: lang.At(name)}, name != nil && body != nil
	case "type_definition":
		name, _ = declared(n.Field("declarator"))
	}
	return lang.Parts{Name: lang.At(name)}, name != nil
}

func locateFunction(n *syntax.Node, src []byte) (lang.Parts, bool) {
	body := n.Field("body")
	if body == nil || body.Type() != "compound_statement" || IsMacro(n) {
		return lang.Parts{}, false
	}
	parts, ok := OfTest(n, src)
	if !ok {
		parts.Name = lang.At(Declared(n, src))
		ok = parts.Name != lang.Span{}
	}
	parts.Body = lang.At(body)
	return parts, ok
}

// IsMacro reports whether what reads like a function without a type in a function is a macro with a block: CATCH (…)
// {}.
func IsMacro(n *syntax.Node) bool {
	if n.Field("type") != nil {
		return false // first: a node's parent is looked for from the root, which deep sources make dear
	}
	parent := n.Parent()
	return parent != nil && parent.Type() == "compound_statement"
}

// Declared returns the node of a function definition's name, nil when it declares no function.
func Declared(n *syntax.Node, src []byte) *syntax.Node {
	declarator := n.Field("declarator")
	if declarator == nil {
		return nil
	}
	if declarator.Type() == "parenthesized_declarator" { // main() without a type
		return n.Field("type")
	}
	inner, around := declared(declarator)
	if around == nil || isMisread(around, src) {
		return nil
	}
	return inner
}

// isMisread reports whether the grammar took the type of another declaration for an annotation of a function.
func isMisread(declarator *syntax.Node, src []byte) bool {
	for i := 1; i < int(declarator.NamedChildCount()); i++ {
		if n := declarator.NamedChild(i); n.Type() == "identifier" && isListed("declares", n.Content(src)) {
			return true
		}
	}
	return false
}

// declared returns what a declarator declares, without what is a pointer, a
// function or an array of it, and the innermost of these; nil where there is none.
func declared(n *syntax.Node) (inner, around *syntax.Node) {
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

// OfTest finds the name of a test that a macro opens: its last name, of the suite that stands before
// it, or its title. ok is false for any other definition.
func OfTest(n *syntax.Node, src []byte) (lang.Parts, bool) {
	s := scanner{src: src, at: lang.SkipWord(src[:n.End()], n.Start())}
	if !isListed("tests", string(src[n.Start():s.at])) {
		return lang.Parts{}, false
	}
	open := s.skip(s.at)
	if open >= len(src) || src[open] != '(' {
		return lang.Parts{}, false
	}
	closing := s.closing(open)
	if closing == 0 {
		return lang.Parts{}, false
	}
	return nameOfTest(src, lang.Span{Start: open + 1, End: closing - 1})
}

// nameOfTest finds the name in the arguments of a test's macro.
func nameOfTest(src []byte, arguments lang.Span) (lang.Parts, bool) {
	text := string(src[arguments.Start:arguments.End])
	if begin := strings.IndexByte(text, '"'); begin >= 0 {
		content, _, ok := lang.Literal(text[begin:])
		at := arguments.Start + begin + 1
		return lang.Parts{Name: lang.Span{Start: at, End: at + len(content)}, Title: true}, ok && content != ""
	}
	m := testName.FindStringSubmatchIndex(text)
	if m == nil {
		return lang.Parts{}, false
	}
	at := func(i int) lang.Span {
		if m[i] < 0 {
			return lang.Span{}
		}
		return lang.Span{Start: arguments.Start + m[i], End: arguments.Start + m[i+1]}
	}
	if m[4] < 0 {
		return lang.Parts{Name: at(2)}, true
	}
	return lang.Parts{Name: at(4), Receiver: at(2)}, true
}

// Owner returns the type in what qualifies a name, a::B<T>::, or the suite of a test.
func (Rules) Owner(receiver string) string {
	receiver = strings.TrimSuffix(strings.TrimSpace(lang.WithoutArguments(receiver)), "::")
	return strings.TrimSpace(receiver[strings.LastIndexByte(receiver, ':')+1:])
}
