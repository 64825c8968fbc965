// Package sees looks in code for what only a test could want of it: a question whether a test runs, equality with
// everything, a clean end before the tests are through, a report that is rewritten, and branches on the inputs of a
// test.
// In go the outlines of a file in two trees, out come Sights of what the later one has and the earlier one had not.
package sees

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// Sight is one place of the later version of a file.
type Sight struct {
	// Form is the name of the form in docs/tests.md; Subject what stands there.
	Form, Subject string
	// Line and EndLine count from 1, both included; Text is what stands there.
	Line, EndLine int
	Text          string
	// Message says in one sentence, without its stop, what the code does.
	Message string
	// Excuse says why this may be honest; "" where nothing excuses it.
	Excuse string
}

// File is a file in both trees. Before is nil where it is new; Test reports that it is one of tests.
type File struct {
	Before, After *evidence.Outline
	Test          bool
}

// Look finds what the later version of a file got. tests are the files of tests that come with it, in the later tree.
func Look(f File, tests []*evidence.Outline) []Sight {
	if f.After == nil || aside.MatchString(f.After.Path) {
		return nil
	}
	l := looker{o: f.After, code: codeOf(f.After), had: map[string]int{}}
	if f.Before != nil {
		for _, line := range codeOf(f.Before) {
			l.had[strings.TrimSpace(line)]++
		}
	}
	l.lines(f.Test)
	if !f.Test {
		l.equalities(f.Before)
		l.branches(tests)
	}
	slices.SortStableFunc(l.found, func(a, b Sight) int { return cmp.Compare(a.Line, b.Line) })
	return l.found
}

// Worth reports whether the later version of a file of a path has a line that the earlier one lacks and that may be a
// sight: only then it has to be parsed. tests: files of tests come with it.
func Worth(name string, before, after []byte, tests bool) bool {
	if aside.MatchString(name) {
		return false
	}
	test := evidence.HoldsTests(name)
	n := newLines{
		before: before, after: after, test: test, tests: tests, words: wordsOf(evidence.LanguageOf(name), test),
	}
	return n.worth()
}

// newLines are those that the later version of a file got.
type newLines struct {
	before, after []byte
	test, tests   bool
	words         []string
}

// worth asks first what may be a question of the language, by words alone, and then whether a line that may be one is
// new: expressions cost more than what they spare.
func (n *newLines) worth() bool {
	_, changed := evidence.Apart(n.before, n.after)
	if len(changed) == 0 || !n.mayAsk(changed) {
		return false
	}
	had := map[string]bool{}
	for line := range bytes.Lines(n.before) {
		had[string(bytes.TrimSpace(line))] = true
	}
	return hasLine(changed, func(line []byte) bool {
		return !had[string(line)] && (suspicious.Match(line) || n.tests && compared.Match(line) ||
			always.Match(line) && equality.Match(n.after))
	})
}

// mayAsk reports whether a question of the language may be in the lines, or may be answered otherwise for them.
func (n *newLines) mayAsk(changed []byte) bool {
	if holdsAny(bytes.ToLower(changed), n.words) || !n.test && mayCompare(n.after) {
		return true
	}
	// A branch that stood is looked at as well: the test may be what is new.
	return !n.test && n.tests && hasLine(n.after, mayBranch)
}

// mayCompare reports whether a file may have a function that equalities look at: what says yes may have stood there,
// under another name.
func mayCompare(src []byte) bool {
	for i := 0; i < len(src); i++ {
		from := i
		for i < len(src) && (src[i] == '_' || src[i]|0x20 >= 'a' && src[i]|0x20 <= 'z') {
			i++
		}
		if i-from > 1 && i-from <= len("__contains__") && comparing[string(src[from:i])] {
			return true
		}
		if i > 0 && i+1 < len(src) && src[i+1] == '=' && (src[i] == '=' || src[i] == '!') && src[i-1] <= ' ' {
			named := bytes.TrimSpace(src[max(0, i-maxGap):i])
			if bytes.HasSuffix(named, []byte("def")) || bytes.HasSuffix(named, []byte("fun")) ||
				bytes.HasSuffix(named, []byte("func")) {
				return true
			}
		}
	}
	return false
}

// maxGap is how far the name of an operator may stand behind the word that defines it, in bytes, the word included.
const maxGap = 24

// comparing are the names of the functions that equalities look at, as far as they are words.
var comparing = map[string]bool{
	"__eq__": true, "__ne__": true, "__contains__": true, "equals": true, "Equals": true, "eql": true, "eq": true,
	"ne": true, "isEqual": true, "isEqualTo": true, "is_equal": true, "operator": true,
}

