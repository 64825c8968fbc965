package weaker

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/report"
)

// strength is how much an assertion demands; greater is more.
type strength int

const (
	unknown   strength = iota
	tautology          // it holds whatever the code does
	nonNull
	truthy
	bound       // an order, an alternative, or a negation
	typed       // a type, a variant, a shape
	pattern     // a part, a prefix, a length, an expression of text
	approximate // a value within a tolerance
	exact       // a value
	structure   // a value with its type, or all of its fields
)

var strengthNames = strings.Split("something,nothing,that something is there,that it is true,a bound,a type or shape,"+
	"a part or pattern,a value within a tolerance,an exact value,an exact structure", ",")

func (s strength) String() string { return strengthNames[s] }

// matcher is what the name of an assertion demands.
type matcher struct {
	strength   strength
	isNegative bool
	// isUnary: it has a subject and no expected value.
	isUnary bool
	// isThrow: its subject is code that must throw.
	isThrow         bool
	negatedStrength strength
}

//go:embed matchers.txt
var matchersText string

// strengthWords are the names of the strengths in matchers.txt.
var strengthWords = strings.Fields("unplaced tautology nonnull truthy bound typed pattern approximate exact structure")

// matchers are the entries of matchers.txt: by kind (name, operator, double, predicate), and by word.
var matchers = sync.OnceValue(func() map[string]map[string]matcher {
	all := map[string]map[string]matcher{}
	for _, w := range lang.Table(matchersText) {
		words := strings.Fields(w.Name)
		kind, flags := words[0], words[1:]
		if all[kind] == nil {
			all[kind] = map[string]matcher{}
		}
		m := matcher{strength: strength(slices.Index(strengthWords, flags[len(flags)-1])),
			isUnary: slices.Contains(flags, "alone"), isThrow: slices.Contains(flags, "fails")}
		m = m.invertIf(slices.Contains(flags, "not"))
		for name := range strings.FieldsSeq(w.Text) {
			if kind == "operator" {
				name = strings.ReplaceAll(name, "_", " ")
			}
			all[kind][name] = m
		}
	}
	return all
})

// matcherOf returns the matcher of a name; ok is false if the name is not an assertion's.
func matcherOf(name string) (m matcher, ok bool) {
	key := lang.FoldStyle(strings.TrimRight(name, "!?"))
	names := matchers()["name"]
	if m, ok = names[key]; ok || key == "" {
		return m, ok
	}
	if m, ok = names[strings.TrimSuffix(key, "f")]; ok { // testify's Equalf
		return m, true
	}
	for _, negation := range wordList("before denied matchers") {
		if rest, found := strings.CutPrefix(key, negation); found {
			if m, ok = matcherOf(rest); ok {
				return m.invertIf(true), true
			}
		}
	}
	for _, before := range wordList("before matchers") {
		if rest, found := strings.CutPrefix(key, before); found && rest != "" {
			return matcherOf(rest)
		}
	}
	return m, false
}

// invertIf returns the negation of a matcher if isNegated: to exclude a value is only a bound.
func (m matcher) invertIf(isNegated bool) matcher {
	if !isNegated {
		return m
	}
	m.isNegative = !m.isNegative
	strength := m.strength
	switch {
	case m.negatedStrength != unknown:
		m.strength = m.negatedStrength
	case m.strength == exact && m.isUnary:
		m.strength = nonNull
	case m.strength == nonNull:
		m.strength, m.isUnary = exact, true
	case m.strength > bound:
		m.strength = bound
	}
	m.negatedStrength = strength
	return m
}

func (w *walker) throwAssertion(e *expr, m matcher, name string, args []*expr) *assertion {
	var subject, expected []*expr
	inPython := w.unit.file.Language == "python"
	for i, arg := range args {
		runs := arg.shape == call && !isCapital(lastName(arg)) && (len(args) > 1 || w.unit.file.Language == "cpp") ||
			inPython && i > 0 && arg.shape != operator
		if isClosure(arg) || runs && !arg.isConstant() {
			subject = append(subject, arg)
		} else {
			expected = append(expected, arg)
		}
	}
	a := w.newAssertion(e, m, name, nil, expected)
	if len(subject) > 0 {
		a.subject, a.subjectKey = subject[len(subject)-1], keysOf(subject, w.locals)
	}
	a.expectedKey = keysOf(expected, w.locals)
	if inPython && (e == w.statementExpr || !w.hasListedWord("enters")) && a.deadReason == "" && subject == nil {
		a.deadReason = "nothing enters its block"
	}
	return a
}

func throwStrength(expected []*expr, negative bool) strength {
	s := truthy
	for _, x := range expected {
		switch {
		case negative:
		case x.shape == literal, x.shape == operator && (x.text == "=" || x.text == ":" || x.text == "=>"):
			s = max(s, pattern)
		case !fits("broad failure", x.String()):
			s = max(s, typed)
		}
	}
	return s
}

