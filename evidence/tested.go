package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

var (
	asserting = lang.Lazy(`(?:\b|_)(?i:assert|expect|require|should|verify|check|refute|must|xct|ensure|raises` +
		`|throws|fail|plan|snapshot|match|golden)\w*|\bt\.\w+\(`)
	asserts = lang.Lazy(`^(?:await\s+)?(?:(?:self|this|Assert|Assertions|assert|require|t|test` +
		`|chai)\s*[.:]+\s*)?(\w+)!?\s*(\(|\s)`)
	sameness = lang.Lazy(`(?i)^(assert_?)?(are_?)?(strict_?|deep_?|expect_)*(eq|equals?|same|is|eql)$` +
		`|^(?i:EXPECT|ASSERT|XCTAssert)_?(?i:eq|equal)$`)
	// identity is how an assertion asks whether two calls give the same object: what is made anew each time fails it.
	identity = lang.Lazy(`^[\w.:$>-]*(?i:same|is)\(.*\)\s*\)|\bid\(`)
	truth    = lang.Lazy(`(?i)^(assert|assert_?true|is_?true|true|ok|check|require|expect_true|xctasserttrue` +
		`|xctassert|that)$`)
	// assertsLiteral is an assertion of a constant alone.
	assertsLiteral = lang.Lazy(`^(?:[\w.]*[.:])?\w+!?[\s(]+(?:\w+,\s*)?(?i:true|1)\s*(?:,\s*"[^"]*"\s*)?\)*;?$`)
	matched        = lang.Lazy(`^\s*\.\s*(?:toBe|toEqual|toStrictEqual|to\.(?:be\.)?equal|to\.eql|to\.deep\.equal` +
		`|Should\(\)\.Be|isEqualTo)\s*\(`)
	always   = lang.Lazy(`^(?i:true)\s+or\b|\bor\s+(?i:true)$|^true\s*\|\||\|\|\s*true$`)
	compares = lang.Lazy(`^(.+?)\s*(?:={2,3}|\bis\b)\s*(.+)$`)
	// fails is how a test says that it must not get there.
	fails     = lang.Lazy(`(?i)(?:\b|_|T)fail(?:ed|ure)?\s*[!(]|\bfail\s+["']`)
	tableless = lang.Lazy(`\bfor\b[^\n]*\b(?:in|of)\s*(?:\[\s*\]|\(\s*\)|\{\s*\})\s*[:){]|^\s*\[\s*\]\.forEach`)
	unfed     = lang.Lazy(`parametrize\(\s*[^,]+,\s*[\[(]\s*[\])]|\.each\(\s*\[\s*\]\s*\)`)
)

// eachTest returns what is said of the tests of a span: "" where one of its functions is none, or nothing is said of
// it.
func (m *model) eachTest(s stretch, say func(d *definition) string) string {
	said := ""
	for d := range m.outermost(s, isFunction) {
		if !m.looksTest(d) {
			return ""
		}
		for _, leaf := range m.leavesOf(d, s) {
			if said = say(leaf); said == "" {
				return ""
			}
		}
	}
	return said
}

// leavesOf are the tests of a span in one that groups others by titles, or the one itself.
func (m *model) leavesOf(d *definition, s stretch) []*definition {
	var leaves []*definition
	for i := range m.definitions {
		o := &m.definitions[i]
		if !o.title || o.body < 0 || o.outer < d.outer || o.end > d.end || o.outer >= s.end || o.last <= s.start {
			continue
		}
		if last := len(leaves) - 1; last >= 0 && o.end <= leaves[last].end {
			leaves = leaves[:last] // it stands in the one before
		}
		leaves = append(leaves, o)
	}
	if len(leaves) == 0 {
		return []*definition{d}
	}
	return leaves
}

// looksTest reports whether a function is a test, as its title, its language or its name says.
func (m *model) looksTest(d *definition) bool {
	if d.title || d.body < 0 {
		return d.title && d.body >= 0
	}
	if len(m.grammar.Tests) > 0 {
		return m.headerFacts(d, 0).Fit(m.grammar.Tests)
	}
	return strings.HasPrefix(strings.ToLower(d.name), "test") ||
		slices.ContainsFunc(m.decoratorsOf(d), marksTest.MatchString)
}

