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