func isClosure(e *expr) bool {
	found := false
	e.walk(func(e *expr) bool {
		found = found || e.shape == body || e.shape == operator && (e.text == "=>" || e.text == "->") ||
			e.shape == ident && (e.text == "lambda" || e.text == "func" || e.text == "function")
		return !found
	})
	return found
}

func lastName(e *expr) string {
	links := chain(e)
	return links[len(links)-1].name
}

func keysOf(list []*expr, locals map[string]*expr) string {
	return strings.Join(report.Map(list, func(e *expr) string { return e.textWith(locals) }), ", ")
}

// orderedAssertion returns an assertion of two values, and finds out which one is expected.
func (w *walker) orderedAssertion(e *expr, m matcher, name string, args []*expr) *assertion {
	if m.isUnary || len(args) == 1 {
		return w.newAssertion(e, m, name, args[0], nil)
	}
	first, second := args[0], args[1]
	swap := w.isExpected(first)
	if swap == w.isExpected(second) {
		swap = m.strength != typed && m.strength != pattern && isListed("expectation first", w.unit.file.Language)
	}
	if swap {
		first, second = second, first
	}
	return w.newAssertion(e, m, name, first, append([]*expr{second}, args[2:]...))
}

func (w *walker) isExpected(e *expr) bool {
	if e.shape == ident || e.shape == dot {
		key := strings.ToLower(lastName(e))
		return e.isConstant() || strings.Contains(strings.ToLower(e.String()), "expect") || strings.HasPrefix(key, "want") ||
			strings.HasSuffix(key, "want")
	}
	return e.isConstant()
}

// newAssertion returns an assertion. args are the expected value, and a tolerance or message after it.
func (w *walker) newAssertion(e *expr, m matcher, name string, subject *expr, args []*expr) *assertion {
	a := &assertion{file: w.unit.file, start: e.start, end: e.end, text: e.String(), key: e.textWith(w.locals),
		matcher: name, strength: m.strength, isNegative: m.isNegative, isThrow: m.isThrow, deadReason: w.deadReason,
		guard: w.guard, isAwaited: w.isAwaited, subject: subject, subjectKey: subject.textWith(w.locals),
		locals: w.locals}
	if a.deadReason == "" && w.isUnawaited(e, name) {
		a.deadReason = "nothing waits for its promise"
	}
	if m.isThrow {
		a.strength = throwStrength(args, m.isNegative)
	}
	if len(args) > 0 && !m.isUnary {
		a.expected, a.expectedKey = args[0], args[0].textWith(w.locals)
		w.readTolerance(a, args)
		w.adjust(a)
	}
	if len(args) == 1 && strings.EqualFold(name, "toHaveProperty") { // of any value
		a.strength = min(a.strength, pattern)
	}
	return a
}

func (w *walker) readTolerance(a *assertion, args []*expr) {
	parts := approximation(append([]*expr{a.subject}, args...))
	switch {
	case parts != nil && a.strength >= approximate:
	case a.strength == approximate && len(args) > 1, a.strength == exact && len(args) == 2 && isNumber(args[1]) &&
		isListed("expectation first", w.unit.file.Language):
		parts = args[1:2]
	default:
		return
	}
	a.strength = approximate
	w.setTolerance(a, parts)
	if isListed("counts places", lang.FoldStyle(a.matcher)) && a.tolerance != "" {
		a.tolerance = strings.TrimPrefix("places "+a.tolerance, "places delta")
	}
}

// setTolerance sets the tolerance, which is not part of the subject.
func (w *walker) setTolerance(a *assertion, tolerance []*expr) {
	a.tolerance = keysOf(tolerance, w.locals)
	for _, p := range tolerance {
		a.subjectKey = strings.Replace(a.subjectKey, p.textWith(w.locals), "", 1)
	}
}

func isNumber(e *expr) bool {
	return e.shape == literal && e.text != "" && e.text[0] >= '0' && e.text[0] <= '9'
}

func (w *walker) isUnawaited(e *expr, name string) bool {
	if w.isAwaited || e.shape != call {
		return false
	}
	if isScript(w.unit.file.Language) {
		links := chain(e)
		return links[0].name == "expect" && len(links) > 2 && (links[1].name == "resolves" || links[1].name == "rejects") ||
			links[0].name == "assert" && len(links) == 2 && (name == "rejects" || name == "doesNotReject")
	}
	return w.unit.file.Language == "csharp" && strings.HasSuffix(name, "Async") && strings.HasPrefix(name, "Throws")
}

