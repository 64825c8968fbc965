// Package sql describes SQL to package evidence. Every statement is data; nothing
// there is a stub, a function without statements included. A comment is none. What CREATE makes is known by its name.
package sql

import (
	grammar "github.com/smacker/go-tree-sitter/sql"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of SQL.
func Language() language.Language {
	return language.Language{
		Rules:   rules{},
		Name:    "sql",
		Grammar: grammar.GetLanguage(),
	}
}

// rules are what code decides of it.
type rules struct{ language.Plain }

// Locate finds the name of what is created, without its schema.
func (rules) Locate(_ string, n *syntax.Node, _ []byte) (parts language.Parts, ok bool) {
	for _, child := range n.NamedChildren() {
		switch child.Type() {
		case "identifier":
			parts.Name = language.At(child)
			return parts, true
		case "object_reference":
			if child.NamedChildCount() == 0 {
				return parts, false
			}
			parts.Name = language.At(child.LastNamedChild())
			return parts, true
		}
	}
	return parts, false
}
