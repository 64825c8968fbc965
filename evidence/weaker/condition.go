package weaker

import (
	"slices"
	"strconv"
	"strings"
)

// conditions are the assertions that a condition makes.
func (w *walker) conditions(e, condition *expr, m matcher, named string, args []*expr) []*assertion {
	if w.unit.file.Language == "python" && named == "assert" && condition.shape == list && condition.text == "(" &&
		len(condition.parts) > 1 {
		a := w.make(e, m, named, condition, nil, false)
		a.dead = "a tuple is always true"
		return []*assertion{a}
	}
	found := w.condition(e, condition, m.negative, 0)
	for _, a := range found {
		a.matcher = named
		for _, more := range args[1:] {
			if at, ok := toleranceOf(more); ok {
				a.tolerance = at
			}
		}
	}
	return found
}

// condition takes a condition apart; negative: it must not hold.
func (w *walker) condition(e, c *expr, negative bool, depth int) []*assertion {
	c = unwrapped(c)
	switch {
	case depth > 20:
		return []*assertion{w.make(e, matcher{}, "", c, nil, false)}
	case c.shape == operator && c.text == "!":
		return w.condition(e, c.parts[len(c.parts)-1], !negative, depth+1)
	case c.shape == operator && len(c.parts) == 2:
		return w.binary(e, c, negative, depth)
	case c.shape == call:
		return []*assertion{w.predicate(e, c, negative)}
	}
	a := w.make(e, matcher{strength: truthy, unary: true, negative: negative}, "", c, nil, false)
	said := c.with(w.locals)
	if never := isFalse(said) && !negative || isTrue(said) && negative; never {
		a.text, a.key = unreached, unreached // assert(false): this must not be reached
	} else if isTrue(said) || isFalse(said) || c.shape == literal && !negative && c.text != `""` {
		a.dead = "it is a constant"
	}
	return []*assertion{a}
}

// unreached is what an assertion says that fails wherever it is reached.
const unreached = "unreached"

func isTrue(text string) bool {
	return text == "true" || text == "True" || text == "1" || text == "TRUE"
}

func isFalse(text string) bool {
	return text == "false" || text == "False" || text == "0" || text == "FALSE"
}

func (w *walker) binary(e, c *expr, negative bool, depth int) []*assertion {
	left, right := c.parts[0], c.parts[1]
	switch and, or := c.text == "&&" || c.text == "and", c.text == "||" || c.text == "or"; {
	case and && !negative || or && negative:
		return append(w.condition(e, left, negative, depth+1), w.condition(e, right, negative, depth+1)...)
	case and || or:
		a := w.condition(e, left, negative, depth+1)[0]
		a.strength = min(a.strength, bound)
		for _, side := range []*expr{left, right} {
			if text := side.with(w.locals); isTrue(text) && !negative || isFalse(text) && negative {
				a.dead = "one of its alternatives always holds"
			}
		}
		return []*assertion{a}
	}
	m, ok := matchers()["operator"][c.text]
	if !ok {
		return []*assertion{w.make(e, matcher{strength: truthy, unary: true, negative: negative}, "", c, nil, false)}
	}
	if negative {
		m = w.opposite(c.text, m)
	}
	if w.isExpected(left) && !w.isExpected(right) && c.text != "in" && c.text != "not in" {
		left, right = right, left
	}
	if (c.text == "in" || c.text == "not in") && !isChoice(right) {
		left, right = right, left // what is looked in is the subject
	}
	a := w.make(e, m, c.text, left, []*expr{right}, false)
	a.points = strings.Count(c.text, ">") - strings.Count(c.text, "<")
	w.refine(a, c, m)
	return []*assertion{a}
}

// unwrapped is an expression without the brackets around it.
func unwrapped(e *expr) *expr {
	for e != nil && e.shape == list && e.text == "(" && len(e.parts) == 1 {
		e = e.parts[0]
	}
	return e
}

// opposite is what a comparison demands that must not hold: != fails a test, so == is demanded.
func (w *walker) opposite(op string, m matcher) matcher {
	switch op {
	case "!=", "!==", "is not", "<>", "-ne", "~=":
		return matcher{strength: exact}
	case "not in", "!in", "!~":
		return matcher{strength: pattern}
	}
	return m.inverted()
}

