package flow

import (
	"bytes"
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

var (
	//go:embed test_words.txt
	testWordsText string
	//go:embed patterns.txt
	patternsText string

	testWords       = lang.WordLists{Text: &testWordsText}
	patterns        = lang.Patterns{Text: &patternsText}
	fits, patternOf = patterns.Fits, patterns.Named
)

func isTestWord(list, word string) bool {
	return testWords.Has(list, word) || slices.ContainsFunc(testWords.List(list), func(entry string) bool {
		return entry[len(entry)-1] == '*' && strings.HasPrefix(word, entry[:len(entry)-1])
	})
}

// Reasons why a test cannot fail.
const (
	// OnlyPresence makes a test hollow only if other tests are hollow too.
	OnlyPresence = "the test only checks that its values are there"
	// AssertsNothing is no reason to doubt a test: one in ten honest tests asserts nothing.
	AssertsNothing    = "the test asserts nothing"
	onlyLooks         = "the test asserts nothing, and does nothing about what it finds"
	tautology         = "the assertions hold whatever the code does"
	unreachable       = "the assertions are behind a condition that never holds"
	swallowedFailures = "failures of the assertions are swallowed"
	doesNotWait       = "the test does not wait for its assertions"
)

// tester walks through the body of one test.
type tester struct {
	file *File
	body []byte
	// unquotedBody is the body without quotes, made on first use.
	unquotedBody string
	// params are its parameters. isDouble has the names that it binds, true for test doubles.
	params   []string
	isDouble map[string]bool
	// values are the values of names, nil if they are bound under a condition.
	values map[string]*facts.Term
	// deadReason is why the current code is unreachable, lossReason why failures of its assertions are lost. isInTry:
	// other failures are lost.
	deadReason, lossReason string
	isInTry                bool
	// canFail: an assertion may fail. hasLiteral: one has only constants. The other reasons say why others cannot fail.
	canFail, hasLiteral                     bool
	tautologyReason, lostReason, weakReason string
	// usesCode: it uses code under test; the next three say where: in a try, outside, after lost assertions.
	usesCode, usesCodeInTry, usesCodeOutsideTry, usesCodeAfterLoss bool
	// usesOwnValues: it names values that it made. overlooks: a condition decides nothing but what is logged.
	// isForDouble: what is being read is only compared with a double, or given to one.
	usesOwnValues, isInAssertion, overlooks, isForDouble bool
	// callName is the call whose arguments are being read, statement a statement that is one expression, last the last
	// statement of a test that is given nothing to say that it is done.
	callName        string
	statement, last *facts.Term
	depth, steps    int
}

// TestDoubt says why a test cannot fail: its assertions are unreachable, hold whatever the code does, or are lost, or
// it uses only its own code. It is "" if the test may fail. doubles are names of test doubles.
func (f *File) TestDoubt(fn *Function, doubles []string) string {
	t := &tester{file: f, body: f.Src[fn.Body.Span.Start:fn.Body.Span.End], isDouble: map[string]bool{},
		values: map[string]*facts.Term{}, params: fn.Params}
	for _, name := range doubles {
		t.isDouble[name] = true
	}
	begin := fn.Node.Start()
	if fits("takes nothing", string(f.Src[begin:max(begin, fn.Body.Span.Start)])) {
		t.last = lastStatement(fn.Body)
	}
	t.walk(fn.Body)
	switch {
	case t.steps > maxSteps, t.canFail && t.usesCode:
		return ""
	case t.lostReason != "" && !t.canFail && !t.usesCodeAfterLoss:
		return t.lostReason
	case !t.canFail && t.tautologyReason != "":
		return t.tautologyReason
	case !t.canFail && t.usesCodeInTry && !t.usesCodeOutsideTry:
		return "the test swallows every failure of the code that it calls"
	case !t.canFail && t.weakReason != "":
		return t.weakReason
	case (t.canFail || t.hasLiteral) && !t.usesCode && t.usesOwnValues:
		return "the assertions are only about values that the test made itself"
	case !t.canFail && t.lostReason == "" && t.overlooks &&
		!patternOf("may fail otherwise").Match(f.Src[bytes.LastIndexByte(f.Src[:begin], '}')+1:fn.Body.Span.End]):
		return onlyLooks
	case !t.canFail && t.lostReason == "":
		return AssertsNothing
	}
	return ""
}

// addCodeUse notes a use of code under test; its text may assert something.
func (t *tester) addCodeUse(text string) {
	if fits("assertion word", text) {
		t.addAssertion("")
	}
	if t.deadReason == "" {
		t.usesCode = true
		t.usesCodeInTry = t.usesCodeInTry || t.isInTry
		t.usesCodeOutsideTry = t.usesCodeOutsideTry || !t.isInTry && !fits("construction", text)
		t.usesCodeAfterLoss = t.usesCodeAfterLoss || t.lostReason != "" && !t.isInTry && t.lossReason == ""
	}
}

// addAssertion notes an assertion, with the reason why it cannot fail, "" if it may.
func (t *tester) addAssertion(reason string) {
	switch {
	case t.deadReason != "" || t.lossReason != "":
		t.lostReason = cmp.Or(t.lostReason, t.deadReason, t.lossReason)
	case reason == OnlyPresence:
		t.weakReason = reason
	case reason != "":
		t.tautologyReason = reason
	default:
		t.canFail = true
	}
}

func (t *tester) walkAll(parts []*facts.Term) (double bool) {
	for _, part := range parts {
		double = t.walk(part) || double
	}
	return double
}

func (t *tester) walkScope(dead string, parts ...*facts.Term) {
	before := t.deadReason
	t.deadReason = cmp.Or(t.deadReason, dead)
	t.depth++
	t.walkAll(parts)
	t.depth--
	t.deadReason = before
}

// walk walks through a term, and reports whether it is a test double.
func (t *tester) walk(x *facts.Term) (double bool) {
	if t.steps++; t.steps > maxSteps || t.canFail && t.usesCode { // it may fail, whatever follows
		return false
	}
	switch x.Op {
	case facts.Block, facts.Try:
		t.block(x.Parts)
	case facts.Return:
		t.walkAll(x.Parts)
		t.deadReason = cmp.Or(t.deadReason, "the test returns before it asserts anything")
	case facts.Dead:
		if fits("assertion word", t.file.text(x)) {
			t.lostReason = cmp.Or(t.lostReason, t.deadReason, unreachable)
		}
	case facts.Raise:
		t.walkAll(x.Parts)
		t.addAssertion("")
	case facts.Branch:
		t.branch(x)
	case facts.Loop:
		t.loop(x)
	case facts.Bind, facts.Declare:
		t.bind(x)
	case facts.Define:
		if t.isDouble[x.Text] = false; len(x.Parts) == 0 {
			t.addCodeUse(t.file.text(x)) // a class
		}
		t.walkAll(x.Parts)
	case facts.Closure:
		names, asks, within := maps.Clone(t.isDouble), t.isInAssertion, t.callName
		for _, name := range strings.Fields(x.Text) {
			t.isDouble[name] = true
		}
		t.isInAssertion, t.callName = false, ""
		t.walkScope("", x.Parts...)
		t.isDouble, t.isInAssertion, t.callName = names, asks, within
	case facts.Operate:
		if len(x.Parts) == 3 && x.Parts[1].Op == facts.Name && x.Text == "infix_expression" { // x shouldBe 1
			return t.call(&facts.Term{Op: facts.Call, Text: x.Parts[1].Text, Span: x.Span,
				Parts: []*facts.Term{x.Parts[0], x.Parts[2]}})
		}
		dead := t.deadReason
		double = t.walkAll(x.Parts)
		t.deadReason = dead // f() ?: return
	default:
		return t.value(x)
	}
	return double
}

func isHandler(x *facts.Term) bool { return x.Op == facts.Handler }

// block walks through statements; those before a handler are tried.
func (t *tester) block(parts []*facts.Term) {
	if len(parts) > 1 && parts[0].Op == facts.Try {
		if i := slices.IndexFunc(parts[0].Parts, isHandler); i >= 0 && len(parts[0].Parts[i].Parts) == 0 {
			parts = append(slices.Clone(parts[1:]), parts[0].Parts[i])
		}
	}
	tries, loses := t.isInTry, t.lossReason
	i := slices.IndexFunc(parts, isHandler)
	if i >= 0 {
		t.enterTry(parts[i], parts[:i])
	}
	for k, part := range parts {
		if k == i {
			t.isInTry, t.lossReason = tries, loses
		}
		switch {
		case part.Op == facts.Handler && !t.isIdleHandler(part):
			for _, name := range wordsOf(part.Text) {
				t.isDouble[name] = false
			}
			t.walkScope("", part.Parts...)
		case part.Op == facts.Call && (part.Text == "expect" && len(part.Parts) == 2 || fits("expected block", part.Text)):
			t.walkAll(part.Parts)
			t.addAssertion("the test has an expectation without a matcher")
		default:
			t.statement = part
			t.walk(part)
		}
	}
	t.isInTry, t.lossReason = tries, loses
}

// enterTry checks whether a handler swallows failures. In a loop it may retry, in a function it may be retried.
func (t *tester) enterTry(handler *facts.Term, statements []*facts.Term) {
	assertions := t.file.Language.Handler.MatchString(handler.Text)
	if t.depth > 0 || fits("filtering handler", handler.Text) || !assertions && !fits("catches all", handler.Text) ||
		!t.isIdleHandler(handler) {
		return
	}
	t.isInTry = true
	if assertions && !slices.ContainsFunc(statements,
		func(x *facts.Term) bool { return fits("fail call", t.file.text(x)) }) {
		t.lossReason = swallowedFailures
	}
}

// isIdleHandler reports whether a handler does nothing, or only asserts that there is an error.
func (t *tester) isIdleHandler(handler *facts.Term) bool {
	bounds := append(wordsOf(handler.Text), "error") // Swift binds it
	rest := &facts.Term{Op: facts.Block, Span: handler.Span}
	for _, part := range handler.Parts {
		part = part.Single()
		check, operands, _ := t.assertion(part)
		subject := presenceSubject(firstOf(operands))
		if isCaught := slices.Contains(bounds, strings.TrimSuffix(t.file.text(subject), ".message")); !isCaught &&
			!isTrue(subject) ||
			check != "true" && check != "something" {
			rest.Parts = append(rest.Parts, part)
		}
	}
	return t.file.DoesNothing(rest, bounds)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c < 0x80 && !lang.IsWordByte(byte(c)) })
}

