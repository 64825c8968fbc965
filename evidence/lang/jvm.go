package lang

import (
	"slices"
	"strings"
)

// What the languages of the Java platform have in common: their libraries and
// the tools that read their comments.

// JVMProbes are the beginnings of the statements that JVMEffect knows.
func JVMProbes() []string {
	return []string{"assert", "Assert", "assume", "Assum", "org.", "junit.", "kotlin.test", "throw", "abort",
		"check(true)"}
}

// JVMEffect says what a statement does for a test of JUnit, TestNG, AssertJ, Hamcrest or kotlin.test.
func JVMEffect(statement string) Effect {
	name, arguments, rest, ok := Call(statement)
	if !ok {
		return assertStatement(statement)
	}
	rest = strings.Trim(rest, "; \t\r\n")
	switch {
	case name == "abort" && rest == "", name == "assumeTrue" && IsFalse.CannotFailBeside(arguments),
		name == "assumeFalse" && IsTrue.CannotFailBeside(arguments):
		return Skipping
	case rest == "" && AlwaysHolds(name, arguments), name == "assertThat" && holdsOfItself(arguments, rest):
		return Vacuous
	}
	return Effective
}

// assertStatement: «assert true;» of Java.
func assertStatement(statement string) Effect {
	if rest, ok := strings.CutPrefix(statement, "assert "); ok && strings.Trim(rest, "; \t\r\n") == "true" {
		return Vacuous
	}
	return Effective
}

// holdsOfItself reports «assertThat(constant)» that is followed by a comparison with that constant alone, or given one.
func holdsOfItself(arguments []string, rest string) bool {
	if len(arguments) == 2 && rest == "" && IsConstant(arguments[0]) {
		return slices.Contains([]string{"is(" + arguments[0] + ")", "equalTo(" + arguments[0] + ")"}, arguments[1])
	}
	if len(arguments) != 1 || !IsConstant(arguments[0]) || !strings.HasPrefix(rest, ".") {
		return false
	}
	name, expected, rest, ok := Call(strings.TrimLeft(rest[1:], " \t\r\n"))
	if !ok || rest != "" {
		return false
	}
	return AlwaysHolds(strings.TrimSuffix(name, "To"), append([]string{arguments[0]}, expected...))
}
