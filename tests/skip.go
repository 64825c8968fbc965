package tests

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// skipper says how a language's frameworks keep a test from running. Group 1 of guarded is the condition.
type skipper struct {
	always, guarded language.Pattern
	// call are the calls of a body that skip the test.
	call language.Pattern
}

// never matches nothing: a language has no such form.
var never language.Pattern

var skippers = map[string]skipper{
	"python": {language.Lazy(`@\s*(?:[\w.]+\.)?(?:skip\b|Skip\b|expectedFailure\b|xfail\b(?:\s*\(\s*(?:reason` +
		`|strict|raises)\b|\s*\(\s*\)|\s*$|\s*\n|\s*\(\s*["']))|__test__\s*=\s*False`),
		language.Lazy(`(?s)@\s*(?:[\w.]+\.)?(?:skipif|skipIf|skipUnless|xfail)\s*\(\s*(.*?)(?:,|\)\s*\n)`),
		language.Lazy(`^(?:pytest\s*\.\s*(?:skip|xfail)|self\s*\.\s*skipTest|cls\s*\.\s*skipTest)\s*\(` +
			`|^raise\s+(?:unittest\.)?SkipTest`)},
	"go": {never, never, language.Lazy(`^(?:\w{1,2}|\w+\.T\(\))\s*\.\s*(?:Skip|Skipf` +
		`|SkipNow)\s*\(`)},
	"javascript": {language.Lazy(`^\s*(?:await\s+)?(?:x(?:it|test|describe|context|specify|suite)\b` +
		`|(?:[\w.]+\.)?(?:skip|todo|fixme|failing` +
		`|fails?)\s*(?:\.\s*each[^\n]*)?[(` + "`" + `])|\{\s*(?:skip|todo|ignore)\s*:\s*(?:true|["'])`),
		language.Lazy(`\.\s*(?:skipIf|runIf)\s*\(([^)]*)\)|\{\s*(?:skip|ignore)\s*:\s*([^}]*)\}`),
		language.Lazy(
			`^(?:(?:this|ctx|context|t)\s*\.\s*(?:skip|todo)|pending)\s*\(|^test\s*\.\s*(?:skip|fixme|fail)\s*\(\s*(?:\)` +
				`|true\b|["'])`,
		)},
	"java": {language.Lazy(javaSkip),
		language.Lazy(`@\s*((?:Disabled|Enabled)(?:On|If|For)\w+\b(?:\s*\([^)]*\))?|RunIf\b[^\n]*)`),
		language.Lazy(
			`^(?:Assume\w*\s*\.\s*)?assume(?:True\s*\(\s*false|False\s*\(\s*true)|^throw\s+new\s+(?:Skip|TestAborted` +
				`|AssumptionViolated)`,
		)},
	"csharp": {language.Lazy(`Skip\s*=\s*["\w$@]|[\[,]\s*(?:Ignore|Explicit)\b`),
		language.Lazy(`(?:SkipWhen|SkipUnless|Platform|SkippableFact|ConditionalFact)\s*(?:=\s*)?([^\],]*)`),
		language.Lazy(`^(?:Assert\s*\.\s*(?:Ignore|Inconclusive|Skip)|Skip\s*\.\s*(?:If\s*\(\s*true|Always))`)},
	"rust": {language.Lazy(`#\[\s*ignore\b`), language.Lazy(`(?s)#\[\s*cfg(?:_attr)?\s*\((.*?)\)\s*\]`),
		never},
	"ruby": {
		language.Lazy(
			`^\s*(?:(?:RSpec\.)?x(?:it|specify|describe|context|example|scenario|feature)|pending|skip)\b` +
				`|,\s*(?::skip|:pending|(?:skip|pending):\s*(?:true|["'])|:skip\s*=>)`,
		),
		language.Lazy(`(?:,\s*(?:skip|if|unless|pending):\s*([^\n]*?))(?:\s+do\b|$)`),
		language.Lazy(`^(?:skip|pending|omit)\b`),
	},
	"php": {language.Lazy(`->\s*(?:skip|todo)\s*\(\s*(?:\)|["']|true)|@(?:group|requires)\s+(?:skip|ignore)`),
		language.Lazy(`->\s*(?:skip\w*)\s*\(([^)]*)\)|#\[\s*Requires(\w+[^]]*)\]|@requires\s+([^\n]*)`),
		language.Lazy(`^(?:\$this\s*->|self\s*::|static\s*::)\s*markTest(?:Skipped|Incomplete)\s*\(`)},
	"swift": {language.Lazy(`\.disabled\s*\(\s*(?:["'")])`),
		language.Lazy(`\.(?:disabled|enabled)\s*\(\s*(if:[^)]*)`),
		language.Lazy(`^(?:throw\s+XCTSkip\b|try\s+XCTSkip(?:If\s*\(\s*true|Unless\s*\(\s*false))`)},
	"cpp": {language.Lazy(`\bDISABLED_|\[\.\w*\]|\[!(?:mayfail|shouldfail)\]|doctest::(?:skip|may_fail)`),
		never, language.Lazy(`^(?:GTEST_SKIP|SKIP)\s*\(`)},
	"scala": {language.Lazy(`^\s*ignore\s*\(|\bignore\s*(?:\{|$)|@Ignore\b|\bis\s*\(?\s*pending`), never,
		language.Lazy(`^(?:pending|cancel)\b|^assume\s*\(\s*false`)},
	"elixir": {language.Lazy(`@(?:tag|describetag)\s+(?:\[?\s*:skip|skip:)`),
		language.Lazy(`@(?:tag|moduletag)\s+:(?:pending|external)(\b)`), never},
	"bash": {never, never, language.Lazy(`^skip\b`)},
	"lua":  {language.Lazy(`^\s*pending\s*\(`), never, language.Lazy(`^pending\s*\(`)},
}

