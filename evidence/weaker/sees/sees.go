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

// File is a file in both trees. Was are the bytes of the earlier version, Before reads its outline, nil where it is new
// or cannot be read; Test reports that it is one of tests.
type File struct {
	Was    []byte
	Before func() (*evidence.Outline, error)
	After  *evidence.Outline
	Test   bool
}

// Look finds what the later version of a file got. tests are the files of tests that come with it, in the later tree;
// they are asked for where a branch may be one on their inputs. The error is that of tests or Before.
func Look(f File, tests func() ([]*evidence.Outline, error)) ([]Sight, error) {
	if f.After == nil {
		return nil, nil
	}
	l := looker{o: f.After, lines: strings.Split(string(f.After.Source), "\n"), code: codeOf(f.After),
		had: map[string]int{}}
	for line := range strings.Lines(string(f.Was)) {
		l.had[strings.TrimSpace(line)]++
	}
	if !f.Test {
		if err := l.equalities(f.Before); err != nil {
			return nil, err
		}
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
	// lines are its lines, code the same without comments.
	lines, code []string
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

//go:embed questions.txt
var questionsText string

// question is a pattern by which code of some languages sees a test: an entry of questions.txt.
type question struct {
	languages, form string
	lang.Pattern
	message string
}

// isOf reports whether it is asked of such a file.
func (q *question) isOf(name string, test bool) bool {
	return (!test || q.form != asks) && slices.Contains(strings.Fields(q.languages), name)
}

const (
	asks = "asks for a test"
	ends = "ends well"
)

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
			if !q.isOf(l.o.Language, test) || q.form == ends && script {
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
	text := l.lines[first-1 : last]
	l.found = append(l.found, Sight{Form: form, Subject: subject, Line: first, EndLine: last,
		Text:    strings.Join(text, "\n"),
		Message: fmt.Sprintf("«%s» of %s: %s", short(strings.TrimSpace(subject)), path.Base(l.o.Path), message)})
}

// short is a text of at most 60 characters and one line.
func short(text string) string { return diag.Brief(text, 60) }

// lineAt is the line, counted from 1, of a byte.
func (l *looker) lineAt(at int) int { return 1 + bytes.Count(l.o.Source[:at], []byte("\n")) }