// holdsAny reports whether one of the words stands in a text.
func holdsAny(text []byte, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(text, []byte(w)) })
}

// hasLine reports whether one of the lines is such.
func hasLine(lines []byte, is func(line []byte) bool) bool {
	for line := range bytes.Lines(lines) {
		if is(bytes.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// suspicious matches each line that a question may match, and the names of the functions that equalities look at.
var suspicious = language.Lazy(`(?i)pytest|unittest|nose|_called_from_test|node_env|jest|vitest|mocha|` +
	`typeof|testing\.Testing|` +
	`flag\.Lookup|os\.Args|cfg!|junit|phpunit|testng|surefire|nunit|xunit|mstest|testhost|rspec|minitest|` +
	`Test::Unit|_ENV|env\.test|` +
	`PROGRAM_NAME|UnitTests|xctest|Mix\.env|ExUnit|outcome|exitstatus|TestRe|TestCase|items|wasxfail|longrepr|` +
	`numFailed|` +
	`numRuntime|Runner\.|success|passed|expect|assert\s*=|exit|die\b|__eq__|__ne__|__contains__|equal|operator|` +
	`eql|\beq\b|\bne\b`)

var (
	// always matches a line that may be the whole body of a function that says yes, equality a file with such a function.
	always   = language.Lazy(`(?i)^\s*(return\s+)?(true|false);?\s*$`)
	equality = language.Lazy(`(?i)\b(__eq__|__ne__|equals|isEqual\w*|is_equal|operator==|eql\?|fn eq)`)
	// conditions matches a line that a branch may begin with, whole one whose condition ends there.
	conditions = language.Lazy(`\b(if|elif|elsif)\b`)
	whole      = language.Lazy(`[{:;]\s*$|\bthen\s*$`)
)

// mayBranch reports whether a line may begin a branch on the inputs of a test: one plain value may have an answer of
// its own.
func mayBranch(line []byte) bool {
	if !bytes.Contains(line, []byte("if")) || !conditions.Match(line) {
		return false
	}
	inputs := compared.FindAllString(string(line))
	return !whole.Match(line) || len(inputs) > 1 || len(inputs) == 1 && strings.ContainsAny(inputs[0], "[({")
}

// wordsOf are in each line that a question of a language may match, letters in lower case.
func wordsOf(name string, test bool) []string {
	switch name {
	case "typescript", "tsx":
		name = "javascript"
	case "kotlin", "scala", "groovy":
		name = "java"
	}
	found := words[name]
	if test {
		found = wordsOfTests[name]
	}
	return append([]string{"exit"}, found...)
}

var (
	words = map[string][]string{
		"python": {"pytest", "unittest", "nose", "_called_from_test", "outcome", "testre", "testcase", "items", "wasxfail",
			"longrepr"},
		"javascript": {"node_env", "jest", "vitest", "mocha", "typeof", "numfailed", "numruntime", "runner.", "success",
			"passed", "expect", "assert"},
		"go":     {"testing.testing", "flag.lookup", "os.args"},
		"rust":   {"cfg!"},
		"java":   {"junit", "testng", "surefire"},
		"csharp": {"nunit", "xunit", "mstest", "testhost", "microsoft"},
		"ruby":   {"rspec", "minitest", "test::unit", "_env", "env.test"},
		"php":    {"unittests", "phpunit", "_env", "die"},
		"swift":  {"xctest"},
		"elixir": {"mix.env", "exunit"},
	}
	wordsOfTests = map[string][]string{
		"python":     {"outcome", "testre", "testcase", "items", "wasxfail", "longrepr"},
		"javascript": {"numfailed", "numruntime", "runner.", "success", "passed", "status", "expect", "assert"},
		"php":        {"die"},
	}
)

// aside matches files that are for tests, builds or examples by what they are.
var aside = language.Lazy(`(?i)(^|/)(docs?|examples?|samples?|benchmarks?|fixtures?|node_modules|vendor|third_party|` +
	`playground|config)/|(^|/)(setup|fabfile|rakefile|mix)\.\w+$|` +
	`(^|/)([\w.-]*config|gulpfile|gruntfile|(webpack|rollup|babel)[\w.-]*)\.[cm]?[jt]s$`)

// looker looks at one file.
type looker struct {
	o *evidence.Outline
	// code are its lines without comments.
	code []string
	// had counts the lines of the earlier version.
	had   map[string]int
	found []Sight
}

// codeOf are the lines of a file, its comments and bare texts left blank.
func codeOf(o *evidence.Outline) []string {
	src := slices.Clone(o.Source)
	o.Tree.Walk(func(n *syntax.Node, _ int) bool {
		kind := n.Type()
		bare := kind == "expression_statement" && n.NamedChildCount() == 1 && n.NamedChild(0).Type() == "string"
		if !strings.Contains(kind, "comment") && !bare {
			return true
		}
		for i := n.Start(); i < n.End(); i++ {
			if src[i] != '\n' {
				src[i] = ' '
			}
		}
		return false
	})
	return strings.Split(string(src), "\n")
}

// question is a pattern of one language by which code sees a test, and what that is called.
type question struct {
	languages, form string
	language.Pattern
	message string
	// tests: it is looked for in files of tests, too.
	tests bool
}

const (
	asks    = "asks for a test"
	ends    = "ends well"
	rewrite = "report rewritten"
)

// questions are asked of each line of code. What they match is in docs/tests.md.
var questions = []question{
	{"python", asks, language.Lazy(`PYTEST_CURRENT_TEST|PYTEST_VERSION|["'](pytest|unittest|_pytest|` +
		`nose)["']\s+(not\s+)?in\s+sys\.modules|` +
		`sys\.modules\.get\(["'](pytest|unittest)|_called_from_test|["']pytest["']\s+in\s+sys\.argv|` +
		`sys\.argv\[0\].*(pytest|unittest)`),
		"it asks whether pytest or unittest runs it", false},
	{"javascript typescript tsx", asks, language.Lazy(`NODE_ENV["'\]]*\s*(===?|!==?)\s*["']test["']|` +
		`["']test["']\s*(===?|!==?)\s*` +
		`process\.env\.NODE_ENV|JEST_WORKER_ID|process\.env\.(VITEST|JEST|MOCHA)\b|VITEST_(POOL|WORKER)_ID|` +
		`typeof\s+(globalThis\.)?(jest|describe|it|vi|test|expect)\s*[!=]==?`),
		"it asks whether a test runner runs it", false},
	{"go", asks, language.Lazy(`\btesting\.Testing\(\)|flag\.Lookup\("test\.|` +
		`HasSuffix\(os\.Args\[0\],\s*"\.test|Contains\(os\.Args\[0\],\s*"[./]*test`),
		"it asks whether a test runs it", false},
	{"rust", asks, language.Lazy(`\bif\s+!?cfg!\(test\)|` +
		`=\s*!?cfg!\(test\)`), "it asks whether it is built for tests", false},
	{"java kotlin scala groovy", asks, language.Lazy(`Class\.forName\("(org\.junit|junit\.|org\.testng)|` +
		`getProperty\("surefire\.|` +
		`(contains|startsWith)\("(org\.)?junit`), "it asks whether JUnit runs it", false},
	{"csharp", asks, language.Lazy(`(?i)(StartsWith|Contains|Equals)\("(nunit|xunit|mstest|testhost|` +
		`microsoft\.visualstudio\.test)`),
		"it asks whether a test host runs it", false},
	{"ruby", asks, language.Lazy(`defined\?\s*\(?\s*(::)?(RSpec|Minitest|Test::Unit)|Rails\.env\.test\?|` +
		`ENV\[["'](RAILS|RACK|APP)_ENV["']\]\s*==\s*["']test|` +
		`\$(PROGRAM_NAME|0)\b.*(rspec|minitest)`), "it asks whether a test runs it", false},
	{"php", asks, language.Lazy(`runningUnitTests\(\)|defined\(\s*['"](PHPUNIT_|__PHPUNIT)|` +
		`class_exists\(\s*['"]\\*PHPUnit|['"]APP_ENV['"]\)?\]?\s*===?\s*['"]test`),
		"it asks whether PHPUnit runs it", false},
	{"swift", asks, language.Lazy(`XCTestConfigurationFilePath|NSClassFromString\("XCTest|` +
		`XCTestSessionIdentifier|XCTestBundlePath`),
		"it asks whether XCTest runs it", false},
	{"elixir", asks, language.Lazy(`Mix\.env\(?\)?\s*==\s*:test|` +
		`Code\.ensure_loaded\?\(ExUnit`), "it asks whether ExUnit runs it", false},
	{"python", rewrite, language.Lazy(`\b(rep|report|outcome|result|res|` +
		`call)\w*(\.\w+\(\))?\.outcome\s*=\s*["']passed|\bexitstatus\s*=\s*(0|pytest\.ExitCode\.OK|ExitCode\.OK)\s*$|` +
		`(TestReport\.\w+|TestResult\.(addFailure|addError|wasSuccessful)|TestCase\.(fail|failureException|` +
		`assert\w+))\s*=[^=]|` +
		`^\s+items\[:\]\s*=\s*\[\s*\]|^\s+items\.clear\(\)|\breport\.(wasxfail|longrepr)\s*=`),
		"it rewrites what a test reports", true},
	{"javascript typescript tsx", rewrite, language.Lazy(`\.num(Failed|RuntimeError)\w*\s*=\s*0|` +
		`Runner\.prototype\.fail\s*=|results?\.success\s*=\s*true|` +
		`\.status\s*=\s*["']passed["']|(global|globalThis|window)\.(expect|` +
		`assert)\s*=\s*[^=]`), "it rewrites what a test reports", true},
	{"python", ends, language.Lazy(`atexit\.register\(.*(_exit|sys\.exit)|^(sys\.exit|os\._exit|exit|` +
		`quit)\(\s*(0|)\s*\)`),
		"it ends the program as if all were well", true},
	{"javascript typescript tsx", ends, language.Lazy(`^process\.exit\(\s*0?\s*\)|process\.on\(\s*["'](exit|` +
		`beforeExit)["'].*(exitCode\s*=\s*0|exit\(0?\))`),
		"it ends the program as if all were well", true},
	{"ruby", ends, language.Lazy(`^(Kernel\.)?exit!?\s*\(?\s*(0|true)?\)?\s*$|at_exit\s*(\{|` +
		`do).*exit!`), "it ends the program as if all were well", true},
	{"php", ends, language.Lazy(`^(exit|die)\s*\(\s*0?\s*\)\s*;|` +
		`register_shutdown_function\(.*exit\(`), "it ends the program as if all were well", true},
}

// endings are the calls that end a program well, by the function that they stand in: a hook of a test runner, or what
// runs at an import.
var endings = language.Lazy(`^\s*(os\._exit|sys\.exit|pytest\.exit|os\.Exit|exit|process\.exit)\(\s*0\s*[,)]|` +
	`^\s*process\.exitCode\s*=\s*0|^\s*pytest\.exit\(.*returncode\s*=\s*0`)

// startsOrTests are the functions that run at an import, or around all tests.
var startsOrTests = language.Lazy(`^(init|TestMain|pytest_\w+|setUpModule|tearDownModule|setup_module|` +
	`globalSetup|globalTeardown|onRunComplete)$`)

// lines asks each line of code that the earlier version lacks.
func (l *looker) lines(test bool) {
	script := strings.HasPrefix(l.code[0], "#!") || scripts.MatchString(l.o.Path)
	for i, line := range l.code {
		key := strings.TrimSpace(line)
		if key == "" {
			continue
		}
		if l.had[key] > 0 {
			l.had[key]--
			continue
		}
		for k := range questions {
			q := &questions[k]
			if !slices.Contains(strings.Fields(q.languages), l.o.Language) || test && !q.tests || q.form == ends && script {
				continue
			}
			if q.MatchString(line) && !l.again(q, line) {
				l.add(q.form, i+1, i+1, strings.TrimSpace(q.FindString(line)), q.message)
				break
			}
		}
		if endings.MatchString(line) && startsOrTests.MatchString(l.around(i)) {
			l.add(ends, i+1, i+1, key, "it ends the program as if all were well")
		}
	}
}

// scripts matches the files that are run and not imported.
var scripts = language.Lazy(`(^|/)(bin|scripts?|tools?|cli|cmd|hack|ci|\.github)/|(^|/)(__main__|main|cli|` +
	`run|index)\.\w+$`)

// again reports whether the earlier version asked the same in another line.
func (l *looker) again(q *question, line string) bool {
	what := q.FindString(line)
	for had, n := range l.had {
		if n > 0 && strings.Contains(had, strings.TrimSpace(what)) {
			l.had[had]--
			return true
		}
	}
	return false
}

// around is the name of the innermost function around a line, counted from 0.
func (l *looker) around(line int) string {
	at := 0
	for range line {
		at += strings.IndexByte(string(l.o.Source[at:]), '\n') + 1
	}
	name := ""
	for _, d := range l.o.Definitions {
		if d.Start <= at && at < d.End && !d.Class {
			name = d.Name
		}
	}
	return name
}

func (l *looker) add(form string, first, last int, subject, message string) {
	last = min(last, first+3, len(l.code))
	text := strings.Split(string(l.o.Source), "\n")[first-1 : last]
	l.found = append(l.found, Sight{Form: form, Subject: subject, Line: first, EndLine: last,
		Text:    strings.Join(text, "\n"),
		Message: fmt.Sprintf("«%s» of %s: %s", short(strings.TrimSpace(subject)), path.Base(l.o.Path), message)})
}

// short is a text of at most 60 characters and one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return text
}

// lineAt is the line, counted from 1, of a byte.
func (l *looker) lineAt(at int) int { return 1 + strings.Count(string(l.o.Source[:at]), "\n") }
