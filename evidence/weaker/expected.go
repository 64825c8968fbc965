package weaker

import (
	"cmp"
	"slices"
	"strings"
)

// throwing is an assertion that code fails: with a message, with a type, or at all.
func (w *walker) throwing(e *expr, m matcher, named string, args []*expr) *assertion {
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
	a := w.make(e, m, named, nil, expected)
	if len(subject) > 0 {
		a.subject, a.subjectKey = subject[len(subject)-1], keys(subject, w.locals)
	}
	a.expectedKey = keys(expected, w.locals)
	if inPython && (e == w.bare || !w.mentions("enters")) && a.dead == "" && subject == nil {
		a.dead = "nothing enters its block"
	}
	return a
}

// throwStrength is what is demanded of a failure by what is expected of it.
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
			e.shape == name && (e.text == "lambda" || e.text == "func" || e.text == "function")
		return !found
	})
	return found
}

// lastName is the name by which something is called.
func lastName(e *expr) string {
	links := chain(e)
	return links[len(links)-1].name
}

func keys(list []*expr, locals map[string]*expr) string {
	var all []string
	for _, e := range list {
		all = append(all, e.with(locals))
	}
	return strings.Join(all, ", ")
}

// ordered makes an assertion of two values, and finds out which is the one that is expected.
func (w *walker) ordered(e *expr, m matcher, named string, args []*expr) *assertion {
	if m.unary || len(args) == 1 {
		return w.make(e, m, named, args[0], nil)
	}
	first, second := args[0], args[1]
	swap := w.isExpected(first)
	if swap == w.isExpected(second) {
		swap = m.strength != typed && m.strength != pattern && isListed("expectation first", w.unit.file.Language)
	}
	if swap {
		first, second = second, first
	}
	return w.make(e, m, named, first, append([]*expr{second}, args[2:]...))
}

// isExpected reports whether an expression reads like an expectation.
func (w *walker) isExpected(e *expr) bool {
	if e.shape == name || e.shape == dot {
		key := strings.ToLower(lastName(e))
		return e.isConstant() || strings.Contains(strings.ToLower(e.String()), "expect") || strings.HasPrefix(key, "want") ||
			strings.HasSuffix(key, "want")
	}
	return e.isConstant()
}

// make makes an assertion. args are its expectation, and a tolerance or a message behind it.
func (w *walker) make(e *expr, m matcher, named string, subject *expr, args []*expr) *assertion {
	a := &assertion{file: w.unit.file, start: e.start, end: e.end, text: e.String(), key: e.with(w.locals), matcher: named,
		strength: m.strength, negative: m.negative, throws: m.throws, dead: w.dead, guard: w.guard, awaited: w.awaited,
		subject: subject, subjectKey: subject.with(w.locals), locals: w.locals}
	if a.dead == "" && w.isUnawaited(e, named) {
		a.dead = "nothing waits for its promise"
	}
	if m.throws {
		a.strength = throwStrength(args, m.negative)
	}
	if len(args) > 0 && !m.unary {
		a.expected, a.expectedKey = args[0], args[0].with(w.locals)
		w.near(a, args)
		w.settle(a)
	}
	if len(args) == 1 && strings.EqualFold(named, "toHaveProperty") { // of whatever value
		a.strength = min(a.strength, pattern)
	}
	return a
}

// near sees how far a value may be off.
func (w *walker) near(a *assertion, args []*expr) {
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
	w.tolerate(a, parts)
	if isListed("counts places", plain(a.matcher)) && a.tolerance != "" {
		a.tolerance = strings.TrimPrefix("places "+a.tolerance, "places delta")
	}
}

// tolerate lets a value be off by a tolerance, which is no part of what is asked about.
func (w *walker) tolerate(a *assertion, tolerance []*expr) {
	a.tolerance = keys(tolerance, w.locals)
	for _, p := range tolerance {
		a.subjectKey = strings.Replace(a.subjectKey, p.with(w.locals), "", 1)
	}
}

func isNumber(e *expr) bool {
	return e.shape == literal && e.text != "" && e.text[0] >= '0' && e.text[0] <= '9'
}

// isUnawaited reports whether an assertion is a promise that nothing waits for.
func (w *walker) isUnawaited(e *expr, named string) bool {
	if w.awaited || e.shape != call {
		return false
	}
	if isScript(w.unit.file.Language) {
		links := chain(e)
		return links[0].name == "expect" && len(links) > 2 && (links[1].name == "resolves" || links[1].name == "rejects") ||
			links[0].name == "assert" && len(links) == 2 && (named == "rejects" || named == "doesNotReject")
	}
	return w.unit.file.Language == "csharp" && strings.HasSuffix(named, "Async") && strings.HasPrefix(named, "Throws")
}

