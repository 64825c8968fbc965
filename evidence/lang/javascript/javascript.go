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
	"strings"

	grammar "github.com/smacker/go-tree-sitter/javascript"

	"github.com/acta-git/acta/evidence/lang"
)

// Language returns the description of JavaScript, on which that of TypeScript rests.
func Language() lang.Language {
	return lang.Language{
		Rules:   script{},
		Name:    "javascript",
		Grammar: grammar.GetLanguage(),
		Query:   "(field_definition) @binding.property.value\n", // TypeScript calls them otherwise
		Probes: []string{"expect", "await expect", "assert", "this.skip", "ctx.skip", "context.skip", "test.skip", "done(",
			"pending(", "t.skip", "t.todo", "t.pass", "t.end", "t.ok", "t.true", "t.truthy", "t.false", "t.falsy", "t.is",
			"t.equal", "t.same", "t.deepEqual"},
		Titles: titles(),
	}
}

// Rules are what code decides of JavaScript, and of TypeScript where that says nothing else.
type Rules struct{ lang.DefaultRules }

// script are those of JavaScript alone.
type script struct{ Rules }

var (
	exported  = lang.Lazy(`^(?:module\.)?exports\.([\w$]+)$`)
	prototype = lang.Lazy(`^([\w$.]+)\.prototype\.([\w$]+)$`)
	assigned  = lang.Lazy(`^[\w$]+(\.#?[\w$]+)*$`)
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

// accessor is a class field with accessors, which the grammar of TypeScript knows.
var accessor = []lang.Newer{
	{Word: "accessor ", Here: lang.Lazy(`^(accessor)[ \t]+#?[\pL_$][\w$]*[ \t]*[=;\r\n}]`)},
}

// Readable takes out accessor fields.
func (script) Readable(src []byte) []byte { return lang.ReadableAs(src, accessor) }
