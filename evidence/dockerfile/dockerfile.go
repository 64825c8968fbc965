// Package dockerfile describes Dockerfiles to package evidence. Every instruction is
// data; nothing there is a stub. A comment is none.
package dockerfile

import (
	grammar "github.com/smacker/go-tree-sitter/dockerfile"

	"github.com/acta-git/acta/evidence/language"
)

// Language returns the description of Dockerfiles.
func Language() language.Language {
	return language.Language{
		Name:    "dockerfile",
		Grammar: grammar.GetLanguage(),
	}
}