// settle adjusts the strength to what is expected, and sees what holds whatever the code does.
func (w *walker) settle(a *assertion) {
	expected := strings.ToLower(a.expectedKey)
	file, isRead := strings.CutSuffix(a.expected.String(), ".read_text()")
	if isRead && strings.Contains(flat(w.unit.text()), flat(file+".write_text("+a.subject.String()+")")) {
		a.dead = "the test writes what it expects"
		return
	}
	if a.subject.isConstant() && a.expected.isConstant() && !a.throws {
		a.dead = "both sides are constants"
		return
	}
	switch {
	case isListed("nothings", expected) && a.strength >= exact || isListed("nothings", expected) && a.negative:
		a.expected, a.expectedKey = nil, ""
		switch {
		case w.unit.file.Language == "go" && strings.Contains(strings.ToLower(a.subjectKey), "err"):
			a.strength, a.negative = truthy, !a.negative // as NoError has it
		case a.negative:
			a.strength = nonNull
		default:
			a.strength = exact
		}
		return
	case (expected == "true" || expected == "false") && (a.strength >= exact || a.strength == bound && a.negative):
		a.strength, a.negative = truthy, a.negative != (expected == "false")
		a.itself = isListed("demands itself", a.matcher) && a.subject != nil &&
			(a.subject.shape == name || a.subject.shape == dot)
		w.compared(a)
	case a.subjectKey == a.expectedKey && a.subjectKey != "" && a.strength >= approximate && !a.negative &&
		a.matcher != "is":
		a.dead = itsOwn
	case a.strength == pattern && !a.negative && (a.expectedKey == `""` || a.subjectKey == `""`):
		a.dead = "an empty text is in every other"
	case a.strength == bound && (!a.negative || strings.HasPrefix(a.matcher, ">")):
		w.bounded(a)
	case a.strength >= exact && !a.negative && isListed("anythings", lastName(a.expected)):
		a.strength = nonNull
	case a.strength == exact && a.isType():
		a.strength = typed
	case a.strength == exact && isLength(a.subject):
		a.strength, a.subject = pattern, receiver(a.subject)
		a.subjectKey = a.subject.with(w.locals)
	case a.strength == exact && !a.negative && w.isStrict(a.matcher):
		a.strength = structure
	}
}

// isType reports whether the type of a value is compared.
func (a *assertion) isType() bool {
	return a.subject != nil && (a.subject.shape == operator && a.subject.text == "typeof" ||
		a.subject.shape == call && isListed("tell types", lastName(a.subject)))
}

// isStrict reports whether a matcher compares types as well, by the strict assertions of its file.
func (w *walker) isStrict(named string) bool {
	if w.unit.file.Language == "php" {
		return named == "assertSame" || named == "toBe"
	}
	return (named == "equal" || named == "deepEqual") && regexpOf("strictly").Match(w.unit.file.Source)
}

// bounded sees a tolerance in abs(a - b) < c, and len(x) >= 0, which always holds.
func (w *walker) bounded(a *assertion) {
	if a.subject == nil || a.subject.shape != call {
		return
	}
	if strings.EqualFold(lastName(a.subject), "abs") {
		inner := unwrapped(receiver(a.subject)) // of (a - b).abs()
		if len(a.subject.parts) == 2 {
			inner = a.subject.parts[1]
		}
		if inner.shape == operator && inner.text == "-" && len(inner.parts) == 2 {
			a.strength, a.tolerance = approximate, a.expectedKey
			a.subject, a.subjectKey = inner.parts[0], inner.parts[0].with(w.locals)
			a.expected, a.expectedKey = inner.parts[1], inner.parts[1].with(w.locals)
			return
		}
	}
	if isLength(a.subject) && (a.matcher == ">=" && a.expectedKey == "0" || a.matcher == ">" && a.expectedKey == "-1") {
		a.dead = "a length is never below zero"
	}
}

// compared takes a comparison apart that is demanded to be true or false, as a condition is.
func (w *walker) compared(a *assertion) {
	inner := unwrapped(a.subject)
	if inner == nil || inner.shape != call && (inner.shape != operator || len(inner.parts) != 2) {
		return
	}
	if found := w.condition(inner, inner, a.negative, 0); len(found) == 1 {
		c := found[0]
		a.dead = cmp.Or(a.dead, c.dead)
		a.strength, a.negative, a.tolerance = c.strength, c.negative, c.tolerance
		a.subject, a.subjectKey, a.expected, a.expectedKey = c.subject, c.subjectKey, c.expected, c.expectedKey
	}
}

// approximation finds how far something may be off: pytest.approx(x, rel=…) and its kin, delta=0.1, accuracy: 0.1.
func approximation(list []*expr) (tolerance []*expr) {
	for _, e := range list {
		e.walk(func(e *expr) bool {
			switch {
			case e.shape == operator && len(e.parts) == 2 && isListed("tolerances", e.parts[0].String()):
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