// marksTest is how an attribute or annotation says that a function is a test: @Test, #[tokio::test], [Fact].
var marksTest = lang.Lazy(`(?i)^\W*(?:[\w.]+(?:::|\.))?(?:test|fact|theory|testmethod|testcase|datatestmethod` +
	`|parameterizedtest|repeatedtest|rstest|test_case)\b`)

// isSilenced reports whether what stands around a test keeps it from running: a class or module that is skipped, or
// one of silent.
func (m *model) isSilenced(d *definition, silent []lang.Span) bool {
	for o := range m.around(d) {
		if slices.ContainsFunc(m.decoratorsOf(o), m.skipsAlways) {
			return true
		}
	}
	return m.looksTest(d) && slices.ContainsFunc(silent, func(s lang.Span) bool {
		return s.Start <= d.outer &&
			d.end <= s.End
	})
}

// inComment reports whether a byte stands in a comment.
func (m *model) inComment(at int) bool { return m.kinds[at]&kindMask == comment }

// maxTested is the longest test of which it is asked whether it can fail, in bytes: some 400 lines.
const maxTested = 16 << 10

// cannotFail says why a test cannot fail, "" where it may.
func (m *model) cannotFail(d *definition) string {
	if d.bodyEnd-d.body > maxTested {
		return ""
	}
	body := m.withoutComments(stretch{d.body, d.bodyEnd})
	if unfed.MatchString(m.of(stretch{d.outer, d.body})) {
		return "the test runs over an empty table"
	}
	if at := tableless.FindIndex([]byte(body)); at != nil && !asserting.MatchString(body[:at[0]]) {
		return "the test runs over an empty table"
	}
	first := -1
	if at := asserting.FindIndex([]byte(body)); at != nil {
		first = at[0]
	}
	if why := m.muffled(d, body, first); why != "" || first < 0 {
		return why
	}
	if returnsBefore(body[:first]) {
		return "the test returns before it asserts anything"
	}
	if why := m.assertsConstants(body); why != "" {
		return why
	}
	return m.assertsOwn(d, body)
}

// returnsBefore reports whether a return of the body's own stands in what comes before the first assertion.
func returnsBefore(text string) bool {
	indent := -1
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			break // return expect(…)
		}
		bare := strings.TrimLeft(line, " \t")
		switch strings.TrimSpace(bare) {
		case "", "{", "}":
			continue
		}
		if indent < 0 {
			indent = len(line) - len(bare)
		}
		if word := strings.Trim(bare, "; \r\n"); word == "return" && len(line)-len(bare) == indent {
			return true
		}
	}
	return false
}

// assertsConstants says that all assertions of a body hold whatever the code does, "" where one may fail.
func (m *model) assertsConstants(body string) string {
	said := ""
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		line = strings.TrimLeft(strings.TrimSpace(line), "{ ")
		if !asserting.MatchString(line) || assertsLiteral.MatchString(line) {
			continue // that the code runs may be what a test shows
		}
		more := strings.Join(lines[i+1:min(len(lines), i+4)], "\n")
		if said = assertionHolds(strings.TrimSpace(line+"\n"+more), line, body); said == "" {
			return ""
		}
	}
	return said
}

