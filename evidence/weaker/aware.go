package weaker

import (
	"bytes"
	_ "embed" // the table
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
	"github.com/acta-git/acta/report"
)

// Test-aware code: aware.txt has the expressions, by languages and forms.

//go:embed aware.txt
var awareText string

type awarePattern struct {
	languages     []string
	form, message string
	lang.Pattern
}

const (
	exitsWell        = "ends well"
	answersTestInput = "answers a test"
)

var awarePatterns = sync.OnceValue(func() (all []awarePattern) {
	for _, w := range lang.Table(awareText) {
		form, message, _ := strings.Cut(w.Text, " | ")
		all = append(all, awarePattern{strings.Fields(w.Name), form, message, lang.Lazy("(?m)" + strings.Join(w.Lines, ""))})
	}
	return all
})

// addTestAwareCode adds code of the later tree that only tests could need.
func (t *trees) addTestAwareCode(account *Account) {
	paths := slices.DeleteFunc(slices.Clone(t.Paths), func(name string) bool {
		return !evidence.HasDefinitions(name) || fits("aside", name)
	})
	var tests []string
	removed := "" // new code may come from a removed file
	for _, name := range paths {
		src := t.content(1, name)
		if evidence.HoldsTests(name) {
			tests = append(tests, strings.Split(string(src), "\n")...)
		}
		if src == nil {
			removed += "\n" + flat(string(t.content(0, name)))
		}
	}
	for _, name := range paths {
		before, src := t.content(0, name), t.content(1, name)
		if src == nil || !mayHold(changed(before, src), name, tests) {
			continue
		}
		o := evidence.ReadOf(t.Reads, func() (*evidence.Outline, error) { return t.After.Outline(t.Ctx, name) })
		if o != nil {
			l := sourceScan{&file{Outline: o}, codeOf(o), flat(string(before)) + removed, map[string]int{}, account}
			l.scan(tests)
		}
	}
}

// maxAround is how many lines around a new one are scanned.
const maxAround = 3

// changed returns the lines of a source that the earlier version lacks, with the lines around them.
func changed(before, src []byte) []byte {
	oldLines := map[string]bool{}
	for line := range bytes.Lines(before) {
		oldLines[string(bytes.TrimSpace(line))] = true
	}
	lines, end := bytes.SplitAfter(src, []byte("\n")), 0
	var all []byte
	for i, line := range lines {
		if !oldLines[string(bytes.TrimSpace(line))] {
			from, to := max(end, i-maxAround), min(len(lines), i+maxAround+1)
			all, end = append(all, bytes.Join(lines[from:max(from, to)], nil)...), to
		}
	}
	return all
}

// mayHold reports whether a scan could find anything, even in comments: few sources are worth parsing.
func mayHold(src []byte, name string, tests []string) bool {
	language, ofTests := evidence.LanguageOf(name), evidence.HoldsTests(name)
	return slices.ContainsFunc(awarePatterns(), func(s awarePattern) bool {
		return s.appliesTo(language, ofTests, tests) && s.Match(src)
	}) || !ofTests && regexpOf("equality").Match(src)
}

// appliesTo reports whether an entry applies to a file of a language, in a change with these lines of tests.
func (s *awarePattern) appliesTo(language string, ofTests bool, tests []string) bool {
	return (!ofTests || s.form == exitsWell || s.form == "report rewritten") &&
		(s.form != answersTestInput || len(tests) > 0) &&
		(s.languages[0] == "hooks" || slices.Contains(s.languages, language))
}

// codeOf returns the source of a file with comments and bare strings blanked.
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

// sourceScan scans a file for what it has more often than before.
type sourceScan struct {
	*file
	// code is the source without comments, before the earlier version with all removed files.
	code, before string
	// newCounts are the new occurrences of each text that are not reported yet.
	newCounts map[string]int
	account   *Account
}

// scan looks for each entry of aware.txt, and for functions that say that everything is equal.
func (l *sourceScan) scan(tests []string) {
	script := strings.HasPrefix(l.code, "#!") || fits("scripts", l.Path) && !fits("imported", l.code)
	ofTests := evidence.HoldsTests(l.Path)
	for _, s := range awarePatterns() {
		ofHooks := s.languages[0] == "hooks"
		if !s.appliesTo(l.Language, ofTests, tests) || !ofHooks && script && s.form == exitsWell {
			continue
		}
		for _, m := range slices.Backward(s.In(l.code).FindAllStringSubmatchIndex(l.code, -1)) {
			if ofHooks && !l.inHook(m[0]) ||
				s.form == answersTestInput && !answersInput(l.code[m[2]:m[3]], l.code[m[4]:m[5]], tests) {
				continue
			}
			subject, _, _ := strings.Cut(strings.TrimSpace(l.code[m[0]:m[1]]), "\n")
			l.add(s.form, s.message, subject, m[0], m[1])
		}
	}
	for _, d := range l.Definitions {
		if d.Body >= 0 && !d.IsClass && !ofTests && fits("equal", d.Name+"\n"+l.code[d.Body:d.End]) {
			l.add("equal to everything", "it says that everything is equal", d.Symbol, d.Start, d.End)
		}
	}
}

// inHook reports whether a byte stands in a function that runs at import, or around all tests.
func (l *sourceScan) inHook(at int) bool {
	return slices.ContainsFunc(l.Definitions, func(d evidence.OutlineDefinition) bool {
		return d.Start <= at && at < d.End && fits("starts or tests", d.Name)
	})
}

const maxSubject = 60

