package weaker

import (
	"slices"
	"strconv"
	"strings"
)

// conditions are the assertions that a condition makes.
func (w *walker) conditions(e, condition *expr, m matcher, named string, args []*expr) []*assertion {
	found := w.condition(e, condition, m.negative, 0)
	for _, a := range found {
		a.matcher = named
		if parts := approximation(args[1:]); parts != nil {
			a.tolerance = keys(parts, nil)
		}
	}
	return found
}

// condition takes a condition apart; negative: it must not hold.
func (w *walker) condition(e, c *expr, negative bool, depth int) []*assertion {
	c = unwrapped(c)
	if depth < maxSteps && c.shape == operator {
		switch left, right := c.parts[0], c.parts[len(c.parts)-1]; {
		case c.text == "!":
			return w.condition(e, right, !negative, depth+1)
		case isAnd(c) && !negative, isOr(c) && negative:
			return append(w.condition(e, left, negative, depth+1), w.condition(e, right, negative, depth+1)...)
		case isAnd(c) || isOr(c):
			a := w.condition(e, left, negative, depth+1)[0]
			a.strength = min(a.strength, bound)
			if w.always(left, !negative) || w.always(right, !negative) {
				a.dead = "one of its alternatives always holds"
			}
			return []*assertion{a}
		case len(c.parts) == 2 && matchers()["operator"][c.text].strength != unplaced:
			return []*assertion{w.compares(e, c, negative)}
		}
	}
	if c.shape == call {
		return []*assertion{w.predicate(e, c, negative)}
	}
	if w.unit.file.Language == "go" && c.shape == name && strings.HasPrefix(c.text, "err") { // ok(err), as NoError has it
		negative = true
	}
	a := w.make(e, matcher{strength: truthy, unary: true, negative: negative}, "", c, nil)
	switch {
	case w.always(c, negative):
		a.text, a.key = unreached, unreached // assert(false): this must not be reached
	case w.always(c, !negative), c.shape == literal && !negative && c.text != `""`:
		a.dead = "it is a constant"
	case c.shape == list && c.text == "(" && len(c.parts) > 1 && w.unit.file.Language == "python":
		a.dead = "a tuple is always true"
	}
	return []*assertion{a}
}

func isAnd(c *expr) bool { return c.text == "&&" || c.text == "and" }

func isOr(c *expr) bool { return c.text == "||" || c.text == "or" }

// unreached is what an assertion says that fails wherever it is reached.
const unreached = "unreached"

// always reports whether a condition is a constant of one truth.
func (w *walker) always(c *expr, truth bool) bool {
	said := c.with(w.locals)
	return truth && isTrue(said) || !truth && isFalse(said)
}

func isTrue(text string) bool { return text == "1" || strings.EqualFold(text, "true") }

func isFalse(text string) bool { return text == "0" || strings.EqualFold(text, "false") }

// compares is an assertion that a comparison holds, or does not.
func (w *walker) compares(e, c *expr, negative bool) *assertion {
	left, right := c.parts[0], c.parts[1]
	isIn := c.text == "in" || c.text == "not in"
	// What is looked in is the subject.
	if !isIn && w.isExpected(left) && !w.isExpected(right) || isIn && !isChoice(right) {
		left, right = right, left
	}
	a := w.make(e, matchers()["operator"][c.text].inverted(negative), c.text, left, []*expr{right})
	a.points = strings.Count(c.text, ">") - strings.Count(c.text, "<")
	return a
}

// unwrapped is an expression without the brackets around it.
func unwrapped(e *expr) *expr {
	for e != nil && e.shape == list && e.text == "(" && len(e.parts) == 1 {
		e = e.parts[0]
	}
	return e
}

// isLength reports a length, of what its last part is.
func isLength(e *expr) bool {
	if e == nil || e.shape != call && e.shape != dot {
		return false
	}
	return isListed("lengths", lastName(e)) && (e.shape == call || !isListed("lengths of arguments", e.text))
}

// receiver is what a call is about: what its function is a member of, its first argument, or the call itself.
func receiver(e *expr) *expr {
	switch {
	case e.shape == dot:
		return e.parts[0]
	case e.parts[0].shape == dot:
		return e.parts[0].parts[0]
	case len(e.parts) > 1:
		return e.parts[1]
	}
	return e
}

// predicate is an assertion that a call gives true.
func (w *walker) predicate(e, c *expr, negative bool) *assertion {
	named := lastName(c)
	m, ok := matchers()["predicate"][strings.TrimSuffix(named, "!")]
	a := w.make(e, matcher{strength: truthy, unary: true, negative: negative}, named, c, nil)
	if !ok {
		return a
	}
	a.strength = m.inverted(negative).strength
	w.tolerate(a, approximation([]*expr{c}))
	sides := c.parts[1:]
	if callee := c.parts[0]; callee.shape == dot && len(sides) == 1 {
		sides = []*expr{callee.parts[0], sides[0]}
	}
	if len(sides) > 1 && sides[0].with(w.locals) == sides[1].with(w.locals) {
		a.dead = itsOwn
	}
	return a
}

const itsOwn = "the expectation is the subject itself"

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