// javaSkip is a header of Java's frameworks that skips; those of Kotlin have more.
const javaSkip = `@\s*(?:[\w.]+\.)?(?:Ignored?|Disabled)\b|enabled\s*=\s*false`

var kotlinSkip = language.Lazy(
	javaSkip + `|^\s*x(?:test|it|should|given|describe)\b|config\s*\(\s*enabled(?:\s*=\s*false|If\s*=\s*\{\s*false)` +
		`|^\s*"!`)

func skipperOf(name string) skipper {
	switch name {
	case "typescript", "tsx":
		name = "javascript"
	case "kotlin":
		s := skippers["java"]
		s.always = kotlinSkip
		return s
	case "c", "c++":
		name = "cpp"
	}
	return skippers[name]
}

var focused = language.Lazy(
	`^\s*(?:"f:|(?:await\s+)?(?:f(?:it|describe|test|context|specify|feature)\b|(?:[\w.]+\.)?only\s*[(.]))` +
		`|,\s*(?::focus\b|focus:\s*true)|->\s*only\s*\(`,
)

// remarks are lines that are comments.
var remarks = language.Lazy(`(?m)^\s*(?:#\s|//)[^\n]*\n`)

// skipOf finds what keeps a unit from running: on itself, on what is around it, in its body, for the whole file.
func (f *file) skipOf(u *unit) skip {
	s := skipperOf(f.Language)
	if !s.always.IsSet() && !s.guarded.IsSet() && !s.call.IsSet() {
		return skip{}
	}
	found := skip{}
	look := func(header string) {
		header = remarks.ReplaceAllString(header, "")
		if found.always {
			return
		}
		if s.always.IsSet() && s.always.FindString(header) != "" {
			found = skip{always: true, text: strings.TrimSpace(header)}
			return
		}
		if !s.guarded.IsSet() {
			return
		}
		for _, m := range s.guarded.In(header).FindAllStringSubmatch(header, -1) {
			guard := strings.TrimSpace(strings.Join(m[1:], ""))
			switch g := strings.Trim(guard, `()!"' `); {
			case guard == "test":
			case isTrue(g) && !strings.Contains(m[0], "Unless"), isFalse(g) && strings.Contains(m[0], "Unless"):
				found = skip{always: true, text: strings.TrimSpace(header)}
			default:
				found.guard, found.text = strings.TrimPrefix(found.guard+" and "+guard, " and "), strings.TrimSpace(header)
			}
		}
	}
	for _, header := range f.headersOf(u) {
		look(header)
	}
	for _, g := range f.guards {
		switch {
		case found.always || u.start < g.start || g.end < u.end:
		case isFalse(g.condition):
			found = skip{always: true, text: g.condition}
		default:
			found.guard, found.text = strings.TrimPrefix(found.guard+" and "+g.condition, " and "), g.condition
		}
	}
	if u.body != nil && s.call.IsSet() {
		f.skipIn(u.body, s.call, "", &found, 0)
	}
	if f.whole.always {
		return f.whole
	}
	if f.whole.guard != "" && !found.always {
		found.guard, found.text = strings.TrimPrefix(found.guard+" and "+f.whole.guard, " and "), f.whole.text
	}
	return found
}

// headersOf are what stands before the body of a unit, and of the classes and groups around it.
func (f *file) headersOf(u *unit) []string {
	headers := []string{u.header}
	for _, d := range f.Definitions {
		if !d.Class || d.Outer >= u.start || u.end > d.End {
			continue
		}
		head := f.Source[d.Outer:u.start]
		if d.Body >= 0 {
			head = f.Source[d.Outer:max(d.Outer, min(d.Body, u.start))]
		} else if open := bytes.IndexByte(head, '{'); open >= 0 {
			head = head[:open]
		}
		headers = append(headers, string(head))
	}
	for _, g := range f.groups {
		if g.start <= u.start && u.end <= g.end {
			headers = append(headers, g.header)
		}
	}
	return headers
}

