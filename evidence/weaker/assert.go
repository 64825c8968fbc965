package weaker

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

type assertion struct {
	file       *file
	start, end int
	// text is its normalised text; in key, locals are replaced by their values.
	text, key string
	// matcher is its name: assertEqual, toBe.
	matcher    string
	strength   strength
	isNegative bool
	isThrow    bool
	// subject is the value under test, expected the expected value, nil if there is none. In the keys, locals are
	// replaced by their values.
	subject, expected *expr
	subjectKey        string
	expectedKey       string
	// isStrict: true or false is required, not only a truthy or falsy value.
	isStrict bool
	// tolerance is the allowed deviation, "" if there is none.
	tolerance string
	locals    map[string]*expr
	// deadReason says why it cannot fail, "" if it may.
	deadReason string
	// direction is negative for an upper bound, positive for a lower one.
	direction int
	// isAwaited: the test waits for its promise.
	isAwaited bool
	// coverCount counts the assertions of the helper that it calls, helperAssertions lists them.
	coverCount       int
	helperAssertions []*assertion
	// guard is the condition under which it is reached.
	guard string
}

// link is one step of a chain: a.b(c).d is a, b(c), d.
type link struct {
	name   string
	args   []*expr
	isCall bool
	expr   *expr // the expression up to this link, with its arguments
}

// chain splits calls and members into links.
func chain(e *expr) []link {
	switch {
	case e.shape == dot:
		return append(chain(e.parts[0]), link{name: e.text, expr: e})
	case e.shape == call, e.shape == index && e.text == "<":
		links := chain(e.parts[0])
		last := &links[len(links)-1]
		last.args, last.isCall, last.expr = append(last.args, e.parts[1:]...), last.isCall || e.shape == call, e
		return links
	case e.shape == ident:
		return []link{{name: e.text, expr: e}}
	}
	return []link{{expr: e}}
}

// classify returns the assertions that a call makes.
func (w *walker) classify(e *expr) []*assertion {
	links := chain(e)
	if found := w.fluent(e, links); found != nil {
		return found
	}
	return w.function(e, links)
}

// fluent reads expect(x).to.equal(y), assertThat(x).isEqualTo(y), x.Should().Be(y), expect(x).to eq(y).
func (w *walker) fluent(e *expr, links []link) (found []*assertion) {
	for i, l := range links {
		last := i == len(links)-1
		switch {
		case isListed("subjects", l.name) && l.isCall && len(l.args) > 0 && i <= 2 && !last:
			return w.readSubject(e, links[i+1:], l.args[0])
		case i > 0 && isShould(l, last):
			return w.readSubject(e, links[i:], links[i-1].expr)
		case i > 1 && l.name == "expect" && l.isCall && links[0].name != "expect": // request(app).get("/").expect(200)
			args := slices.DeleteFunc(slices.Clone(l.args), func(e *expr) bool { return e.shape == ident || isClosure(e) })
			call := join(call, "", append([]*expr{{shape: ident, text: l.name}}, args...)...)
			call.start, call.end = e.start, e.end
			found = append(found, w.newAssertion(call, matcher{}, l.name, nil, nil))
		}
	}
	return found
}

// isShould reports whether a link begins the matchers: x.Should().Be(5), x.ShouldBe(5).
func isShould(l link, last bool) bool {
	key := strings.ToLower(l.name)
	if key == "should" || key == "must" || key == "should_not" {
		return !last || len(l.args) > 0
	}
	return l.isCall && (strings.HasPrefix(key, "should") || strings.HasPrefix(key, "must_") ||
		strings.HasPrefix(key, "wont_"))
}

// readSubject reads the matchers after a subject; an unknown one counts too.
func (w *walker) readSubject(e *expr, links []link, subject *expr) []*assertion {
	if found := w.readMatchers(e, links, subject, false); found != nil {
		return found
	}
	last := links[len(links)-1]
	return []*assertion{w.newAssertion(e, matcher{}, last.name, subject, last.args)}
}

