// Package sees looks in code for what only a test could want of it: a question whether a test runs, equality with
// everything, a clean end before the tests are through, a report that is rewritten, and branches on the inputs of a
// test.
// In go the outlines of a file in two trees, out come Sights of what the later one has and the earlier one had not.
package sees

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Sight is one place of the later version of a file.
type Sight struct {
	// Form is the name of the form in docs/tests.md; Subject and Text are what stands there.
	Form, Subject, Text string
	// Line and EndLine count from 1, both included.
	Line, EndLine int
	// Message says in one sentence, without its stop, what the code does.
	Message string
	// Excuse says why this may be honest; "" where nothing excuses it.
	Excuse string
}

// File is a file in both trees. Was is the earlier version; of a new file all that is gone elsewhere, as it may come
// from there. Test reports that it is one of tests.
type File struct {
	Was   []byte
	After *evidence.Outline
	Test  bool
}

// Look finds what the later version of a file got. tests are the files of tests that come with it, in the later tree;
// they are asked for where a branch may be one on their inputs. The error is that of tests.
func Look(f File, tests func() ([]*evidence.Outline, error)) ([]Sight, error) {
	if f.After == nil {
		return nil, nil
	}
	l := looker{o: f.After, lines: strings.Split(string(f.After.Source), "\n"), plain: codeOf(f.After),
		had: map[string]int{}}
	l.code = strings.Split(l.plain, "\n")
	for line := range strings.Lines(string(f.Was)) {
		l.had[strings.TrimSpace(line)]++
	}
	if !f.Test {
		l.equalities(flat(string(f.Was)))
		if err := l.branches(tests); err != nil {
			return nil, err
		}
	}
	l.questions(f.Test) // which takes from what the earlier version had
	slices.SortStableFunc(l.found, func(a, b Sight) int { return cmp.Compare(a.Line, b.Line) })
	return l.found, nil
}

// aside matches files that are for tests, builds or examples by what they are.
var aside = lang.Lazy(`(?i)(^|/)(docs?|examples?|samples?|benchmarks?|fixtures?|node_modules|vendor|third_party|` +
	`playground|config)/|(^|/)(setup|fabfile|rakefile|mix)\.\w+$|` +
	`(^|/)([\w.-]*config|gulpfile|gruntfile|(webpack|rollup|babel)([.-][\w.-]*)?)\.[cm]?[jt]s$`)

// IsAside reports whether a file of a path is for tests, builds or examples, so that nothing is looked for in it.
func IsAside(path string) bool { return aside.MatchString(path) }

// looker looks at one file.
type looker struct {
	o *evidence.Outline
	// lines are its lines, code the same without comments, and plain all of that.
	lines, code []string
	plain       string
	// had counts the lines of the earlier version.
	had   map[string]int
	found []Sight
}

// codeOf is a file, its comments and bare texts left blank.
func codeOf(o *evidence.Outline) string {
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
	return string(src)
}

//go:embed questions.txt
var questionsText string

// question is a pattern by which code of some languages sees a test: an entry of questions.txt.
type question struct {
	languages, form string
	lang.Pattern
	message string
}

const ends = "ends well"

// questions are those of questions.txt, in its order: they are asked of each line of code.
var questions = sync.OnceValue(func() (all []question) {
	for _, w := range lang.Table(questionsText) {
		form, message, _ := strings.Cut(w.Why, " | ")
		all = append(all, question{w.Word, form, lang.Lazy(strings.Join(w.When, "")), message})
	}
	return all
})

// endings are the calls that end a program well, by the function that they stand in: a hook of a test runner, or what
// runs at an import.
var endings = lang.Lazy(`^\s*(os\._exit|sys\.exit|pytest\.exit|os\.Exit|exit|process\.exit)\(\s*0\s*[,)]|` +
	`^\s*process\.exitCode\s*=\s*0|^\s*pytest\.exit\(.*returncode\s*=\s*0`)