// adjust adapts the strength to the expected value, and finds assertions that cannot fail.
func (w *walker) adjust(a *assertion) {
	expected := strings.ToLower(a.expectedKey)
	file, isRead := strings.CutSuffix(a.expected.String(), ".read_text()")
	if isRead && strings.Contains(flat(w.unit.text()), flat(file+".write_text("+a.subject.String()+")")) {
		a.deadReason = "the test writes what it expects"
		return
	}
	if a.subject.isConstant() && a.expected.isConstant() && !a.isThrow {
		a.deadReason = "both sides are constants"
		return
	}
	switch {
	case isListed("nothings", expected) && (a.strength >= exact || a.isNegative):
		a.expected, a.expectedKey = nil, ""
		switch {
		case w.unit.file.Language == "go" && strings.Contains(strings.ToLower(a.subjectKey), "err"):
			a.strength, a.isNegative = truthy, !a.isNegative // like NoError
		case a.isNegative:
			a.strength = nonNull
		default:
			a.strength = exact
		}
		return
	case (expected == "true" || expected == "false") && (a.strength >= exact || a.strength == bound && a.isNegative):
		a.strength, a.isNegative = truthy, a.isNegative != (expected == "false")
		a.isStrict = isListed("demands itself", a.matcher) && a.subject != nil &&
			(a.subject.shape == ident || a.subject.shape == dot)
		w.adjustComparison(a)
	case a.subjectKey == a.expectedKey && a.subjectKey != "" && a.strength >= approximate && !a.isNegative &&
		a.matcher != "is":
		a.deadReason = sameAsSubject
	case a.strength == pattern && !a.isNegative && (a.expectedKey == `""` || a.subjectKey == `""`):
		a.deadReason = "an empty text is in every other"
	case a.strength == bound && (!a.isNegative || strings.HasPrefix(a.matcher, ">")):
		w.adjustBound(a)
	case a.strength >= exact && !a.isNegative && isListed("anythings", lastName(a.expected)):
		a.strength = nonNull
	case a.strength == exact && a.isType():
		a.strength = typed
	case a.strength == exact && isLength(a.subject):
		a.strength, a.subject = pattern, receiver(a.subject)
		a.subjectKey = a.subject.textWith(w.locals)
	case a.strength == exact && !a.isNegative && w.isStrict(a.matcher):
		a.strength = structure
	}
}

func (a *assertion) isType() bool {
	return a.subject != nil && (a.subject.shape == operator && a.subject.text == "typeof" ||
		a.subject.shape == call && isListed("tell types", lastName(a.subject)))
}

// isStrict reports whether a matcher compares types as well, as in a file with strict assertions.
func (w *walker) isStrict(name string) bool {
	if w.unit.file.Language == "php" {
		return name == "assertSame" || name == "toBe"
	}
	return (name == "equal" || name == "deepEqual") && regexpOf("strictly").Match(w.unit.file.Source)
}

// adjustBound recognises the tolerance in abs(a - b) < c, and len(x) >= 0, which always holds.
func (w *walker) adjustBound(a *assertion) {
	if a.subject == nil || a.subject.shape != call {
		return
	}
	if strings.EqualFold(lastName(a.subject), "abs") {
		inner := unwrap(receiver(a.subject)) // of (a - b).abs()
		if len(a.subject.parts) == 2 {
			inner = a.subject.parts[1]
		}
		if inner.shape == operator && inner.text == "-" {
			a.strength, a.tolerance = approximate, a.expectedKey
			a.subject, a.subjectKey = inner.parts[0], inner.parts[0].textWith(w.locals)
			a.expected, a.expectedKey = inner.parts[1], inner.parts[1].textWith(w.locals)
			return
		}
	}
	if isLength(a.subject) && (a.matcher == ">=" && a.expectedKey == "0" || a.matcher == ">" && a.expectedKey == "-1") {
		a.deadReason = "a length is never below zero"
	}
}

// adjustComparison reads a comparison that must be true or false as a condition.
func (w *walker) adjustComparison(a *assertion) {
	inner := unwrap(a.subject)
	if inner == nil || inner.shape != call && inner.shape != operator {
		return
	}
	if found := w.condition(inner, inner, a.isNegative, 0); len(found) == 1 {
		c := found[0]
		a.deadReason = cmp.Or(a.deadReason, c.deadReason)
		a.strength, a.isNegative, a.tolerance = c.strength, c.isNegative, c.tolerance
		a.subject, a.subjectKey, a.expected, a.expectedKey = c.subject, c.subjectKey, c.expected, c.expectedKey
	}
}

// approximation returns tolerances: pytest.approx(x, rel=…) and the like, delta=0.1, accuracy: 0.1.
func approximation(list []*expr) (tolerance []*expr) {
	for _, e := range list {
		e.walk(func(e *expr) bool {
			switch {
			case e.shape == operator && isListed("tolerances", e.parts[0].String()):
				tolerance = append(tolerance, e)
			case e.shape != call || len(e.parts) == 1 || !isListed("approximations", lastName(e)):
				return true
			case len(e.parts) == 2 && !strings.EqualFold(lastName(e), "approx"):
				tolerance = append(tolerance, e.parts[1])
			default:
				tolerance = append(slices.Clip(tolerance), e.parts[2:]...)
			}
			return false
		})
	}
	return tolerance
}
