package weaker

import (
	"slices"
	"strconv"
	"strings"
)

// condition splits a condition into assertions; with negative, it must not hold.
func (w *walker) condition(e, c *expr, negative bool, depth int) []*assertion {
	c = unwrap(c)
	if depth < maxSteps && c.shape == operator {
		left, right := c.parts[0], c.parts[1]
		switch isAnd, isOr := c.text == "&&" || c.text == "and", c.text == "||" || c.text == "or"; {
		case c.text == "!":
			return w.condition(e, right, !negative, depth+1)
		case isAnd && !negative, isOr && negative:
			return append(w.condition(e, left, negative, depth+1), w.condition(e, right, negative, depth+1)...)
		case isAnd || isOr:
			a := w.condition(e, left, negative, depth+1)[0]
			a.strength = min(a.strength, bound)
			if w.isAlways(left, !negative) || w.isAlways(right, !negative) {
				a.deadReason = "one of its alternatives always holds"
			}
			return []*assertion{a}
		case matchers()["operator"][c.text].strength != unknown:
			return []*assertion{w.comparison(e, c, negative)}
		}
	}
	if c.shape == call {
		return []*assertion{w.predicate(e, c, negative)}
	}
	if w.unit.file.Language == "go" && c.shape == ident && strings.HasPrefix(c.text, "err") { // ok(err) is NoError
		negative = true
	}
	a := w.newAssertion(e, matcher{strength: truthy, isUnary: true, isNegative: negative}, "", c, nil)
	switch {
	case w.isAlways(c, negative):
		a.text, a.key = unreachable, unreachable // assert(false)
	case w.isAlways(c, !negative), c.shape == literal && !negative && c.text != `""`:
		a.deadReason = "it is a constant"
	case c.shape == list && c.text == "(" && len(c.parts) > 1 && w.unit.file.Language == "python":
		a.deadReason = "a tuple is always true"
	}
	return []*assertion{a}
}

// unreachable is the text of an assertion that always fails.
const unreachable = "unreached"

// isAlways reports whether a condition is constantly true, or constantly false.
func (w *walker) isAlways(c *expr, truth bool) bool {
	text := c.textWith(w.locals)
	return truth && isTrue(text) || !truth && isFalse(text)
}

func isTrue(text string) bool { return text == "1" || strings.EqualFold(text, "true") }

func isFalse(text string) bool { return text == "0" || strings.EqualFold(text, "false") }

func (w *walker) comparison(e, c *expr, negative bool) *assertion {
	left, right := c.parts[0], c.parts[1]
	isIn := c.text == "in" || c.text == "not in"
	// The container is the subject.
	if !isIn && w.isExpected(left) && !w.isExpected(right) || isIn && !isChoice(right) {
		left, right = right, left
	}
	a := w.newAssertion(e, matchers()["operator"][c.text].invertIf(negative), c.text, left, []*expr{right})
	a.direction = strings.Count(c.text, ">") - strings.Count(c.text, "<")
	return a
}

func unwrap(e *expr) *expr {
	for e != nil && e.shape == list && e.text == "(" && len(e.parts) == 1 {
		e = e.parts[0]
	}
	return e
}

func isLength(e *expr) bool {
	if e == nil || e.shape != call && e.shape != dot {
		return false
	}
	return isListed("lengths", lastName(e)) && (e.shape == call || !isListed("lengths of arguments", e.text))
}

// receiver returns the subject of a call: its receiver, its first argument, or the call itself.
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

func (w *walker) predicate(e, c *expr, negative bool) *assertion {
	name := lastName(c)
	m, ok := matchers()["predicate"][strings.TrimSuffix(name, "!")]
	a := w.newAssertion(e, matcher{strength: truthy, isUnary: true, isNegative: negative}, name, c, nil)
	if !ok {
		return a
	}
	a.strength = m.invertIf(negative).strength
	w.setTolerance(a, approximation([]*expr{c}))
	sides := c.parts[1:]
	if callee := c.parts[0]; callee.shape == dot && len(sides) == 1 {
		sides = []*expr{callee.parts[0], sides[0]}
	}
	if len(sides) > 1 && sides[0].textWith(w.locals) == sides[1].textWith(w.locals) {
		a.deadReason = sameAsSubject
	}
	return a
}

const sameAsSubject = "the expectation is the subject itself"

// isChoice reports whether an expression is a list of several literals: «x in [1, 2]» accepts each.
func isChoice(e *expr) bool {
	return e.shape == list && len(e.parts) > 1 &&
		!slices.ContainsFunc(e.parts, func(part *expr) bool { return !part.isConstant() })
}

// acceptsSeveral reports whether an assertion accepts one of several values, where the earlier one accepted only one.
func (a *assertion) acceptsSeveral(b *assertion) bool {
	if a.strength != pattern || b.strength == pattern || a.isNegative || a.expected == nil || !isChoice(a.expected) {
		return false
	}
	single := b.expectedKey
	if b.strength == truthy {
		single = strconv.FormatBool(!b.isNegative)
	}
	return slices.ContainsFunc(a.expected.parts, func(e *expr) bool { return strings.EqualFold(e.String(), single) })
}
