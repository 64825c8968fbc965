// Package sample is the language of the walk in CONTRIBUTING.md. Every line of it is data; a comment is none.
package sample

import (
	grammar "github.com/smacker/go-tree-sitter/toml"

	"github.com/acta-git/acta/evidence/lang"
)

// Language returns the description of the sample.
func Language() lang.Language {
	return lang.Language{Name: "sample", Grammar: grammar.GetLanguage()}
}
