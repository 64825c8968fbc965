package weaker

import (
	"cmp"
	"maps"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// throwing is an assertion that code fails: with a message, with a type, or at all.
func (w *walker) throwing(e *expr, m matcher, named string, args []*expr) *assertion {
	a := w.make(e, m, named, nil, nil, false)
	a.throws = true
	var subject, expected []*expr
	for _, arg := range args {
		switch {
		case arg.shape == body,
			isClosure(arg),
			arg.shape == call && !isTypeCall(arg) && (len(args) > 1 || w.unit.file.Language == "cpp") && !arg.isConstant():
			subject = append(subject, arg)
		default:
			expected = append(expected, arg)
		}
	}
	for _, x := range subject {
		a.subject = x
		a.subjectKey += x.with(w.locals)
	}
	a.expectedKey = keys(expected, w.locals)
	if len(expected) > 0 {
		a.expected = expected[0]
	}
	a.strength = throwStrength(expected, m.negative)
	if w.unit.file.Language == "python" && e == w.bare && a.dead == "" && len(expected) < 2 && subject == nil {
		a.dead = "nothing enters its block"
	}
	return a
}

// failed is testify's Error and its kin, which are given an error.
func (w *walker) failed(e *expr, m matcher, named string, args []*expr) *assertion {
	own := matcher{strength: truthy, negative: m.negative, unary: true}
	if len(args) > 1 && !m.negative {
		switch {
		case strings.HasPrefix(named, "ErrorIs"), strings.HasPrefix(named, "ErrorAs"):
			own = matcher{strength: typed}
		case strings.HasPrefix(named, "ErrorContains"):
			own = matcher{strength: pattern}
		}
	}
	return w.make(e, own, named, args[0], args[1:], false)
}

func throwStrength(expected []*expr, negative bool) strength {
	s := truthy
	if negative {
		return s
	}
	for _, x := range expected {
		switch {
		case x.shape == literal,
			x.shape == operator && (x.text == "=" || x.text == ":"),
			x.shape == operator && x.text == "=>":
			s = max(s, pattern)
		case isBroad(x.String()):
			s = max(s, nonNull)
		default:
			s = max(s, typed)
		}
	}
	return s
}

// isBroad reports whether a type of failure is the one that all have.
func isBroad(named string) bool {
	for _, suffix := range []string{".java", "::class", ".class", ".self"} {
		named = strings.TrimSuffix(named, suffix)
	}
	return isListed("broad failures", strings.ReplaceAll(strings.Trim(named, "[]()"), " ", "_"))
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

func isTypeCall(e *expr) bool { return isCapital(lastName(e)) }

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
		return w.make(e, m, named, args[0], args[1:1], false)
	}
	first, second := args[0], args[1]
	if m.strength == typed || m.strength == pattern {
		if w.isExpected(first) && !w.isExpected(second) {
			first, second = second, first
		}
		return w.make(e, m, named, first, append([]*expr{second}, args[2:]...), false)
	}
	swap := w.expectedFirst()
	switch a, b := w.isExpected(first), w.isExpected(second); {
	case a && !b:
		swap = true
	case b && !a:
		swap = false
	}
	if swap {
		first, second = second, first
	}
	return w.make(e, m, named, first, append([]*expr{second}, args[2:]...), false)
}

// isExpected reports whether an expression reads like an expectation.
func (w *walker) isExpected(e *expr) bool {
	if e.isConstant() {
		return true
	}
	switch e.shape {
	case name, dot:
		key := strings.ToLower(e.String())
		return strings.Contains(key, "expect") || strings.HasSuffix(key, "want") || strings.HasPrefix(key, "want") ||
			strings.HasSuffix(key, ".want")
	}
	return false
}

// expectedFirst: the frameworks of the language name the expectation first.
func (w *walker) expectedFirst() bool {
	switch w.unit.file.Language {
	case "java", "kotlin", "csharp", "php", "ruby", "go", "lua":
		return true
	}
	return false
}

// make makes an assertion. args are its expectation, and a tolerance or a message behind it.
func (w *walker) make(e *expr, m matcher, named string, subject *expr, args []*expr, negative bool) *assertion {
	if negative {
		m = m.inverted()
	}
	a := &assertion{
		file:     w.unit.file,
		start:    e.start,
		end:      e.end,
		text:     e.String(),
		key:      e.with(w.locals),
		matcher:  named,
		strength: m.strength,
		negative: m.negative,
		throws:   m.throws,
		dead:     w.dead,
		guard:    w.guard,
		subject:  subject,
		awaited:  w.awaited,
	}
	a.subjectKey = subject.with(w.locals)
	a.loops, a.locals = maps.Clone(w.loops), w.locals
	if a.dead == "" && w.isUnawaited(e, named) {
		a.dead = "nothing waits for its promise"
	}
	if m.throws {
		a.strength = throwStrength(args, m.negative)
	}
	if len(args) > 0 && !m.unary {
		a.expected = args[0]
		a.expectedKey = keys(args[:1], w.locals)
		if m.strength == approximate && len(args) > 1 {
			a.tolerance = args[1].with(w.locals)
		}
		for _, more := range args[1:] {
			if at, ok := toleranceOf(more); ok {
				a.tolerance, a.strength = at, approximate
			}
		}
		if a.strength == exact && len(args) == 2 && isNumber(args[1]) && w.expectedFirst() {
			a.tolerance, a.strength = args[1].String(), approximate
			if named == "Equal" { // xUnit is told how many places count
				a.tolerance = "places " + a.tolerance
			}
		}
		w.settle(a, m)
		a.strength = w.strict(a)
	}
	if len(args) == 1 && strings.EqualFold(named, "toHaveProperty") { // of whatever value
		a.strength = min(a.strength, pattern)
	}
	return a
}

