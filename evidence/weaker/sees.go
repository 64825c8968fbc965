package weaker

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the table
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
		form, message, _ := strings.Cut(w.Why, " | ")
		all = append(all, sight{strings.Fields(w.Word), form, message, lang.Lazy("(?m)" + strings.Join(w.When, ""))})
	}
	return all
})

var (
	// aside matches files that are for tests, builds or examples by what they are.
	aside = lang.Lazy(`(?i)(^|/)(docs?|examples?|samples?|benchmarks?|fixtures?|node_modules|vendor|third_party|` +
		`playground|config)/|(^|/)(setup|fabfile|rakefile|mix)\.\w+$|` +
		`(^|/)([\w.-]*config|gulpfile|gruntfile|(webpack|rollup|babel)([.-][\w.-]*)?)\.[cm]?[jt]s$`)
	// scripts matches files that are run and not imported, imported a line of what others import, whatever it is called.
	scripts = lang.Lazy(`(^|/)(bin|scripts?|tools?|cli|cmd|hack|ci|\.github)/|(^|/)(__main__|main|cli|` +
		`run|index)\.\w+$`)
	imported = lang.Lazy(`(?m)^(export\b|\s*(module\.)?exports\b|if __name__\b|if __FILE__\b|module [A-Z])`)
	// startsOrTests are the functions that run at an import, or around all tests.
	startsOrTests = lang.Lazy(`^(init|TestMain|pytest_\w+|setUpModule|tearDownModule|setup_module|` +
		`globalSetup|globalTeardown|onRunComplete)$`)
	// equal is the name of a function that says whether two values are the same, and a body that always says so.
	equal = lang.Lazy(`^(?:(?:__eq__|[eE]quals|Equal|==|eql\?|eq|isEqual|isEqualTo|is_equal|operator==|__contains__)\n` +
		`[\s{:=]*(?:return\s+)?[Tt]rue|(?:__ne__|ne|!=|operator!=)\n[\s{:=]*(?:return\s+)?[Ff]alse)[\s;}]*(?:end)?\s*$`)
	// equality is the head of a function with such a name.
	equality = lang.Lazy(`\b(__(eq|ne|contains)__|[eE]quals|Equal|eql\?|eq|ne|isEqual(To)?|is_equal)\s*[(=:]|` +
		`\b(def|func?|function|operator)\s*(self\.)?[!=]=`)
	// oneValue are types that their names call equal to everything on purpose, or of one value.
	oneValue = lang.Lazy(`(^|\.)(Any|All|Always|Ignor\w*|Wild\w*|Empty|Null|Never|Unit|Nothing|None)([A-Z_]\w*)?\.[^.]+$` +
		`|(Any|Match(er|es)?|Wildcard|Singleton|Phantom|Unit|Never|Nothing|None)\.[^.]+$`)
)

// seesTests adds what the later tree's code has that only a test could want of it.
func (c Change) seesTests(ctx context.Context, account *Account) error {
	var files []*evidence.Outline
	var gone, tests []string
	for _, name := range slices.Sorted(slices.Values(c.Paths)) {
		if !evidence.HasDefinitions(name) || aside.MatchString(name) {
			continue
		}
		was, src, err := c.sides(ctx, name)
		if err != nil {
			return err
		}
		if evidence.HoldsTests(name) {
			tests = append(tests, strings.Split(string(src), "\n")...)
		}
		if src == nil {
			gone = append(gone, name)
		} else if mayHold(changed(was, src), name) {
			o, err := c.After.Outline(ctx, name)
			if err != nil {
				return err
			}
			if o != nil {
				files = append(files, o)
			}
		}
	}
	for _, o := range files {
		var err error
		l := looker{file: &file{Outline: o}, code: codeOf(o), came: map[string]int{}}
		l.was = sync.OnceValue(func() (all string) {
			for _, name := range append([]string{o.Path}, gone...) { // what is new may come from a file that is gone
				was, fails := c.Before.Outline(ctx, name)
				if err = cmp.Or(err, fails); was != nil {
					all += flat(codeOf(was)) + "\n"
				}
			}
			return all
		})
		l.look(tests)
		if err != nil {
			return err
		}
		slices.SortStableFunc(l.found, func(a, b Weakening) int { return cmp.Compare(a.After.Line, b.After.Line) })
		account.Weakenings = append(account.Weakenings, l.found...)
	}
	return nil
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
	}) || equality.Match(src)
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
	// code is its source without comments, was that of its earlier version and of the files that are gone.
	code string
	was  func() string
	// came counts by how much each text is more frequent in code, less what was told.
	came  map[string]int
	found []Weakening
}

// look looks for each entry of sees.txt, and for functions that say that everything is equal.
func (l *looker) look(tests []string) {
	script := strings.HasPrefix(l.code, "#!") || scripts.MatchString(l.Path) && !imported.MatchString(l.code)
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
		if d.Body >= 0 && !d.Class && !ofTests && equal.MatchString(d.Name+"\n"+l.code[d.Body:d.End]) {
			l.add("equal to everything", "it says that everything is equal", d.Symbol, d.Start, d.End)
		}
	}
}

// inHook reports whether a byte stands in a function that runs at an import, or around all tests.
func (l *looker) inHook(at int) bool {
	return slices.ContainsFunc(l.Definitions, func(d evidence.OutlinedDefinition) bool {
		return d.Start <= at && at < d.End && startsOrTests.MatchString(d.Name)
	})
}

// maxSight is how much of a text a message has, in characters.
const maxSight = 60

// add adds what stands at a place, if it stands more often than it stood.
func (l *looker) add(form, says, subject string, start, end int) {
	text := flat(l.code[start:end])
	if _, counted := l.came[text]; !counted {
		l.came[text] = strings.Count(flat(l.code), text) - strings.Count(l.was(), text)
	}
	if l.came[text]--; l.came[text] < 0 {
		return
	}
	w := Weakening{Kind: SeesTests, Form: form, Subject: subject,
		After:   l.place(1+strings.LastIndexByte(l.code[:start], '\n'), l.lineEnd(end)),
		Message: fmt.Sprintf("«%s» of %s: %s", diag.Brief(subject, maxSight), path.Base(l.Path), says)}
	if form == "equal to everything" && (oneValue.MatchString(subject) || l.Language == "rust") {
		w.Excuse = "its type may have one value alone, or be a matcher"
	}
	l.found = append(l.found, w)
}

var (
	// compared matches an equality with a literal: its group.
	compared = lang.Lazy(`(?:={2,3}|\bis\b|\beql\?)\s*` +
		`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d_.]*|[\[({][^\[({]*[\])}])`)
	// either is a condition that not all of its literals need hold for.
	either = lang.Lazy(`\|\||\bor\b|!=`)
	// everyday are literals that any code may ask for: of one character, round numbers, nothing.
	everyday = lang.Lazy(`^-?.?$|^-?10+$|^[\s\[\](){}]*$`)
)

// answered reports whether a line of tests has all literals that a condition asks for, in their order, and the answer
// besides. They must be several, one of them telling: one alone may have an answer of its own.
func answered(condition, answer string, tests []string) bool {
	var inputs []string
	telling := false
	for _, m := range compared.In(condition).FindAllStringSubmatch(condition, -1) {
		in := strings.Trim(m[1], `"'()`)
		inputs = append(inputs, in)
		telling = telling || !everyday.MatchString(in)
	}
	if !telling || len(inputs) == 1 && !strings.Contains(inputs[0], ",") || either.MatchString(condition) {
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
