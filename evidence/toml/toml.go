// Package toml describes TOML to package evidence. Every table, key and value is
// data; nothing there is a stub. A comment is none, and neither is a key whose value is
// nothing but TODO, save where the key names states or words.
package toml

import (
	"strings"

	grammar "github.com/smacker/go-tree-sitter/toml"

	"github.com/acta-git/acta/evidence/language"
)

// Language returns the description of TOML.
func Language() language.Language {
	return language.Language{
		Rules:   rules{},
		Name:    "toml",
		Grammar: grammar.GetLanguage(),
	}
}

// rules are what code decides of it.
type rules struct{ language.Plain }

// IsUnfilled reports a pair whose value is to be written.
func (rules) IsUnfilled(_, pair string) bool {
	key, value, _ := strings.Cut(pair, "=")
	return language.IsUnfilled(key, value)
}
