// Package elixir describes Elixir to package evidence. What is a stub in it, and
// what is complete though empty, is said in stubs.txt and complete.txt.
//
// Each clause of a function is a definition of its own. A head without a body
// (of a function with defaults, of a protocol) and a callback are no stubs.
// Documentation is a comment by another name: @moduledoc, @doc and @typedoc.
package elixir

import (
	"bytes"

	grammar "github.com/smacker/go-tree-sitter/elixir"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Elixir.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "elixir",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"assert", "refute"},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	decorates = lang.Lazy(`^@(doc|spec|impl|tag|deprecated|since|dialyzer|decorate)\b`)
	documents = lang.Lazy(`^@(moduledoc|typedoc|shortdoc)\b`)

	asserted = lang.Lazy(`^(assert|refute)\b\s*\(?\s*` + literal + `\s*\)?$`)
	compared = lang.Lazy(`^assert\b\s*\(?\s*` + literal + `\s*={1,3}\s*` + literal + `\s*\)?$`)
)

// literal is a constant of Elixir, as a group.
const literal = `(nil|true|false|-?\d+(?:\.\d+)?|:\w+|"[^"#\\]*"|\[\s*\]|%?\{\s*\})`

// Capture: nearly all of Elixir is a call. Of these define, raise, import and assert some.
func (rules) Capture(n *syntax.Node, src []byte) string {
	at := n.Start()
	switch src[at] {
	case '@':
		return ofAttribute(string(src[at:min(n.End(), at+maxAttribute)]))
	case 'd':
		return ofDefinition(n, src)
	case 't', 'p':
		switch {
		case !lang.HasPrefix(src, at, "test ", "test(", "property "):
		case body(n, src) != lang.Span{}:
			return "function"
		}
		return "throw"
	case 'r':
		if lang.HasPrefix(src, at, "require ") {
			return "import"
		}
		if lang.HasPrefix(src, at, "refute") {
			return "probe"
		}
		return "throw"
	case 'e', 'f':
		return "throw"
	case 'i', 'a':
		if lang.HasPrefix(src, at, "import ", "alias ") {
			return "import"
		}
		return "probe"
	}
	return ""
}

// maxAttribute is how much of a module's attribute is looked at, in bytes.
const maxAttribute = 40

func ofAttribute(text string) string {
	switch {
	case documents.MatchString(text):
		return "docstring"
	case decorates.MatchString(text):
		return "decorator"
	}
	return ""
}

// ofDefinition tells what a call that begins with a d defines.
func ofDefinition(n *syntax.Node, src []byte) string {
	at := n.Start()
	word, _, _ := bytes.Cut(src[at:min(len(src), int(at)+maxAttribute)], []byte(" "))
	word, _, _ = bytes.Cut(word, []byte("("))
	switch string(word) {
	case "def", "defp", "defmacro", "defmacrop", "defn", "defnp":
		return "function"
	case "defmodule", "defimpl":
		return "class"
	case "defprotocol":
		return "scope"
	case "doc":
		if at > 0 && src[at-1] == '@' {
			return "docstring"
		}
	}
	return ""
}

// body finds the block of a call, written do … end or do: expression. A comment after the latter on its line belongs to
// it.
func body(n *syntax.Node, src []byte) lang.Span {
	last := n.LastNamedChild()
	if last == nil {
		return lang.Span{}
	}
	if last.Type() == "do_block" {
		first := last.Child(0) // do
		return lang.Span{Start: first.End(), End: last.End()}
	}
	if last.Type() != "arguments" || last.NamedChildCount() == 0 {
		return lang.Span{}
	}
	keywords := last.LastNamedChild()
	if keywords.Type() != "keywords" {
		return lang.Span{}
	}
	for _, pair := range keywords.NamedChildren() {
		key, value := pair.Field("key"), pair.Field("value")
		if key == nil || value == nil || !lang.HasPrefix(src, key.Start(), "do:") {
			continue
		}
		s := lang.At(value)
		if s.End == n.End() {
			s.End += comment(src, s.End)
		}
		return s
	}
	return lang.Span{}
}

// comment returns the length of the comment that follows a byte on its line, with the blanks before it; 0 without one.
func comment(src []byte, at int) int {
	line, _, _ := bytes.Cut(src[at:], []byte("\n"))
	if rest := bytes.TrimLeft(line, " \t"); len(rest) == 0 || rest[0] != '#' {
		return 0
	}
	return len(line)
}

func (rules) Locate(kind string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	if n.NamedChildCount() < 2 || n.NamedChild(1).Type() != "arguments" || n.NamedChild(1).NamedChildCount() == 0 {
		return lang.Parts{}, false
	}
	first := n.NamedChild(1).NamedChild(0)
	p := lang.Parts{Body: body(n, src)}
	switch {
	case kind != "function":
		p.Name = lang.At(first)
		if first.Type() != "alias" {
			return p, false
		}
	case src[n.Start()] != 'd':
		p.Name, p.Title = lang.Quoted(src, lang.At(first)), true
	default:
		p.Name = lang.At(name(first))
	}
	return p, p.Name != lang.Span{}
}

// name finds the name in the head of a function: f(x) when …, f, a + b. A name that is computed is none.
func name(head *syntax.Node) *syntax.Node {
	if op := head.Field("operator"); head.Type() == "binary_operator" && op != nil && op.Type() == "when" {
		head = head.Field("left")
	}
	switch head.Type() {
	case "identifier":
		return head
	case "call":
		if target := head.Field("target"); target != nil && target.Type() == "identifier" {
			return target
		}
	case "binary_operator", "unary_operator":
		return head.Field("operator")
	}
	return nil
}

// Probe tells assertions of constants.
func (rules) Probe(statement string) lang.Effect {
	if m := asserted.FindStringSubmatch(statement); m != nil {
		if isFalse := m[2] == "nil" || m[2] == "false"; isFalse == (m[1] == "refute") {
			return lang.Vacuous
		}
	}
	if m := compared.FindStringSubmatch(statement); m != nil && m[1] == m[2] {
		return lang.Vacuous
	}
	return lang.Effective
}