// skipIn finds calls that skip in a body. Those after the first assertion count as well: the rest does not run.
func (f *file) skipIn(b *block, call language.Pattern, guard string, found *skip, depth int) {
	for _, st := range b.statements {
		source := string(f.Source[st.start:min(st.end, st.start+maxStatement)])
		if m := importSkips.FindStringSubmatch(source); m != nil && bytes.Count(f.Source, []byte(m[1])) == 1 {
			found.guard, found.text = "not import "+m[1], m[0]
		}
		if call.MatchString(source) && !found.always {
			line, _, _ := strings.Cut(source, "\n")
			g := guard
			if i := strings.LastIndex(line, " if "); i >= 0 && f.Language == "ruby" {
				g = line[i+4:]
			}
			if g == "" || isTrue(g) {
				*found = skip{always: true, text: line}
			} else {
				found.guard, found.text = strings.TrimPrefix(found.guard+" and "+g, " and "), line
			}
		}
		if depth > 1 {
			continue
		}
		clauses := st.parts(f.tongue)
		for i, c := range clauses {
			if c.keyword != "if" && c.keyword != "unless" && c.keyword != "guard" && c.keyword != "elif" && c.keyword !=
				"else" || c.block == nil {
				continue
			}
			inner := c.keyword + " " + keys(c.head, nil)
			if c.keyword == "if" {
				inner = keys(c.head, nil)
			} else if c.keyword == "else" && i > 0 && clauses[i-1].keyword == "guard" { // guard x else { throw XCTSkip() }
				inner = "not " + keys(clauses[i-1].head, nil)
			}
			f.skipIn(c.block, call, inner, found, depth+1)
		}
	}
}

var (
	fileSkips = map[string]language.Pattern{
		"python": language.Lazy(
			`(?m)^pytestmark\s*=\s*\[?\s*pytest\.mark\.(?:skip\b|xfail\b)[^\n]*` +
				`|^pytest\.skip\([^\n]*allow_module_level[^\n]*|^raise\s+(?:unittest\.)?SkipTest[^\n]*|^__test__\s*=\s*False` +
				`|^collect_ignore[^\n]*|^def load_tests\([^\n]*\n\s+return\s+(?:unittest\.)?TestSuite\(\s*(?:\[\s*\])?\s*\)`,
		),
		"elixir": language.Lazy(`(?m)^\s*@moduletag\s+(?::skip|skip:)[^\n]*`),
	}
	fileGuards = map[string]language.Pattern{
		"python": language.Lazy(`(?m)^pytestmark\s*=\s*\[?\s*pytest\.mark\.skipif\(([^\n]*)` +
			`|^pytest\.importorskip\(\s*["']([\w.]+)["']`),
		"go":   language.Lazy(`(?m)^//go:build\s+([^\n]*)`),
		"rust": language.Lazy(`(?m)^#!\[cfg\(([^\n]*)\)\]`),
	}
)

// importSkips is how a test of Python ends where a module is not there; one that is named nowhere else is not used.
var importSkips = language.Lazy(`^(?:\w+\s*=\s*)?pytest\.importorskip\(\s*["']([\w.]+)["']`)

// maxStatement is how much of a statement is looked at for what skips, in bytes.
const maxStatement = 400

// wholeFile finds what keeps all tests of the file from running.
func (f *file) wholeFile() (found skip) {
	if by := fileSkips[f.Language]; by.IsSet() {
		if m := by.InBytes(f.Source).Find(f.Source); m != nil {
			return skip{always: true, text: string(m)}
		}
	}
	if by := fileGuards[f.Language]; by.IsSet() {
		if m := by.InBytes(f.Source).FindSubmatch(f.Source); m != nil {
			guard := strings.TrimSpace(string(m[1]))
			if len(m) > 2 && m[2] != nil {
				if bytes.Count(f.Source, m[2]) > 1 { // the tests use it
					return found
				}
				guard = "not import " + string(m[2])
			}
			if isFalse(guard) || guard == "ignore" {
				return skip{always: true, text: string(m[0])}
			}
			return skip{guard: guard, text: string(m[0])}
		}
	}
	return found
}

// focusOf returns the unit or group of the file on which alone the runner is focused, "" where there is none.
func (f *file) focusOf() (text string, start, end int) {
	for _, g := range f.groups {
		if focused.MatchString(g.header) {
			return g.header, g.start, g.end
		}
	}
	for _, u := range f.units {
		if u.test && focused.MatchString(u.header) {
			return strings.TrimSpace(u.header), u.start, u.end
		}
	}
	return "", 0, 0
}