func isNumber(e *expr) bool {
	return e.shape == literal && e.text != "" && e.text[0] >= '0' && e.text[0] <= '9'
}

// strict is the strength of an assertion that compares types as well.
func (w *walker) strict(a *assertion) strength {
	switch f := w.unit.file; {
	case a.strength != exact || a.negative:
	case f.Language == "php" && (a.matcher == "assertSame" || a.matcher == "toBe"),
		f.Language != "php" && (a.matcher == "equal" || a.matcher == "deepEqual") && strictly.Match(f.Source):
		return structure
	}
	return a.strength
}

// strictly is how a file asks for Node's strict assertions by their plain names.
var strictly = lang.Lazy(`\bassert/strict["']|\brequire\(["'](?:node:)?assert["']\)\.strict\b` +
	`|\bstrict(?:\s+as|\s*:)\s+assert\b`)

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
func (w *walker) settle(a *assertion, m matcher) {
	if a.strength >= approximate {
		if inner, ok := approximation(a.expected); ok {
			a.strength, a.tolerance = approximate, spelled(inner)
		}
		if w.tolerate(a) {
			a.strength = approximate
		}
	}
	switch strings.ToLower(a.expectedKey) {
	case "true", "false":
		if a.strength >= exact || a.strength == bound && a.negative {
			a.strength, a.negative = truthy, a.negative != (strings.ToLower(a.expectedKey) == "false")
			a.itself = isListed("demands itself", a.matcher) && a.subject != nil &&
				(a.subject.shape == name || a.subject.shape == dot)
			w.compared(a)
		}
	}
	if a.strength >= approximate && !a.negative && a.matcher != "is" && a.subjectKey == a.expectedKey &&
		a.subjectKey != "" {
		a.dead = "the expectation is the subject itself"
	}
	if a.strength == exact && isLength(a.subject) {
		a.strength, a.subject = pattern, lengthOf(a.subject)
		a.subjectKey = a.subject.with(w.locals)
	}
	if strings.EqualFold(a.matcher, "toBeCloseTo") || strings.Contains(strings.ToLower(a.matcher),
		"almostequal") && a.tolerance != "" {
		a.tolerance = strings.TrimPrefix("places "+a.tolerance, "places delta")
	}
	if a.subject.isConstant() && a.expected.isConstant() && !m.throws {
		a.dead = "both sides are constants"
	}
	if (a.matcher == "in" || m.strength == pattern) && (a.expectedKey == `""` || a.subjectKey == `""`) {
		a.dead = "an empty text is in every other"
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

// toleranceOf reads delta=0.1, places=3, accuracy: 0.1.
func toleranceOf(e *expr) (string, bool) {
	if e.shape != operator || len(e.parts) != 2 || e.text != "=" && e.text != ":" {
		return "", false
	}
	return e.String(), isListed("tolerances", e.parts[0].String())
}

// tolerate takes the tolerance out of what an assertion is about, and reports whether there is one: either side may be
// called approximate, also within what is asked of all(…).
func (w *walker) tolerate(a *assertion) (ok bool) {
	if a.tolerance != "" || a.subject == nil {
		return false
	}
	parts, ok := approximation(a.subject)
	a.tolerance = spelled(parts)
	for _, p := range parts {
		a.subjectKey = strings.Replace(a.subjectKey, p.with(w.locals), "", 1)
	}
	return ok
}

// spelled is a tolerance as text.
func spelled(parts []*expr) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.String()
	}
	return strings.Join(texts, " ")
}

// approximation reads pytest.approx(x, rel=…) and its kin: what is left of it is the tolerance.
func approximation(e *expr) (tolerance []*expr, found bool) {
	e.walk(func(e *expr) bool {
		if e.shape == operator && e.text == "plusOrMinus" {
			found, tolerance = true, e.parts[1:]
		}
		if e.shape == call && len(e.parts) > 1 {
			if isListed("approximations", lastName(e)) {
				found, tolerance = true, e.parts[2:]
				return false
			}
			for _, p := range e.parts[1:] { // IsInt(approx=1, delta=2) of dirty-equals
				if _, ok := toleranceOf(p); ok {
					found, tolerance = true, append(tolerance, p)
				}
			}
		}
		return !found
	})
	return tolerance, found
}