func (t *tester) branch(x *facts.Term) {
	conditions, ways := x.Parts[0].Parts, x.Parts[1:]
	if t.walkAll(conditions); len(conditions) == 0 { // a block of its own
		t.block(ways)
		return
	}
	t.overlooks = t.overlooks || x.Text == "if" && !slices.ContainsFunc(ways, t.acts)
	for i, way := range ways {
		if i == 0 && x.Text == "if" && len(conditions) == 1 && isTrue(conditions[0]) {
			t.walk(way)
		} else {
			t.walkScope("", way)
		}
	}
}

func (t *tester) loop(x *facts.Term) {
	t.walkAll(x.Parts[:1])
	dead := ""
	for _, over := range x.Parts[0].Parts {
		if over.Op == facts.List && strings.Trim(t.file.text(over), "[](){} ") == "" {
			dead = "the test runs over an empty table"
		}
	}
	t.walkScope(dead, x.Parts[1:]...)
}

// bind binds names. A declared type of the project may convert the value: Email a = "a@b.c".
func (t *tester) bind(x *facts.Term) {
	last := len(x.Parts) - 1
	value, forDouble := x.Parts[last], t.isForDouble
	t.isForDouble = slices.ContainsFunc(x.Parts[:last], t.isOfDouble)
	double := t.walk(value)
	t.isForDouble = forDouble
	for _, target := range x.Parts[:last] {
		if target.Op == facts.Member {
			t.walk(target.Parts[0])
			t.isDouble["."+target.Text] = false
		} else if target.Op != facts.Name {
			t.walk(target)
		}
		if target.Op != facts.Name {
			continue
		}
		before := t.file.Src[:target.Span.Start]
		_, isKnown := t.isDouble[target.Text]
		if !isKnown && x.Op == facts.Bind && !t.file.Language.Is("scoped") || x.Op == facts.Declare && !double &&
			slices.ContainsFunc(wordsOf(string(before[bytes.LastIndexByte(before, '\n')+1:])), func(w string) bool {
				return facts.IsTypeName(w) && !isTestWord("keywords", w) && !t.isBuiltin(w)
			}) {
			t.addCodeUse("")
		}
		t.isDouble[target.Text] = double
		if t.values[target.Text] = value; t.depth > 0 {
			t.values[target.Text] = nil
		}
	}
}

// acts reports whether code does more than to log, and to declare names.
func (t *tester) acts(x *facts.Term) bool {
	switch x.Op {
	case facts.Block:
		return slices.ContainsFunc(x.Parts, t.acts)
	case facts.Declare:
		return false
	case facts.Call:
		return !t.file.DoesNothing(&facts.Term{Op: facts.Block, Span: x.Span, Parts: []*facts.Term{x}}, nil)
	}
	return true
}

// lastStatement returns the last statement of a body.
func lastStatement(x *facts.Term) *facts.Term {
	for x.Op == facts.Block && len(x.Parts) > 0 {
		x = x.Parts[len(x.Parts)-1]
	}
	return x
}

func isTrue(x *facts.Term) bool {
	return (x.Op == facts.Literal || x.Op == facts.Name) && facts.IsTrue(x.Text)
}