// assertionHolds says why one assertion cannot fail. text begins with it, line is its first line.
func assertionHolds(text, line, body string) string {
	const tautology = "what the test asserts is true whatever the code does"
	call := asserts.FindStringSubmatch(text)
	if call == nil {
		return ""
	}
	name, rest := call[1], text[len(call[0]):]
	if call[2] != "(" { // assert a == a
		condition, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line[min(len(line), len(call[0])):]), ";"), ", ")
		if name == "assert" && holdsAlways(condition, body) {
			return tautology
		}
		return ""
	}
	arguments, after, ok := lang.Arguments(rest)
	if !ok || len(arguments) == 0 {
		return ""
	}
	after = strings.TrimLeft(after, " \t")
	ends := after == "" || strings.ContainsRune("\n;}", rune(after[0]))
	switch {
	case name == "expect" && len(arguments) == 1:
		if ends && !strings.HasPrefix(strings.TrimLeft(after, "\n \t"), ".") &&
			!strings.HasPrefix(strings.TrimSpace(text), "await") {
			return "the test expects without saying what"
		}
		if at := matched.FindString(after); at != "" {
			given, _, ok := lang.Arguments(after[len(at):])
			if ok && len(given) == 1 && sameText(arguments[0], given[0], body) {
				return tautology
			}
		}
	case sameness.MatchString(name) && ends && !identity.MatchString(text):
		if n := len(arguments); n >= 2 && sameText(arguments[0], arguments[1], body) || n >= 3 && arguments[0] == "t" &&
			sameText(arguments[1], arguments[2], body) {
			return tautology
		}
	case truth.MatchString(name) && ends && len(arguments) <= 2 && holdsAlways(arguments[0], body):
		return tautology
	}
	return ""
}

// holdsAlways reports whether a condition holds whatever the code does: a comparison with itself, a local that is
// true, «true or».
func holdsAlways(condition, body string) bool {
	if condition = strings.TrimSpace(condition); always.MatchString(condition) {
		return true
	}
	if sides := compares.FindStringSubmatch(condition); sides != nil && !identity.MatchString(condition) {
		return sameText(sides[1], sides[2], body)
	}
	return facts.IsTrue(constantOf(condition, body))
}

// sameText reports whether two expressions are the same, or locals of the same constant.
func sameText(a, b, body string) bool {
	if making.MatchString(a) {
		return false // how objects are compared may be what is asked
	}
	return constantOf(strings.TrimSpace(a), body) == constantOf(strings.TrimSpace(b), body)
}

// making is how an object is made.
var making = lang.Lazy(`^\s*(?:new\s|[A-Z]\w*\()`)

// constantOf returns the constant that a name is given, once and at the beginning of a line; else the text itself.
func constantOf(name, body string) string {
	if name == "" || !isName(name) {
		return name
	}
	value, times := name, 0
	for line := range strings.Lines(body) {
		line = strings.Trim(line, " \t\r\n;{")
		for _, word := range []string{"const ", "let ", "var ", "val "} {
			line = strings.TrimPrefix(line, word)
		}
		if left, right, ok := strings.Cut(line, "="); ok && strings.TrimRight(left, " :") == name &&
			!strings.HasPrefix(right, "=") {
			times++
			if right = strings.TrimSpace(right); lang.IsConstant(right) {
				value = right
			}
		}
	}
	if times != 1 {
		return name
	}
	return value
}

func isName(text string) bool {
	return !slices.ContainsFunc([]byte(text), func(b byte) bool { return b != '$' && !lang.IsWordByte(b) }) &&
		(text[0] < '0' ||
			text[0] > '9')
}

// assertsNothing says that a test holds nothing that looks like an assertion.
func (m *model) assertsNothing(d *definition) string {
	for line := range strings.Lines(m.withoutComments(stretch{d.body, d.bodyEnd})) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "{ "); asserting.MatchString(line) &&
			!assertsLiteral.MatchString(line) {
			return ""
		}
	}
	return "the test asserts nothing"
}

// withoutComments returns a text without its comments.
func (m *model) withoutComments(s stretch) string {
	text := []byte(m.of(s))
	for _, c := range within(m.comments, s) {
		for i := c.start; i < min(c.end, s.end); i++ {
			if text[i-s.start] != '\n' {
				text[i-s.start] = ' '
			}
		}
	}
	return string(text)
}

// tested judges lines of tests that hold substance: unclear where none of the tests can fail. That one asserts
// nothing is
// named and no more: one in ten honest tests does not.
func (p *place) tested(s stretch) Result {
	if why := p.model.eachTest(s, p.model.cannotFail); why != "" {
		return p.unsure(why, "let the test fail where the code is wrong")
	}
	r := verified()
	r.Reason = p.model.eachTest(s, p.model.assertsNothing)
	return r
}