// add reports a place if its text is more frequent than before.
func (l *sourceScan) add(form, reason, subject string, start, end int) {
	text := flat(l.code[start:end])
	if _, counted := l.newCounts[text]; !counted {
		l.newCounts[text] = strings.Count(flat(l.code), text) - strings.Count(l.before, text)
	}
	if l.newCounts[text]--; l.newCounts[text] < 0 {
		return
	}
	w := Weakening{Kind: SeesTests}
	w.Form, w.Subject = form, subject
	w.After = l.place(1+strings.LastIndexByte(l.code[:start], '\n'), l.lineEnd(end))
	w.Message = fmt.Sprintf("«%s» of %s: %s", report.Brief(subject, maxSubject), path.Base(l.Path), reason)
	if form == "equal to everything" && (fits("one value", subject) || l.Language == "rust") {
		w.Excuse = "its type may have only one value, or be a matcher"
	}
	l.account.Weakenings = append(l.account.Weakenings, w)
}

// answersInput reports whether a line of the tests has all literals of a condition in order, and its result. One
// literal alone, or everyday ones, may have a result of their own.
func answersInput(condition, answer string, tests []string) bool {
	var inputs []string
	telling := false
	for _, m := range regexpOf("compared").In(condition).FindAllStringSubmatch(condition, -1) {
		in := strings.Trim(m[1], `"'()`)
		inputs = append(inputs, in)
		telling = telling || !fits("everyday", in)
	}
	if !telling || len(inputs) == 1 && !strings.Contains(inputs[0], ",") || fits("either", condition) {
		return false
	}
	holds := func(line string) bool {
		for _, in := range inputs {
			before, rest, found := strings.Cut(line, in)
			if !found {
				return false
			}
			line = before + "\x00" + rest
		}
		return strings.Contains(line, strings.Trim(answer, `"'`))
	}
	return slices.ContainsFunc(tests, holds)
}

// A conftest.py affects all tests below it: by a hook that changes which tests run, or a fixture that replaces the
// tree's own code.

func isConftest(name string) bool { return path.Base(name) == "conftest.py" }

func (k *comparison) compareConftest(b, a *file) {
	if b == nil && path.Dir(a.Path) != "." && !k.has(0, path.Dir(a.Path)) {
		return // there were no tests in a new folder
	}
	had := func(text string) bool { return b != nil && bytes.Contains(b.Source, []byte(text)) }
	if m := regexpOf("ignoring").FindIndex(a.Source); m != nil {
		if line := string(a.Source[m[0]:m[1]]); !had(strings.TrimSpace(line)) {
			w := k.add("collection changed", a.Path, Place{Path: a.Path}, a.place(m[0], m[1]),
				"files of tests are left out: %s", brief(line))
			w.CodeChanged = line[0] == ' ' || line[0] == '\t' // under a condition
		}
	}
	for _, u := range a.units {
		drops := regexpOf("dropping").FindString(u.text())
		if drops != "" && fits("collect hook", u.name) && !fits("chosen", u.text()) && !had(drops) {
			k.add("collection changed", u.symbol, Place{Path: a.Path}, u.place(),
				"%s keeps tests from running, whatever is chosen", u.name)
		}
	}
	for i := range a.doubles { // of all tests
		d := &a.doubles[i]
		u, subject, at := a.unitAt(d.at), a.Path, a.place(d.at, a.lineEnd(d.at))
		if u != nil {
			subject, at = u.symbol, u.place()
		}
		always := u == nil || strings.Contains(u.header, "autouse=True") || fits("starts or tests", u.name)
		if always && !had(string(a.Source[d.at:d.end])) {
			k.add(formDouble, subject, Place{Path: a.Path}, at, "every test gets a double of %s", d.text()).double = d
		}
	}
}

// isHook reports whether a framework runs a function before or after tests.
func (u *unit) isHook() bool { return fits("hook name", u.name) || fits("hook header", u.header) }

func (u *unit) text() string { return string(u.file.Source[u.start:u.end]) }

// compareModules finds new Python modules that shadow a module of the tree.
func (k *comparison) compareModules() {
	inPython := file{Outline: &evidence.Outline{Language: "python"}}
	for _, at := range k.Paths {
		if !isConftest(at) && !slices.Contains(pytestSettings, path.Base(at)) {
			continue
		}
		after := k.content(1, at)
		line := regexpOf("leading").FindString(string(after))
		if line == "" || strings.Contains(string(k.content(0, at)), line) {
			continue
		}
		for _, name := range k.Paths {
			for dir := path.Dir(name); dir != "." && path.Ext(name) == ".py" && !k.has(0, name); dir = path.Dir(dir) {
				module := strings.ReplaceAll(strings.TrimSuffix(name[len(dir)+1:], ".py"), "/", ".")
				if original := k.pathOf(&inPython, module); strings.Contains(line, path.Base(dir)) && original != "" &&
					!strings.HasPrefix(name, original) {
					k.add(formDouble, name, Place{Path: at}, placeFrom(at, after, strings.Index(string(after), line)),
						"%s replaces the tree's own %s", name, original)
				}
			}
		}
	}
}

// maxSources is how many files may change for production code to be read, for suppressions and for test-aware code.
// Larger changes are imports or those of a formatter.
const maxSources = 300

// limited returns the change without production code if it is too large.
func (c Change) limited() Change {
	if len(c.Paths) > maxSources {
		c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), func(path string) bool {
			return evidence.HasDefinitions(path) && !evidence.HoldsTests(path) && !gate.MayBeGate(path)
		})
	}
	return c
}

func (t *trees) addGates(account *Account) {
	found := evidence.ReadOf(t.Reads, func() ([]gate.Loosening, error) {
		return gate.Compare(t.Ctx, t.Paths, t.Before, t.After)
	})
	for _, l := range found {
		account.Gates++
		account.Weakenings = append(account.Weakenings, Weakening{Kind: Gate, Loosening: l})
	}
}
