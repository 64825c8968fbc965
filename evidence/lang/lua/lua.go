// Package lua describes Lua to package evidence. What is a stub in it, and what
// is complete though empty, is said in stubs.txt and complete.txt.
//
// A function counts as a definition where it has a name: function f, local
// function f, function M.f and M:f, f = function, and the fields of a table. An
// empty field of a table that is passed to a call, or of one of defaults, is an option and no definition.
package lua

/*
#include <stddef.h>

// The grammar's scanner keeps its state in variables of the process, and leaves it there after a parse (scanner.c).
extern void tree_sitter_lua_external_scanner_deserialize(void *payload, const char *buffer, unsigned length);
static void acta_lua_reset(void) { tree_sitter_lua_external_scanner_deserialize(NULL, "\0\0", 2); }
*/
import "C"

import (
	"bytes"
	"strings"
	"sync"

	grammar "github.com/smacker/go-tree-sitter/lua"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var parsing sync.Mutex

// Alone lets nobody else parse Lua until it is released, and begins where every parse begins: else what another
// parse has left would decide what a bracket or a quote is.
func (rules) Alone() (release func()) {
	parsing.Lock()
	C.acta_lua_reset()
	return parsing.Unlock
}

// Language returns the description of Lua.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "lua",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"assert", "pending", "lu.", "luaunit.", "t."},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

func (rules) Readable(src []byte) []byte { return unknown.Blank(src) }

var (
	// unknown is what the grammar does not know (goto, labels, attributes, a semicolon after a return), and the third dash
	// of documentation, of which it knows too little.
	unknown = lang.Lazy(`(?m)(?:^|[^.:\w])(goto[ \t]+[A-Za-z_]\w*)|(::[ \t]*[A-Za-z_]\w*[ \t]*::)|(<[ \t]*(?:const` +
		`|close)[ \t]*>)|--(-+)|(;)\s*(?:end\b|else|until\b|\z)`)

	directive = lang.Lazy(`^(#!|--+\s*(luacheck|selene|stylua|vim?:|@(class|type|alias|enum|meta|module|diagnostic` +
		`|field|cast|overload|generic|operator|package)\b))`)
	requires = lang.Lazy(`^local\s+\w+\s*=\s*require\s*\(?\s*["'][^"']*["']\s*\)?$`)
	defaults = lang.Lazy(`(?i)default|option|config|setting|callback|hook|handler`)
)

// Capture: a declaration may define a function or load a module; a call may define a test, fail, or assert.
func (rules) Capture(n *syntax.Node, src []byte) string {
	at := n.Start()
	for at < n.End() && bytes.IndexByte([]byte(" \t\r\n"), src[at]) >= 0 {
		at++
	}
	if n.Type() == "variable_declaration" {
		if lang.HasPrefix(src, at, "local") && requires.MatchString(string(src[at:min(n.End(), at+maxRequire)])) {
			return "import"
		}
		return "function"
	}
	switch {
	case lang.HasPrefix(src, at, "it(", "test(", "spec("):
		return "function"
	case lang.HasPrefix(src, at, "error", "assert("):
		return "throw"
	}
	return "probe"
}

// maxRequire is the longest statement that loads a module, in bytes.
const maxRequire = 200

func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	switch n.Type() {
	case "function_statement":
		p, ok := named(src, lang.At(n.Field("name")))
		p.Body = body(n)
		return p, ok
	case "function_call":
		return locateTest(n, src)
	}
	value := n.Field("value")
	if value == nil || value.Type() != "function" || value.End() != n.End() {
		return lang.Parts{}, false
	}
	var p lang.Parts
	var ok bool
	if key := n.Field("key"); key != nil {
		p.Name = lang.Quoted(src, lang.At(key))
		ok = p.Name != lang.Span{}
	} else if name := n.Field("name"); name != nil && isAlone(name) {
		p, ok = named(src, lang.At(name))
		ok = ok && (n.Type() == "field" || isDeclared(n, src))
	}
	p.Body = body(value)
	return p, ok && (n.Type() != "field" || !isOption(n, src))
}

// named splits M.a:b into its last name and what it belongs to. Grammar's names may begin with blanks.
func named(src []byte, s lang.Span) (lang.Parts, bool) {
	text := strings.TrimSpace(string(src[s.Start:s.End]))
	s.Start = s.End - len(text)
	i := strings.LastIndexAny(text, ".:") + 1
	p := lang.Parts{Name: lang.Span{Start: s.Start + i, End: s.End}}
	if i > 0 {
		p.Receiver = lang.Span{Start: s.Start, End: s.Start + i - 1}
	}
	return p, text != "" && !strings.ContainsAny(text, "[]()\"'")
}

// Owner writes the table that a function belongs to as a symbol.
func (rules) Owner(receiver string) string { return strings.ReplaceAll(receiver, ":", ".") }

// body returns what stands in a function after its parameters.
func body(function *syntax.Node) lang.Span {
	s := lang.Span{Start: function.Start(), End: function.End()}
	for child := range function.Children() {
		if child.Type() == "function_body_paren" {
			s.Start = child.End()
		}
	}
	return s
}

// locateTest finds the title and the body of a test.
func locateTest(n *syntax.Node, src []byte) (lang.Parts, bool) {
	arguments := n.Field("args")
	if arguments == nil || arguments.NamedChildCount() != 2 {
		return lang.Parts{}, false
	}
	title, function := arguments.NamedChild(0), arguments.NamedChild(1)
	if title.Type() != "string" || function.Type() != "function" {
		return lang.Parts{}, false
	}
	p := lang.Parts{Name: lang.Quoted(src, lang.At(title)), Body: body(function), Title: true}
	return p, p.Name != lang.Span{}
}

// isAlone reports whether a name is the only one that is assigned to.
func isAlone(name *syntax.Node) bool {
	next := name.NextSibling()
	return next != nil && next.Type() == "="
}

// isDeclared reports whether a function is given to a local name, at the top of a file, or to a member on lines of its
// own; other assignments are a function's own code.
func isDeclared(n *syntax.Node, src []byte) bool {
	if n.Child(0).Type() == "local" || n.Parent().Type() == "program" {
		return true
	}
	value := n.Field("value")
	return n.Field("name").NamedChildCount() > 1 && strings.Contains(value.Content(src), "\n")
}

// isOption reports whether a field stands in a table that is passed to a call, or whose name says that it holds
// defaults.
func isOption(field *syntax.Node, src []byte) bool {
	for n := field.Parent(); n != nil; n = n.Parent() {
		switch n.Type() {
		case "fieldlist", "tableconstructor", "field":
			continue
		case "function_arguments", "table_argument":
			return true
		case "variable_declaration":
			name := lang.At(n.Field("name"))
			return defaults.MatchString(string(src[name.Start:name.End]))
		}
		return false
	}
	return false
}

// Probe tells assertions of constants, and what skips a test.
func (rules) Probe(statement string) lang.Effect {
	name, arguments, rest, ok := lang.Call(statement)
	switch {
	case !ok || rest != "":
	case name == "pending" && len(arguments) < 2, name == "skip":
		return lang.Skipping
	case lang.AlwaysHolds(name, arguments):
		return lang.Vacuous
	}
	return lang.Effective
}
