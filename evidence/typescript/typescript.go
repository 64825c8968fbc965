// Package typescript describes TypeScript and TSX to package evidence. What is a
// stub is said in package javascript, and what is complete though empty besides in complete.
//
// Overload signatures, abstract members, interfaces, type aliases, enums and
// «declare function» have no body and are no stubs.
package typescript

import (
	_ "embed"
	"slices"
	"strings"

	tsx "github.com/smacker/go-tree-sitter/typescript/tsx"
	grammar "github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/acta-git/acta/evidence/javascript"
	"github.com/acta-git/acta/evidence/language"
)

//go:embed query.scm
var query string

//go:embed complete.txt
var complete string

// Language returns the description of TypeScript.
func Language() language.Language {
	l := javascript.Family()
	l.Name = "typescript"
	l.Extensions = []string{".ts", ".mts", ".cts"}
	l.Rules = rules{}
	l.Grammar = grammar.GetLanguage()
	l.Query += query
	l.Modifiers = slices.Concat(l.Modifiers, []string{"abstract", "public", "private", "protected", "readonly",
		"override"})
	l.Complete = language.Table(complete)
	l.Private = append(javascript.Private(), "function private !constructor")
	return l
}

// rules are what code decides of it.
type rules struct{ javascript.Rules }

// MayBeEmpty: declarations alone.
func (rules) MayBeEmpty(path string) bool { return strings.HasSuffix(path, ".d.ts") }

// TSX returns the description of TypeScript with JSX, which has a grammar of its own.
func TSX() language.Language {
	l := Language()
	l.Name = "tsx"
	l.Extensions = []string{".tsx"}
	l.Grammar = tsx.GetLanguage()
	return l
}