// startsOrTests are the functions that run at an import, or around all tests.
var startsOrTests = lang.Lazy(`^(init|TestMain|pytest_\w+|setUpModule|tearDownModule|setup_module|` +
	`globalSetup|globalTeardown|onRunComplete)$`)

// questions asks each line of code that the earlier version lacks.
func (l *looker) questions(test bool) {
	script := strings.HasPrefix(l.code[0], "#!") ||
		scripts.MatchString(l.o.Path) && !slices.ContainsFunc(l.code, imported.MatchString)
	for i, line := range l.code {
		if strings.TrimSpace(line) == "" {
			continue
		}
		key := strings.TrimSpace(l.lines[i])
		if l.had[key] > 0 {
			l.had[key]--
			continue
		}
		for _, q := range questions() {
			ofTests := q.form == ends || q.form == "report rewritten"
			if test && !ofTests || q.form == ends && script || !slices.Contains(strings.Fields(q.languages), l.o.Language) {
				continue
			}
			if q.MatchString(line) && !l.again(&q, line) {
				l.add(q.form, i+1, i+1, strings.TrimSpace(q.FindString(line)), q.message)
				break
			}
		}
		if endings.MatchString(line) && startsOrTests.MatchString(l.around(i)) {
			l.add(ends, i+1, i+1, strings.TrimSpace(line), "it ends the program as if all were well")
		}
	}
}

// scripts matches the files that are run and not imported.
var scripts = lang.Lazy(`(^|/)(bin|scripts?|tools?|cli|cmd|hack|ci|\.github)/|(^|/)(__main__|main|cli|` +
	`run|index)\.\w+$`)

// imported matches a line of what others import, whatever it is called.
var imported = lang.Lazy(`^(export\b|\s*(module\.)?exports\b|if __name__\b|if __FILE__\b|module [A-Z])`)

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
	at, name := len(strings.Join(l.lines[:line], "\n"))+1, ""
	for _, d := range l.o.Definitions {
		if d.Start <= at && at < d.End && !d.Class {
			name = d.Name
		}
	}
	return name
}

// maxShown is how much of a text a message has, in characters.
const maxShown = 60

func (l *looker) add(form string, first, last int, subject, message string) {
	last = min(last, first+3, len(l.code))
	text := l.lines[first-1 : last]
	l.found = append(l.found, Sight{Form: form, Subject: subject, Line: first, EndLine: last,
		Text:    strings.Join(text, "\n"),
		Message: fmt.Sprintf("«%s» of %s: %s", diag.Brief(subject, maxShown), path.Base(l.o.Path), message)})
}

// lineAt is the line, counted from 1, of a byte.
func (l *looker) lineAt(at int) int { return 1 + bytes.Count(l.o.Source[:at], []byte("\n")) }

// flat is a text without what a formatter may change in it.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

var (
	// equals are the names of functions that say whether two values are the same, differs those that say the contrary.
	equals  = lang.Lazy(`^(__eq__|[eE]quals|Equal|==|eql\?|eq|isEqual|isEqualTo|is_equal|operator==|__contains__)$`)
	differs = lang.Lazy(`^(__ne__|ne|!=|operator!=)$`)
	// same is a body that answers the same whatever is asked: its group.
	same = lang.Lazy(`^[\s{:=]*(?:->\s*\w+\s*[{:]\s*)?(?:return\s+)?([Tt]rue|[Ff]alse)\s*;?\s*}?\s*(?:end)?\s*$`)
	// matchers are types that their names call equal to everything on purpose, or of one value.
	matchers = lang.Lazy(`^(Any|All|Always|Ignor\w*|Wild\w*|Empty|Null|Never|Unit|Nothing|None)([A-Z_]|$)|` +
		`(Any|Match(er|es)?|Wildcard|Singleton|Phantom|Unit|Never|Nothing|None)$`)
)

