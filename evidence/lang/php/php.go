// Package php describes PHP to package evidence. What is a stub in it, and what
// is complete though empty, is said in stubs.txt and complete.txt.
//
// Abstract methods and the members of interfaces have no body and are no stubs.
// A class that uses a trait, or declares a property or a constant, has content.
package php

import (
	"bytes"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/php"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of PHP.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "php",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"$this->", "self::", "static::", "Assert::", "PHPUnit", "\\PHPUnit", "expect(", "assert("},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	qualified = lang.Lazy(`^[\w\\]*\\`)
)

// Capture: calls that give a test its title, that end the program, and statements that do nothing or only assert.
func (rules) Capture(n *syntax.Node, src []byte) string {
	at := n.Start()
	switch src[at] {
	case '$', 's', '\\', 'P', 'A', 'a':
		if lang.HasPrefix(src, at, "$this->markTestInc", "self::markTestInc", "static::markTestInc") {
			return ofStatement(n, "throw")
		}
		if lang.HasPrefix(src, at, "$this->", "self::", "static::", "Assert::", "PHPUnit", "\\PHPUnit", "assert(") {
			return ofStatement(n, "probe")
		}
	case 'i', 't', 'd', 'e':
		switch {
		case lang.HasPrefix(src, at, "it(", "test(", "it (", "test ("):
			return ofCall(n, "function")
		case lang.HasPrefix(src, at, "die", "trigger_error"):
			return ofCall(n, "throw")
		case lang.HasPrefix(src, at, "expect("):
			return ofStatement(n, "probe")
		}
	}
	return "expression"
}

func ofStatement(n *syntax.Node, capture string) string {
	if n.Type() != "expression_statement" {
		return ""
	}
	return capture
}

func ofCall(n *syntax.Node, capture string) string {
	if n.Type() != "function_call_expression" {
		return ""
	}
	return capture
}

// Locate finds the title and the body of a test of Pest; all else has fields.
func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	if n.Type() != "function_call_expression" {
		return lang.Fields(n), true
	}
	arguments := n.Field("arguments")
	if arguments == nil || arguments.NamedChildCount() < 2 {
		return lang.Parts{}, false
	}
	title, closure := arguments.NamedChild(0), arguments.NamedChild(1).NamedChild(0)
	if closure == nil {
		return lang.Parts{}, false
	}
	p := lang.Parts{Name: lang.Quoted(src, lang.At(title)), Body: lang.At(closure.Field("body")),
		Title: true}
	switch closure.Type() {
	case "arrow_function":
		p.Expression = true
	case "anonymous_function_creation_expression":
	default:
		return p, false
	}
	return p, p.Name != lang.Span{}
}

// Probe tells assertions of constants, and what skips a test.
func (rules) Probe(statement string) lang.Effect {
	name, arguments, rest, ok := lang.Call(qualified.ReplaceAllString(statement, ""))
	switch rest = strings.TrimRight(rest, "; \t\r\n"); {
	case !ok:
		return lang.Effective
	case name == "expect":
		if len(arguments) == 1 && meetsItself(arguments[0], rest) {
			return lang.Vacuous
		}
	case rest != "":
	case name == "markTestSkipped":
		return lang.Skipping
	case name == "expectNotToPerformAssertions", name == "addToAssertionCount", lang.AlwaysHolds(name, arguments):
		return lang.Vacuous
	}
	return lang.Effective
}

// meetsItself reports whether what Pest expects of a constant, «->toBe(1)», is what it is.
func meetsItself(value, expectation string) bool {
	matcher, arguments, rest, ok := lang.Call(strings.TrimPrefix(expectation, "->"))
	if !ok || rest != "" {
		return false
	}
	switch matcher {
	case "toBeTrue", "toBeFalse", "toBeNull":
		return strings.EqualFold(value, matcher[len("toBe"):])
	case "toBe", "toEqual":
		return len(arguments) == 1 && value == arguments[0] && lang.IsConstant(value)
	}
	return false
}

// constant is one of a class, or of an enum, in which the grammar knows none. It is given none of either: they hold
// no definition.
var constant = lang.Lazy(`(?m)^[ \t]+((?:(?:public|private|protected|final)[ \t]+)*` +
	`const[ \t]+(?:[\w?|]+[ \t]+)?\w+[ \t]*=` +
	`(?:[^;"'#/]|/[^/*]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*;)`)

func (rules) Readable(src []byte) []byte {
	if bytes.Contains(src, []byte("enum ")) {
		return constant.Blank(src)
	}
	return src
}
