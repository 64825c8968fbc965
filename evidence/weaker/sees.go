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

// What only a test could want of code: sees.txt has the expressions, by languages and forms.

//go:embed sees.txt
var seesText string

// sight is an entry of sees.txt.
type sight struct {
	languages     []string
	form, message string
	lang.Pattern
}

const (
	endsWell    = "ends well"
	answersTest = "answers a test"
)

var sights = sync.OnceValue(func() (all []sight) {
	for _, w := range lang.Table(seesText) {
		form, message, _ := strings.Cut(w.Text, " | ")
		all = append(all, sight{strings.Fields(w.Name), form, message, lang.Lazy("(?m)" + strings.Join(w.Lines, ""))})
	}
	return all
})

// seesTests adds what the later tree's code has that only a test could want of it.
func (t *trees) seesTests(account *Account) {
	var looks []*looker
	var tests []string
	gone := ""
	for _, name := range t.Paths {
		if !evidence.HasDefinitions(name) || fits("aside", name) {
			continue
		}
		was, src := t.content(0, name), t.content(1, name)
		if evidence.HoldsTests(name) {
			tests = append(tests, strings.Split(string(src), "\n")...)
		}
		if src == nil {
			gone += flat(string(was)) + "\n"
		} else if mayHold(changed(was, src), name) {
			if o := t.outline(1, name); o != nil {
				looks = append(looks, &looker{&file{Outline: o}, codeOf(o), flat(string(was)), map[string]int{}, nil})
			}
		}
	}
	for _, l := range looks {
		l.was += "\n" + gone // what is new may come from a file that is gone
		l.look(tests)
		account.Weakenings = append(account.Weakenings, l.found...)
	}
}

// maxAround is how many lines around one that is new are looked at.
const maxAround = 3

// changed are the lines of a source that its earlier version has nowhere, with those around them.
func changed(was, src []byte) []byte {
	had := map[string]bool{}
	for line := range bytes.Lines(was) {
		had[string(bytes.TrimSpace(line))] = true
	}
	lines, taken := bytes.SplitAfter(src, []byte("\n")), 0
	var all []byte
	for i, line := range lines {
		if !had[string(bytes.TrimSpace(line))] {
			from, to := max(taken, i-maxAround), min(len(lines), i+maxAround+1)
			all, taken = append(all, bytes.Join(lines[from:max(from, to)], nil)...), to
		}
	}
	return all
}

// mayHold reports whether a source has anything that looker looks for, be it in a comment: few have, and are parsed.
func mayHold(src []byte, name string) bool {
	language := evidence.LanguageOf(name)
	return slices.ContainsFunc(sights(), func(s sight) bool {
		return s.of(language, evidence.HoldsTests(name)) && s.Match(src)
	}) || regexpOf("equality").Match(src)
}

// of reports whether an entry is looked for in a file of a language.
func (s *sight) of(language string, test bool) bool {
	return (!test || s.form == endsWell || s.form == "report rewritten") &&
		(s.languages[0] == "hooks" || slices.Contains(s.languages, language))
}

// codeOf is the source of a file, its comments and bare texts left blank.
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

// looker looks at one file for what it has more often than it had.
type looker struct {
	*file
	// code is its source without comments, was its earlier version, and the files that are gone.
	code, was string
	// came counts by how much each text is more frequent in code, less what was told.
	came  map[string]int
	found []Weakening
}

// look looks for each entry of sees.txt, and for functions that say that everything is equal.
func (l *looker) look(tests []string) {
	script := strings.HasPrefix(l.code, "#!") || fits("scripts", l.Path) && !fits("imported", l.code)
	ofTests := evidence.HoldsTests(l.Path)
	for _, s := range sights() {
		ofHooks := s.languages[0] == "hooks"
		if !s.of(l.Language, ofTests) || !ofHooks && script && s.form == endsWell {
			continue
		}
		for _, m := range slices.Backward(s.In(l.code).FindAllStringSubmatchIndex(l.code, -1)) {
			if ofHooks && !l.inHook(m[0]) ||
				s.form == answersTest && !answered(l.code[m[2]:m[3]], l.code[m[4]:m[5]], tests) {
				continue
			}
			subject, _, _ := strings.Cut(strings.TrimSpace(l.code[m[0]:m[1]]), "\n")
			l.add(s.form, s.message, subject, m[0], m[1])
		}
	}
	for _, d := range l.Definitions {
		if d.Body >= 0 && !d.Class && !ofTests && fits("equal", d.Name+"\n"+l.code[d.Body:d.End]) {
			l.add("equal to everything", "it says that everything is equal", d.Symbol, d.Start, d.End)
		}
	}
}

// inHook reports whether a byte stands in a function that runs at an import, or around all tests.
func (l *looker) inHook(at int) bool {
	return slices.ContainsFunc(l.Definitions, func(d evidence.OutlinedDefinition) bool {
		return d.Start <= at && at < d.End && fits("starts or tests", d.Name)
	})
}

// maxSight is how much of a text a message has, in characters.
const maxSight = 60

// add adds what stands at a place, if it stands more often than it stood.
func (l *looker) add(form, says, subject string, start, end int) {
	text := flat(l.code[start:end])
	if _, counted := l.came[text]; !counted {
		l.came[text] = strings.Count(flat(l.code), text) - strings.Count(l.was, text)
	}
	if l.came[text]--; l.came[text] < 0 {
		return
	}
	w := Weakening{Kind: SeesTests, Form: form, Subject: subject,
		After:   l.place(1+strings.LastIndexByte(l.code[:start], '\n'), l.lineEnd(end)),
		Message: fmt.Sprintf("«%s» of %s: %s", report.Brief(subject, maxSight), path.Base(l.Path), says)}
	if form == "equal to everything" && (fits("one value", subject) || l.Language == "rust") {
		w.Excuse = "its type may have one value alone, or be a matcher"
	}
	l.found = append(l.found, w)
}

// answered reports whether a line of tests has all literals that a condition asks for, in their order, and the answer
// besides. They must be several, one of them telling: one alone may have an answer of its own.
func answered(condition, answer string, tests []string) bool {
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
