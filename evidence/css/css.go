// Package css describes CSS to package evidence. Every rule and declaration is
// data, an empty rule too; nothing there is a stub. A comment is none.
package css

import (
	grammar "github.com/smacker/go-tree-sitter/css"

	"github.com/acta-git/acta/evidence/language"
)

// Language returns the description of CSS.
func Language() language.Language {
	return language.Language{
		Name:    "css",
		Grammar: grammar.GetLanguage(),
	}
}
