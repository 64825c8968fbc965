package rust

import (
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// Probe knows the assertions of the standard library; nothing skips a test while it runs.
func (rules) Probe(statement string) language.Effect {
	// What follows the values is a message and what it is formatted with.
	name, arguments, _, _ := language.Call(strings.Replace(statement, "!", "", 1))
	check := language.IsTrue
	if strings.HasSuffix(name, "_eq") {
		check = language.AreSame
	}
	if check.CannotFail(arguments) {
		return language.Vacuous
	}
	return language.Effective
}