// readMatchers reads matchers: to.equal(y), not(equalTo(y)), Is.Not.EqualTo(y), be_within(0.1).of(x).
func (w *walker) readMatchers(e *expr, links []link, subject *expr, isNegated bool) (found []*assertion) {
	for i := 0; i < len(links); i++ {
		l, last := links[i], i == len(links)-1
		key := lang.FoldStyle(l.name)
		isFiller, isNegation := isListed("fillers", key), isListed("denials", key)
		isNegated = isNegated != isNegation
		if isFiller && len(l.args) > 0 {
			if inner := w.nestedMatcher(e, l.args[0], subject, isNegated); inner != nil {
				found = append(found, inner...)
				continue
			}
		}
		m, ok := matcherOf(l.name)
		if !ok || isNegation || isFiller && (!last || !l.isCall && len(found) > 0) {
			continue
		}
		args := slices.Clone(l.args)
		if !last && isListed("tolerating", links[i+1].name) {
			i++
			at := len(args)
			if links[i].name == "of" {
				at = 0
			}
			m.strength, args = approximate, slices.Insert(args, at, links[i].args...)
		}
		found = append(found, w.newAssertion(e, m.invertIf(isNegated), l.name, subject, args))
	}
	return found
}

// nestedMatcher reads a matcher that is an argument: eq(5), not(equalTo(5)), be > 5, RSpec's be_empty.
func (w *walker) nestedMatcher(e, arg, subject *expr, isNegated bool) []*assertion {
	switch arg.shape {
	case operator:
		if m, ok := matchers()["operator"][arg.text]; ok {
			return []*assertion{w.newAssertion(e, m.invertIf(isNegated), arg.text, subject, arg.parts[1:])}
		}
		return nil
	case list, literal, body:
		return nil
	}
	found := w.readMatchers(e, chain(arg), subject, isNegated)
	if found == nil && w.unit.file.Language == "ruby" && arg.shape == ident && strings.HasPrefix(arg.text, "be_") {
		m := matcher{strength: truthy} // any method of the subject gives it
		return []*assertion{w.newAssertion(e, m.invertIf(isNegated), arg.text, subject, []*expr{arg})}
	}
	return found
}

// isAssertingName reports whether a name begins with a word of assertions: assert_eq, shouldBe, XCTAssertNil.
func isAssertingName(name string) bool {
	key := strings.TrimLeft(name, "_#")
	for _, p := range wordList("asserting") {
		// The prefix must be a whole word: checked_mul asserts nothing.
		if len(key) >= len(p) && strings.EqualFold(key[:len(p)], p) && (len(key) == len(p) || p == "xct" ||
			key[len(p)] < 'a' || key[len(p)] > 'z') {
			return true
		}
	}
	return false
}

// function reads assertEqual(a, b), assert.Equal(t, a, b), assert_eq!(a, b), EXPECT_EQ(a, b), assert x == y.
func (w *walker) function(e *expr, links []link) []*assertion {
	last := links[len(links)-1]
	one := func(m matcher, subject *expr, args ...*expr) []*assertion {
		return []*assertion{w.newAssertion(e, m, last.name, subject, args)}
	}
	if isListed("bookkeeping", last.name) ||
		last.name == "expect" && e == w.statementExpr && isScript(w.unit.file.Language) {
		return nil
	}
	receiver, receives := "", true
	if len(links) > 1 {
		if receiver = links[0].name; strings.HasSuffix(receiver, "Assert") { // one of the project
			receiver = "Assert"
		}
		receives = isListed("receivers", receiver)
	}
	if h := w.unit.file.helpers[last.name]; h != nil && h != w.unit && len(links) <= 2 {
		found := one(matcher{}, e)
		found[0].addHelper(h)
		if found[0].deadReason == "" && e == w.statementExpr && fits("entered", h.header) {
			found[0].deadReason = "nothing enters or awaits it"
		}
		return found
	}
	if receiver == "suite" && last.name == "Run" { // of testify
		return one(matcher{}, e)
	}
	if m, ok := matchers()["double"][last.name]; ok && receiver != "" {
		return one(m, links[len(links)-2].expr, last.args...)
	}
	name, args := last.name, w.withoutHandle(last.args)
	if len(links) == 3 && strings.HasSuffix(lang.FoldStyle(links[1].name), "not") { // assert.is_not.equal
		name = "not_" + name
	}
	m, ok := matcherOf(strings.TrimPrefix(name, "#"))
	isAssertion := isAssertingName(last.name)
	hasHandle := ok && receiver == "" && len(args) < len(last.args) // Ok(t, err) of Go
	switch {
	case len(links) > 3 || len(links) == 3 && !receives,
		!isAssertion && !hasHandle && !(receiver != "" && receives) && !(receiver == "" && isListed("raising", last.name)):
		return nil
	case !ok || name == "expect" && w.unit.file.Language != "swift" && len(args) > 1:
		if isAssertion || isAssertingName(receiver) {
			return one(matcher{}, e)
		}
		return nil
	}
	return w.arguments(e, m, name, args)
}

