package swift

import (
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// Probe knows the assertions and skips of XCTest and Swift Testing.
func (rules) Probe(statement string) language.Effect {
	statement = strings.TrimPrefix(strings.TrimPrefix(statement, "throw "), "try ")
	name, arguments, _, ok := language.Call(strings.TrimPrefix(statement, "#"))
	if !ok {
		return language.Effective
	}
	switch {
	case name == "XCTSkip", name == "XCTSkipIf" && first(arguments) == "true",
		name == "XCTSkipUnless" && first(arguments) == "false":
		return language.Skipping
	case isVacuous(name, arguments):
		return language.Vacuous
	}
	return language.Effective
}

func isVacuous(name string, arguments []string) bool {
	switch name {
	case "XCTAssert", "XCTAssertTrue", "expect", "require", "assert", "precondition":
		return language.IsTrue.CannotFail([]string{strings.TrimSuffix(strings.TrimPrefix(first(arguments), "Bool("), ")")})
	case "XCTAssertFalse":
		return language.IsFalse.CannotFail(arguments)
	case "XCTAssertNil":
		return language.IsNull.CannotFail(arguments)
	case "XCTAssertEqual", "XCTAssertIdentical":
		return language.AreSame.CannotFail(arguments)
	}
	return false
}

func first(arguments []string) string {
	if len(arguments) == 0 {
		return ""
	}
	return arguments[0]
}
