// Package python describes Python to package evidence: stubs and complete say
// what is a stub, and what is complete though empty. A lambda is an expression, and no definition.
package python

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/python"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed query.scm
var query string

// Language returns the description of Python.
func Language() language.Language {
	return language.Language{
		Rules:      rules{},
		Name:       "python",
		Extensions: []string{".py", ".pyi", ".pyw"},
		Names:      []string{"SConstruct", "SConscript", "wscript"},
		Grammar:    grammar.GetLanguage(),
		Query:      query,
		Indented:   true,
		Strings:    []string{"string", "concatenated_string"},

		Directive:   directive,
		Skips:       skip,
		TellsTests:  true,
		Probes:      []string{"assert", "self.assert", "self.skipTest", "self.fail", "pytest.skip", "pytest.xfail", "raise unittest.", "raise SkipTest", "raise pytest."},
		Judged:      true,
		Scoped:      true,
		Spent:       true,
		TypesCalled: true,
		Stubs:       stubs(),
		Complete:    complete(),
	}
}

// rules are what code decides of it.
type rules struct{ language.Plain }

func stubs() []string {
	return []string{
		"a body of nothing but docstrings, bare strings and names, `pass`, `...` and comments",
		"`raise NotImplementedError`, `raise NotImplemented`, or `raise Exception(\"not implemented\")` as all that a body comes to",
		"a constant given back beside a TODO: `return None  # TODO`",
		"a test of nothing but `assert True`, `assert 1 == 1`, `self.assertTrue(True)`, `self.assertEqual(1, 1)`",
		"a test of nothing but `pytest.skip(…)`, `pytest.xfail(…)`, `self.skipTest(…)`, `raise unittest.SkipTest`",
	}
}

func complete() []language.Word {
	return []language.Word{
		{Word: "abstract", Why: "decorated as abstract; or «not implemented» in a method of an abstract base class, or one whose message or whose class's name (BaseStore, StoreMixin) leaves it to subclasses"},
		{Word: "overload", Why: "`@overload`: a signature for the type checker"},
		{Word: "protocol", Why: "a member of a Protocol, which only names it"},
		{Word: "type_stub", Why: "anything in a `.pyi` file, which holds signatures alone"},
		{Word: "group", Why: "a command group, whose commands hang on the decorator: `@click.group()`"},
		{Word: "hookspec", Why: "a hook specification of pluggy, which plugins fill"},
		{Word: "fixture", Why: "a fixture of pytest, which is asked for by name"},
		{Word: "migration", Why: "the step of a Django migration that does nothing, so that it can be undone: `def f(apps, schema_editor)`"},
		{Word: "teardown", Why: "`__enter__`, `__exit__`, their asynchronous kin and `__del__`, which a class has for its callers"},
		{Word: "dispatch", Why: "the fallback of `@singledispatch` that says «not implemented»"},
		{Word: "subclass", Why: "an empty class with a base: its name is what it adds"},
		{Word: "decorated", Why: "an empty class with a decorator, which fills it"},
	}
}

var (
	skipped   = language.Lazy(`^(raise (unittest\.(case\.)?SkipTest|SkipTest|pytest\.(skip|xfail)\.Exception)\b|(self\.skipTest|pytest\.skip|pytest\.xfail)\s*\()`)
	asserts   = language.Lazy(`^assert\b`)
	directive = language.Lazy(`^#(!|\s*(type:|-\*-|noqa\b|pragma:|pylint:|fmt:|mypy:|pyright:|ruff:|isort:|nosec\b|cython:|distutils:|///\s*script))`)
	silenced  = language.Lazy(`(?m)^pytestmark\s*=\s*\[?\s*pytest\.mark\.(skip|xfail)\b`)
	skip      = language.Lazy(`^@\s*([\w.]+\.)?(skip|skipif|skipIf|skipUnless|xfail|expectedFailure)\b`)

	abstract   = language.Lazy(`^@\s*([\w.]+\.)?abstract(method|property|classmethod|staticmethod)\b`)
	overload   = language.Lazy(`^@\s*([\w.]+\.)?overload\b`)
	group      = language.Lazy(`^@\s*([\w.]+\.)?(group\s*(\(|$)|callback\(\s*(\)|invoke_without_command))`)
	callback   = language.Lazy(`^@\s*([\w.]+\.)?callback\s*\(`)
	wiring     = language.Lazy(`\b(Output|Input|State)\b`) // of Dash, whose callbacks do the work
	fixture    = language.Lazy(`^@\s*([\w.]+\.)?(fixture|yield_fixture)\b`)
	migration  = language.Lazy(`(?s)\bdef\s+\w+\s*\(\s*apps\b[^,]*,\s*schema_editor\b[^,]*\)`)
	hookspec   = language.Lazy(`^@\s*([\w.]+\.)?hookspec\w*\b`)
	dispatch   = language.Lazy(`^@\s*([\w.]+\.)?singledispatch(method)?\b`)
	protocol   = language.Lazy(`[(,\s.]Protocol\b`)
	abc        = language.Lazy(`[(,\s.=](ABC|ABCMeta)\b`)
	superclass = language.Lazy(`(?s)\(\s*[^)\s]`)
	bases      = language.Lazy(`(?s)\bclass\s+\w+\s*(\[.*?\]\s*)?(\(.*\))\s*:`)
)