func (w *walker) arguments(e *expr, m matcher, name string, args []*expr) []*assertion {
	inGo := w.unit.file.Language == "go"
	switch {
	case m.isThrow && inGo && len(args) > 0 && !strings.Contains(name, "anic"): // its argument is an error
		m = matcher{strength: truthy, isUnary: true}
		return []*assertion{w.newAssertion(e, m, name, args[0], nil)}
	case m.isThrow:
		return []*assertion{w.throwAssertion(e, m, name, args)}
	case len(args) == 0:
		if name == "expect" || name == "verify" || name == "check" || m.strength != truthy {
			return nil
		}
		return []*assertion{w.newAssertion(e, matcher{}, name, e, nil)}
	case args[0].shape == operator && args[0].text == ":" && args[0].parts[0].text == "throws":
		return []*assertion{w.throwAssertion(e, matcher{strength: truthy, isThrow: true}, name,
			append([]*expr{args[0].parts[1]}, args[1:]...))}
	case m.isUnary && m.strength == truthy:
		if len(args) > 1 && strings.HasSuffix(lang.FoldStyle(name), "that") {
			if found := w.nestedMatcher(e, args[1], args[0], false); found != nil {
				return found
			}
		}
		found := w.condition(e, args[0], m.isNegative, 0)
		for _, a := range found {
			a.matcher = name
		}
		return found
	}
	return []*assertion{w.orderedAssertion(e, m, name, args)}
}

func isCapital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// withoutHandle removes testing.T from arguments.
func (w *walker) withoutHandle(args []*expr) []*expr {
	if w.unit.file.Language != "go" || len(args) < 2 {
		return args
	}
	first := args[0].String()
	if len(first) <= 2 && args[0].shape == ident || strings.HasSuffix(first, ".T()") || isListed("handles", first) {
		return args[1:]
	}
	return args
}

// headerMatcher is the matcher of an assertion before the body of a test.
const headerMatcher = "expected"

// headerAssertions reads the assertions before the body: #[should_panic], @Test(expected = …).
func (w *walker) headerAssertions() {
	u := w.unit
	for _, m := range regexpOf("expected throw").In(u.header).FindAllStringSubmatchIndex(u.header, -1) {
		e := &expr{shape: ident, text: u.header[m[0]:m[1]], start: u.start + m[0], end: u.start + m[1]}
		subject := &expr{shape: ident, text: "the test"}
		a := w.newAssertion(e, matcher{strength: truthy, isThrow: true}, headerMatcher, subject, nil)
		if m[2] >= 0 {
			a.strength, a.expectedKey = pattern, u.header[m[2]:m[3]]
		} else if !strings.HasPrefix(e.text, "#") {
			a.expectedKey = e.text
			if !fits("broad failure", strings.TrimSpace(regexpOf("last type").FindString(e.text))) {
				a.strength = typed
			}
		}
		u.assertions = append(u.assertions, a)
	}
}

func (a *assertion) addHelper(helper *unit) {
	a.coverCount, a.helperAssertions = len(helper.assertions), helper.assertions
	strongest, dead := unknown, ""
	for _, h := range helper.assertions {
		if h.deadReason == "" {
			strongest = max(strongest, h.effectiveStrength())
		} else {
			dead = h.deadReason
		}
	}
	switch {
	case a.deadReason != "":
	case strongest == unknown:
		a.deadReason = dead
	case strongest < typed:
		a.strength = strongest
	}
}

//go:embed frameworks.txt
var frameworksText string

// framework holds the patterns of frameworks.txt for a language, by topic.
type framework map[string][]lang.Pattern

// frameworks are the entries of frameworks.txt by language. Words are short for a pattern of exactly these words.
var frameworks = sync.OnceValue(func() map[string]framework {
	all := map[string]framework{}
	for _, line := range lang.Table(frameworksText) {
		expression := strings.Join(line.Lines, "")
		if line.Text != "" {
			expression = `^(?:` + strings.Join(strings.Fields(line.Text), "|") + `)$`
		}
		words := strings.Fields(strings.TrimSuffix(line.Name, ":"))
		languages, topic := words[:len(words)-1], words[len(words)-1]
		for _, name := range languages {
			if all[name] == nil {
				all[name] = framework{}
			}
			all[name][topic] = append(all[name][topic], lang.Lazy(expression))
		}
	}
	return all
})

// pattern returns the first pattern of a topic, one that matches nothing if there is none.
func (c framework) pattern(topic string) lang.Pattern {
	if c[topic] == nil {
		return lang.Pattern{}
	}
	return c[topic][0]
}

func (c framework) matches(topic, text string) bool { return c.pattern(topic).MatchString(text) }

func isScript(name string) bool { return name == "javascript" || name == "typescript" || name == "tsx" }
