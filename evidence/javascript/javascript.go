// Package javascript describes JavaScript, JSX included, to package evidence;
// package typescript builds on it. stubs.txt and complete.txt say what is a stub, and what is complete though empty.
//
// Functions that directly initialise a variable, a property, a class field, an
// export or a prototype's member count as definitions, and so do tests with a title; other
// callbacks do not. One that is assigned to a member counts where it is marked or says «not
// implemented». An arrow function with an expression for a body has substance, save a marked placeholder, a
// promise rejected as «not implemented», and a test's assertion that cannot fail.
package javascript

import (
	_ "embed"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/javascript"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed query.scm
var query string

//go:embed complete.txt
var complete string

//go:embed fields.scm
var fields string

// Language returns the description of JavaScript.
func Language() language.Language {
	l := Family()
	l.Name = "javascript"
	l.Extensions = []string{".js", ".jsx", ".mjs", ".cjs"}
	l.Names = []string{"Jakefile"}
	l.Rules = script{}
	l.Grammar = grammar.GetLanguage()
	l.Query += fields
	l.Private = Private()
	return l
}

// Private are the conditions of private functions: those of a module that it does not export, and members called #name.
func Private() []string {
	return []string{"function name:#*", "function module !export !inner !owned"}
}

// Rules are what code decides of JavaScript, and of TypeScript where that says nothing else.
type Rules struct{ language.Plain }

// script are those of JavaScript alone.
type script struct{ Rules }

// Family returns what JavaScript and TypeScript have in common: no name, no
// extensions, no grammar, and a query that lacks class fields.
func Family() language.Language {
	return language.Language{
		Rules:     Rules{},
		Query:     query,
		Modifiers: []string{"export", "default", "const", "let", "var", "using", "async", "static", "declare", "accessor"},
		Strings:   []string{"template_string", "string", "jsx_text"},

		Defaults:  defaults,
		Directive: directive,
		Probes: []string{"expect", "await expect", "assert", "this.skip", "ctx.skip", "context.skip", "test.skip", "done(",
			"pending(",
			"t.skip", "t.todo", "t.pass", "t.end", "t.ok", "t.true", "t.truthy", "t.false", "t.falsy", "t.is", "t.equal",
			"t.same", "t.deepEqual"},
		Tests:    []string{"function titled"},
		Titles:   titles(),
		Judged:   true,
		Complete: language.Table(complete),
	}
}

var (
	exported  = language.Lazy(`^(?:module\.)?exports\.([\w$]+)$`)
	prototype = language.Lazy(`^([\w$.]+)\.prototype\.([\w$]+)$`)
	directive = language.Lazy(`^(#!|["']use [\w -]+["']|///\s*<|//[#@]\s*source|(//|/\*+)\s*(@ts-|@jsx|@flow|@license` +
		`|@vitest|@jest|eslint|global |globals |prettier-ignore|biome-ignore|istanbul|c8 |v8 ignore|webpack|tslint:` +
		`|deno-lint|oxlint|#__PURE__|@__PURE__)|/\*\*[\s*]*@(typedef|callback|template|import|type)\b)`)
	assigned = language.Lazy(`^[\w$]+(\.#?[\w$]+)*$`)
	defaults = language.Lazy(`\bcreateContext\s*(<[^()]*>)?\s*\(`)
)

// Bound takes what is assigned, and no initialiser, for a definition where it is exported or a prototype's member.
func (Rules) Bound(field, name string) string {
	if field != "left" {
		if strings.HasPrefix(name, "[") || strings.HasPrefix(name, "{") {
			return "" // a computed name, a pattern
		}
		return strings.Trim(name, `"'`)
	}
	if m := exported.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := prototype.FindStringSubmatch(name); m != nil {
		return m[1] + "." + m[2]
	}
	if name == "module.exports" {
		return "default"
	}
	return ""
}

// Member takes a function that is assigned to a member or a variable.
func (Rules) Member(field, name string) string {
	if field != "left" || !assigned.MatchString(name) {
		return ""
	}
	return strings.TrimPrefix(name, "this.")
}