// MayBeEmpty: an empty file makes a folder a package, or the root of pytest.
func (rules) MayBeEmpty(name string) bool {
	return slices.Contains([]string{"__init__.py", "__init__.pyi", "conftest.py"}, path.Base(name))
}

// IsTest: what pytest and unittest collect by its name.
func (rules) IsTest(d language.Definition) bool { return !d.Class && strings.HasPrefix(d.Name, "test") }

// Probe knows skips, and assertions of unittest and the assert statement that are given constants.
func (rules) Probe(statement string) language.Effect {
	if skipped.MatchString(statement) {
		return language.Skipping
	}
	check, arguments := language.IsTrue, []string(nil)
	if asserts.MatchString(statement) {
		arguments, _, _ = language.Arguments(strings.TrimPrefix(statement, "assert") + ")")
		arguments = unwrapped(arguments)
	} else if name, given, rest, ok := language.Call(strings.TrimPrefix(statement, "self.")); ok && strings.HasPrefix(statement, "self."+name) && strings.Trim(rest, " \t\r\n;") == "" {
		check, arguments = checkOf(name), given
	}
	if check.CannotFail(arguments) {
		return language.Vacuous
	}
	return language.Effective
}

// Silences: a mark of the file is on all tests below it.
func (rules) Silences(src []byte, _ func(int) bool) []language.Span {
	if at := silenced.FindIndex(src); at != nil {
		return []language.Span{{Start: at[0], End: len(src)}}
	}
	return nil
}

// unwrapped takes the brackets off a condition: assert (True). A tuple of several, which is always true, is left alone.
func unwrapped(condition []string) []string {
	if len(condition) == 0 || !strings.HasPrefix(condition[0], "(") {
		return condition
	}
	if inner, rest, ok := language.Arguments(condition[0][1:]); ok && rest == "" && len(inner) == 1 {
		return inner
	}
	return condition
}

func checkOf(assertion string) language.Check {
	switch assertion {
	case "assertTrue", "assert_", "failUnless":
		return language.IsTrue
	case "assertFalse", "failIf":
		return language.IsFalse
	case "assertIsNone":
		return language.IsNull
	case "assertIsNotNone":
		return language.IsSomething
	case "assertEqual", "assertEquals", "assertIs", "assertAlmostEqual":
		return language.AreSame
	}
	var unknown language.Check
	return unknown
}

func (rules) Exempt(d language.Definition) string {
	switch {
	case path.Ext(d.Path) == ".pyi":
		return "type_stub"
	case d.Class:
		return exemptClass(d)
	case decorated(d, abstract):
		return "abstract"
	case decorated(d, overload):
		return "overload"
	case decorated(d, group), d.Described && decorated(d, callback) && !decorated(d, wiring):
		return "group"
	case decorated(d, hookspec):
		return "hookspec"
	case d.NotImplemented && decorated(d, dispatch):
		return "dispatch"
	case memberOf(d, protocol):
		return "protocol"
	case d.NotImplemented && (memberOf(d, abc) || language.LeftToSubclasses(d)):
		return "abstract"
	case d.NotImplemented || d.Marked:
		return ""
	}
	return idle(d)
}

// idle: what does nothing, and says neither that it is not written nor that it is to be.
func idle(d language.Definition) string {
	switch {
	case decorated(d, fixture):
		return "fixture"
	case migration.MatchString(d.Header):
		return "migration"
	case d.Parent != nil && d.Parent.Class && slices.Contains([]string{"__enter__", "__aenter__", "__exit__", "__aexit__", "__del__"}, d.Name):
		return "teardown"
	}
	return ""
}

func exemptClass(d language.Definition) string {
	switch {
	case superclass.MatchString(basesOf(d)):
		return "subclass"
	case len(d.Decorators) > 0:
		return "decorated"
	}
	return ""
}

func decorated(d language.Definition, by language.Pattern) bool {
	for _, text := range d.Decorators {
		if by.MatchString(text) {
			return true
		}
	}
	return false
}

func memberOf(d language.Definition, base language.Pattern) bool {
	return d.Parent != nil && d.Parent.Class && base.MatchString(basesOf(*d.Parent))
}

// basesOf returns the list of bases of a class, brackets included; "" when it has none.
func basesOf(d language.Definition) string {
	m := bases.FindStringSubmatch(d.Header[max(0, strings.LastIndex(d.Header, "class ")):])
	if m == nil {
		return ""
	}
	return m[2]
}