// refine looks at the two sides of a comparison.
func (w *walker) refine(a *assertion, c *expr, m matcher) {
	expected := strings.ToLower(a.expectedKey)
	switch {
	case expected == "none" || expected == "nil" || expected == "null" || expected == "undefined" ||
		expected == "nullptr":
		a.expected, a.expectedKey = nil, ""
		a.strength = exact
		if w.unit.file.Language == "go" && strings.Contains(strings.ToLower(a.subjectKey), "err") {
			a.strength, a.negative = truthy, !m.negative // as NoError has it
			return
		}
		if m.negative {
			a.strength = nonNull
		}
	case a.strength == bound && !m.negative && strings.Contains(c.text, "<") || strings.Contains(c.text, ">"):
		w.refineBound(a, c)
	case a.strength == exact && a.subject.shape == call && lastName(a.subject) == "type":
		a.strength = typed
	case a.strength == exact && a.subject.shape == operator && a.subject.text == "typeof":
		a.strength = typed
	}
	if a.strength == exact && isLength(a.subject) {
		a.strength = pattern
		a.subject = lengthOf(a.subject)
		a.subjectKey = a.subject.with(w.locals)
	}
}

// refineBound sees a tolerance in abs(a - b) < c, and len(x) >= 0, which always holds.
func (w *walker) refineBound(a *assertion, c *expr) {
	if a.subject.shape == call && strings.EqualFold(lastName(a.subject), "abs") && len(a.subject.parts) <= 2 {
		inner := a.subject.parts[len(a.subject.parts)-1]
		if len(a.subject.parts) == 1 { // (a - b).abs()
			inner = unwrapped(previous(chain(a.subject), len(chain(a.subject))-1))
		}
		if inner.shape == operator && inner.text == "-" && len(inner.parts) == 2 {
			a.strength, a.tolerance = approximate, a.expectedKey
			a.subject, a.subjectKey = inner.parts[0], inner.parts[0].with(w.locals)
			a.expected, a.expectedKey = inner.parts[1], inner.parts[1].with(w.locals)
			return
		}
	}
	if isLength(a.subject) && (c.text == ">=" && a.expectedKey == "0" || c.text == ">" && a.expectedKey == "-1") {
		a.dead = "a length is never below zero"
	}
}

func isLength(e *expr) bool {
	if e == nil {
		return false
	}
	switch e.shape {
	case call:
		return isListed("lengths", lastName(e))
	case dot:
		return isListed("lengths", e.text) && e.text != "len" && e.text != "sizeof" && e.text != "strlen"
	}
	return false
}

// lengthOf is what a length is of.
func lengthOf(e *expr) *expr {
	if e.shape == dot {
		return e.parts[0]
	}
	if callee := e.parts[0]; callee.shape == dot {
		return callee.parts[0]
	}
	if len(e.parts) > 1 {
		return e.parts[1]
	}
	return e
}

// predicate is an assertion that a call gives true.
func (w *walker) predicate(e, c *expr, negative bool) *assertion {
	named := lastName(c)
	m, ok := matchers()["predicate"][strings.TrimSuffix(named, "!")]
	s := m.strength
	if named == "matches" && len(c.parts) == 3 { // matches!(x, Some(_))
		s, ok = typed, true
	}
	a := w.make(e, matcher{strength: truthy, unary: true, negative: negative}, named, c, nil, false)
	if !ok {
		return a
	}
	if negative {
		s = min(s, bound)
	}
	a.strength = s
	w.tolerate(a)
	for _, more := range c.parts[min(len(c.parts), 3):] {
		if at, ok := toleranceOf(more); ok && s == approximate {
			a.tolerance = at
		}
	}
	if callee := c.parts[0]; s != bound || negative {
		switch {
		case callee.shape == dot && len(c.parts) <= 2 && !isCapital(callee.parts[0].String()) &&
			!isListed("packages", callee.parts[0].String()):
			a.subject = callee.parts[0]
			if len(c.parts) == 2 {
				a.expected = c.parts[1]
			}
		case len(c.parts) >= 3:
			a.subject, a.expected = c.parts[1], c.parts[2]
		}
		a.subjectKey = a.subject.with(w.locals)
		if a.expected != nil {
			a.expectedKey = a.expected.with(w.locals)
			if a.subjectKey == a.expectedKey {
				a.dead = "the expectation is the subject itself"
			}
		}
	}
	return a
}

// isChoice reports a list of several literals: what is looked for in one is to be one of them.
func isChoice(e *expr) bool {
	return e.shape == list && len(e.parts) > 1 &&
		!slices.ContainsFunc(e.parts, func(part *expr) bool { return !part.isConstant() })
}

// isOneOf reports whether an assertion takes any of several values, where the earlier one took a single one of them.
func (a *assertion) isOneOf(b *assertion) bool {
	if a.strength != pattern || b.strength == pattern || a.negative || a.expected == nil || !isChoice(a.expected) {
		return false
	}
	one := b.expectedKey
	if b.strength == truthy {
		one = strconv.FormatBool(!b.negative)
	}
	return slices.ContainsFunc(a.expected.parts, func(e *expr) bool { return strings.EqualFold(e.String(), one) })
}