// equalities finds functions that newly answer that everything is equal.
func (l *looker) equalities(was string) {
	for _, d := range l.o.Definitions {
		if d.Body < 0 || d.Class || strings.Contains(was, flat(string(l.o.Source[d.Start:d.End]))) {
			continue
		}
		body := same.FindStringSubmatch(l.plain[d.Body:d.End])
		if body == nil || !(body[1][1:] == "rue" && equals.MatchString(d.Name) ||
			body[1][1:] == "alse" && differs.MatchString(d.Name)) {
			continue
		}
		l.add("equal to everything", l.lineAt(d.Start), l.lineAt(d.End), d.Symbol, "it says that everything is equal")
		owner := strings.TrimSuffix(d.Symbol, "."+d.Name)
		if matchers.MatchString(owner[strings.LastIndexByte(owner, '.')+1:]) || l.o.Language == "rust" {
			l.found[len(l.found)-1].Excuse = "its type may have one value alone, or be a matcher"
		}
	}
}

const literal = `("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d_.]*|[\[({][^\[({]*[\])}])`

var (
	// compared matches an equality with a literal, and answers a branch that gives one: its group.
	compared = lang.Lazy(`(?:={2,3}|\bis\b|\beql\?)\s*` + literal)
	answers  = lang.Lazy(`^[\s{:]*(?:return\s+)?` + literal + `\s*;?\s*}?\s*(?:end)?\s*$`)
	// either is a condition that not all of its literals need hold for.
	either = lang.Lazy(`\|\||\bor\b|!=`)
	ifs    = lang.Lazy(`^(if_statement|elif_clause|if|if_expression|elsif)$`)
	// plain are literals that any code may ask for: of one character, round numbers, nothing.
	plain = lang.Lazy(`^-?.?$|^-?10+$|^[\s\[\](){}]*$`)
)

// branches finds conditions that ask for the inputs of a test that comes with the code, and answer what it expects.
func (l *looker) branches(tests func() ([]*evidence.Outline, error)) (err error) {
	l.o.Tree.Walk(func(n *syntax.Node, _ int) bool {
		inputs, answer := branchAt(n, l.o.Source)
		first := l.lineAt(n.Start())
		if answer == "" || l.had[strings.TrimSpace(l.lines[first-1])] > 0 {
			return true
		}
		var all []*evidence.Outline
		if all, err = tests(); err != nil {
			return false
		}
		for _, test := range all {
			for line := range strings.Lines(string(test.Source)) {
				if holds(line, inputs, answer) {
					l.add("answers a test", first, l.lineAt(n.End()), strings.TrimSpace(l.code[first-1]),
						"it answers «"+diag.Brief(answer, maxShown)+"» to the inputs of "+test.Path)
					return true
				}
			}
		}
		return true
	})
	return err
}

// branchAt is what a branch asks for, several literals of which one is not plain, and the literal that it answers; ""
// where a node is none.
func branchAt(n *syntax.Node, src []byte) (inputs []string, answer string) {
	if !ifs.MatchString(n.Type()) {
		return nil, ""
	}
	condition := n.Field("condition")
	if condition == nil {
		condition = n.NamedChild(0)
	}
	then := condition
	for then != nil && (then == condition || !then.IsNamed() || then.IsExtra()) { // not every grammar names it
		then = then.NextSibling()
	}
	if then == nil {
		return nil, ""
	}
	asked := condition.Content(src)
	if either.MatchString(asked) {
		return nil, ""
	}
	for _, m := range compared.In(asked).FindAllStringSubmatch(asked, -1) {
		inputs = append(inputs, strings.Trim(m[1], `"'()`))
	}
	gives := answers.FindStringSubmatch(then.Content(src))
	telling := slices.ContainsFunc(inputs, func(in string) bool { return !plain.MatchString(in) })
	if gives == nil || !telling || len(inputs) == 1 && !strings.Contains(inputs[0], ",") { // which may have its own answer
		return nil, ""
	}
	return inputs, strings.Trim(gives[1], `"'`)
}

// holds reports whether a line has all inputs in their order, and the answer besides.
func holds(line string, inputs []string, answer string) bool {
	for _, in := range inputs {
		before, rest, found := strings.Cut(line, in)
		if !found {
			return false
		}
		line = before + "\x00" + rest
	}
	return strings.Contains(line, answer)
}
