// Package typescript describes TypeScript and TSX to package evidence. What is a
// stub is said in package javascript, and what is complete though empty besides in complete.
//
// Overload signatures, abstract members, interfaces, type aliases, enums and
// «declare function» have no body and are no stubs.
package typescript

import (
	"strings"

	tsx "github.com/smacker/go-tree-sitter/typescript/tsx"
	grammar "github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/lang/javascript"
)

// Language returns the description of TypeScript.
func Language() lang.Language {
	l := javascript.Language()
	l.Rules, l.Name, l.Grammar, l.Query = rules{}, "typescript", grammar.GetLanguage(), ""
	l.Folders = []string{"typescript", "javascript"}
	return l
}

// rules are what code decides of it.
type rules struct{ javascript.Rules }

// MayBeEmpty: declarations alone.
func (rules) MayBeEmpty(path string) bool { return strings.HasSuffix(path, ".d.ts") }

// TSX returns the description of TypeScript with JSX, which has a grammar of its own.
func TSX() lang.Language {
	l := Language()
	l.Name, l.Extensions, l.Grammar = "tsx", []string{".tsx"}, tsx.GetLanguage()
	return l
}
