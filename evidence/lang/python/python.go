// Package python describes Python to package evidence: stubs and complete say
// what is a stub, and what is complete though empty. A lambda is an expression, and no definition.
package python

import (
	"path"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/python"

	"github.com/acta-git/acta/evidence/lang"
)

// Language returns the description of Python.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "python",
		Grammar: grammar.GetLanguage(),
		Probes: []string{"assert", "self.assert", "self.skipTest", "self.fail", "pytest.skip", "pytest.xfail",
			"raise unittest.", "raise SkipTest", "raise pytest."},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	asserts  = lang.Lazy(`^assert\b`)
	silenced = lang.Lazy(`(?m)^pytestmark\s*=\s*\[?\s*pytest\.mark\.(skip|xfail)\b`)
)

// MayBeEmpty: an empty file makes a folder a package, or the root of pytest.
func (rules) MayBeEmpty(name string) bool {
	return slices.Contains([]string{"__init__.py", "__init__.pyi", "conftest.py"}, path.Base(name))
}

// Probe knows assertions of unittest and the assert statement that are given constants.
func (rules) Probe(statement string) lang.Effect {
	check, arguments := lang.IsTrue, []string(nil)
	if asserts.MatchString(statement) {
		arguments, _, _ = lang.Arguments(strings.TrimPrefix(statement, "assert") + ")")
		arguments = unwrapped(arguments)
	} else if name, given, rest, ok := lang.Call(strings.TrimPrefix(statement, "self.")); ok &&
		strings.HasPrefix(statement, "self."+name) && strings.Trim(rest, " \t\r\n;") == "" {
		check, arguments = checks(name), given
	}
	if check.CannotFail(arguments) {
		return lang.Vacuous
	}
	return lang.Effective
}

// Silences: a mark of the file is on all tests below it.
func (rules) Silences(src []byte, _ func(int) bool) []lang.Span {
	if at := silenced.FindIndex(src); at != nil {
		return []lang.Span{{Start: at[0], End: len(src)}}
	}
	return nil
}

// unwrapped takes the brackets off a condition: assert (True). A tuple of several, which is always true, is left alone.
func unwrapped(condition []string) []string {
	if len(condition) == 0 || !strings.HasPrefix(condition[0], "(") {
		return condition
	}
	if inner, rest, ok := lang.Arguments(condition[0][1:]); ok && rest == "" && len(inner) == 1 {
		return inner
	}
	return condition
}

var checks = lang.Checks(`
true: assertTrue assert_ failUnless
false: assertFalse failIf
null: assertIsNone
something: assertIsNotNone
same: assertEqual assertEquals assertIs assertAlmostEqual`)
