package swift

import (
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// constant is a value that stands for nothing yet.
const constant = `(?:nil|true|false|-?[01](?:\.0)?|""|\[\s*:?\s*\]|\(\s*\)|\.zero|\.empty|\.none|EmptyView\(\)|AnyView\(EmptyView\(\)\)|Data\(\)|String\(\)|(?:Set|Array|Dictionary)(?:<[^()]*>)?\(\)|\[[^\[\]]+\]\(\)|\.success\(\s*\(?\s*(?:nil|\[\s*:?\s*\]|\(\s*\))?\s*\)?\s*\))`

var (
	stops      = language.Lazy(`(?s)^(?:Swift\.)?(?:fatalError|preconditionFailure|assertionFailure|XCTFail|#warning|Issue\.record)\s*\(\s*`)
	failing    = language.Lazy(`(?s)^(?:precondition|assert)\s*\(\s*false\s*,\s*`)
	ends       = language.Lazy(`^(?:(?:Swift\.)?(?:fatalError|preconditionFailure|assertionFailure|abort)\(\)|exit\(\w*\))$`)
	named      = language.Lazy(`^(?:unimplemented|notImplemented|TODO|todo)\s*\(`)
	thrownName = language.Lazy(`^(?:[\w.]*\.)?(?:notImplemented|notYetImplemented|unimplemented|NotImplemented|Unimplemented|NotImplementedError|NotImplementedException|UnimplementedError)\b\s*(?:\(.*\))?$`)
	thrownText = language.Lazy(`(?s)^(?:[\w.]*(?:Error|Exception|Failure)|[\w.]*Error\.\w+)\s*\(`)
	failure    = language.Lazy(`(?s)^\.failure\s*\(\s*(.*?)\s*\)$`)
	prints     = language.Lazy(`(?i)^(?:print|debugPrint|NSLog|os_log|\w*log(?:ger)?(?:\.\w+)?)\s*\(`)
	returns    = language.Lazy(`^return\b\s*`)
	discard    = language.Lazy(`^_\s*=\s*(?:self\.)?[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*$`)
	directive  = language.Lazy(`^(?:#!|//\s*(?:swift-tools-version|swiftlint:|swiftformat:|sourcery:|periphery:|swift-format-ignore)|///\s*(?:` + "```" + `|- Tag:))`)
	disabled   = language.Lazy(`(?s)^@Test\s*\(.*\.disabled\s*\(`)

	placeholder = language.Lazy(`^return\b\s*\(?\s*(?:` + constant + `)?\s*\)?;?$`)
	nothing     = language.Lazy(`^return\b\s*(?:nil|\(\s*\)|\[\s*:?\s*\]|\.none|(?:Set|Array|Dictionary)(?:<[^()]*>)?\(\)|\[[^\[\]]+\]\(\))?;?$`)
)

// notImplemented reports what stops the program, or warns, with a text that says so, and functions named so.
func notImplemented(statement string) bool {
	for _, call := range []language.Pattern{stops, failing} {
		if m := call.FindString(statement); m != "" {
			content, _, ok := language.Literal(strings.TrimLeft(statement[len(m):], "#"))
			return ok && language.SaysNotImplemented(content)
		}
	}
	return named.MatchString(statement)
}

// unwritten reports an error that is thrown or given back and says «not implemented» by its name or text, and printing it.
func unwritten(statement string) bool {
	if thrown, ok := strings.CutPrefix(statement, "throw"); ok {
		return isUnwritten(strings.TrimSpace(thrown))
	}
	expression := strings.TrimRight(statement[len(returns.FindString(statement)):], "; \t\r\n")
	if m := failure.FindStringSubmatch(expression); m != nil {
		return isUnwritten(m[1])
	}
	return notImplemented(expression) || prints.MatchString(expression) && language.SaysUnwritten(expression)
}

func isUnwritten(err string) bool {
	return thrownName.MatchString(err) || thrownText.MatchString(err) && language.SaysUnwritten(err)
}

// isPlaceholder reports a return of a constant that stands for nothing yet, or what stops the program without a word.
func isPlaceholder(statement string) bool {
	expression := strings.TrimSpace(strings.TrimPrefix(statement, "return"))
	return placeholder.MatchString(statement) || ends.MatchString(expression)
}

// probe knows the assertions and skips of XCTest and Swift Testing.
func probe(statement string) language.Effect {
	statement = strings.TrimPrefix(strings.TrimPrefix(statement, "throw "), "try ")
	name, arguments, _, ok := language.Call(strings.TrimPrefix(statement, "#"))
	if !ok {
		return language.Effective
	}
	switch {
	case name == "XCTSkip", name == "XCTSkipIf" && first(arguments) == "true", name == "XCTSkipUnless" && first(arguments) == "false":
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
