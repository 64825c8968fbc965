// Package protobuf describes Protocol Buffers to package evidence. Messages,
// enums, services and their calls are declarations, empty messages too; nothing there is a stub. A comment is none.
package protobuf

import (
	"strings"

	grammar "github.com/smacker/go-tree-sitter/protobuf"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Protocol Buffers.
func Language() language.Language {
	return language.Language{
		Rules:   rules{},
		Name:    "protobuf",
		Grammar: grammar.GetLanguage(),
	}
}

// rules are what code decides of it.
type rules struct{ language.Plain }

// Locate finds the name of a declaration, in a node whose kind ends in _name.
func (rules) Locate(_ string, n *syntax.Node, _ []byte) (parts language.Parts, ok bool) {
	for _, child := range n.NamedChildren() {
		if strings.HasSuffix(child.Type(), "_name") {
			parts.Name = language.At(child)
			return parts, true
		}
	}
	return parts, false
}
