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

// deadExpression says why assertions in an expression cannot fail the test.
func (w *walker) deadExpression(e *expr) string {
	bare, script := e == w.statementExpr, isScript(w.unit.file.Language)
	switch {
	case e.shape == operator && e.text == "||" && w.unit.file.Language == "bash":
		if right := e.parts[1].String(); right == "true" || right == "" {
			return swallowed
		}
	case e.shape != call:
	case e.parts[0].shape == dot && isListed("goes over", e.parts[0].text) && w.isNothing(e.parts[0].parts[0]):
		return emptyLoop
	case isListed("takes failures", lastName(e)), script && takesRejection(e),
		bare && hasCallFrom(e, "takes failures", "gives failures"):
		return swallowed
	case bare && script && strings.HasPrefix(e.String(), "async"), bare && script && isListed("goes over", lastName(e)) &&
		len(e.parts) > 1 && strings.HasPrefix(e.parts[1].String(), "async"), bare && !w.hasListedWord("waits") &&
		(hasCallFrom(e, "spawns", "joins") || script && hasCallFrom(e, "goes on", "joins") && chain(e)[0].name != "cy"):
		return notAwaited
	}
	return ""
}

const emptyLoop = "the loop is over nothing"

// isNothing reports whether a value is visibly empty: [], range(0).
func (w *walker) isNothing(e *expr) bool { return fits("holding nothing", e.textWith(w.locals)) }

// deadBlock says why assertions in the block of a clause cannot fail: an empty loop, or swallowed failures.
func (w *walker) deadBlock(c clause, e *expr) string {
	switch {
	case e.shape == operator && (e.text == "in" || e.text == ":") && isListed("loops", c.keyword):
		if w.isNothing(e.parts[1]) {
			return emptyLoop
		}
	case e.shape == call && lastName(e) == "suppress" && fits("broad", e.String()):
		return swallowed
	}
	return ""
}

const notAwaited = "nothing waits for it"

func (w *walker) hasListedWord(list string) bool {
	return slices.ContainsFunc(wordList(list), func(word string) bool { return w.unit.words[word] > 0 })
}

// hasCallFrom reports whether a chain has a call from one list, by its name or with its receiver, and no link from
// another list.
func hasCallFrom(e *expr, list, without string) bool {
	found, receiver := false, ""
	for _, l := range chain(e) {
		if isListed(without, l.name) {
			return false
		}
		found = found || l.isCall && (isListed(list, l.name) || isListed(list, receiver+"."+l.name))
		receiver = l.name
	}
	return found
}

// deadStatement says why a statement cannot fail: a function that nothing calls or awaits, or Swift's try?.
func (w *walker) deadStatement(s *statement) string {
	if len(s.tokens) > 1 && s.tokens[0].text+s.tokens[1].text == "try?" {
		return swallowed
	}
	i := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "def" || t.text == "function" })
	if i < 0 || i > 1 || i+1 >= len(s.tokens) || s.tokens[i+1].kind != word || s == w.unit.body.statements[0] && i == 0 &&
		w.unit.name == s.tokens[i+1].text {
		return ""
	}
	name := s.tokens[i+1].text
	if w.unit.words[name] == 1 {
		return "nothing calls its function"
	}
	if i == 1 && w.unit.file.Language == "python" && !w.mayRun(s, name) {
		return notAwaited
	}
	return ""
}

// mayRun reports whether the rest of a test may run its async function: it awaits or runs something, or passes the
// function on.
func (w *walker) mayRun(s *statement, name string) bool {
	outside := strings.Replace(w.unit.text(), string(w.unit.file.Source[s.start:s.end]), "", 1)
	passes := func(m []string) bool { return m[2] == name && !isListed("spawns", strings.TrimSuffix(m[1], "(")) }
	return fits("resuming", strings.ReplaceAll(outside, name, "")) ||
		slices.ContainsFunc(regexpOf("handed").In(outside).FindAllStringSubmatch(outside, -1), passes)
}

// takesRejection reports whether a promise's failure is handled without a word: f().catch(() => {}), f().then(g, () =>
// {}).
func takesRejection(e *expr) bool {
	name, handlers := lastName(e), e.parts[1:]
	if e.parts[0].shape != dot || name != "catch" && name != "then" {
		return false
	}
	if name == "then" {
		handlers = handlers[min(1, len(handlers)):]
	}
	if len(handlers) == 0 || !isClosure(handlers[0]) {
		return false
	}
	_, code, arrow := strings.Cut(handlers[0].String(), "=>")
	if !arrow {
		_, code, _ = strings.Cut(handlers[0].String(), "{")
	}
	return !fits("rethrows", code)
}

const swallowed = "its failure is swallowed"

// swallowedBy says that a handler swallows every failure, "" if none does.
func (w *walker) swallowedBy(handlers []clause) string {
	for _, c := range handlers {
		if c.keyword != "catch" && c.keyword != "except" && c.keyword != "rescue" {
			continue
		}
		handler := []byte(nil)
		if c.block != nil {
			handler = w.unit.file.Source[c.block.start:c.block.end]
		}
		caught := keysOf(c.head, nil)
		lang := w.unit.file.Language
		untyped := isScript(lang) || lang == "swift" || len(c.head) == 0 ||
			lang == "ruby" && !fits("broad", caught) && !strings.ContainsAny(caught, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if (untyped || fits("broad", caught)) &&
			!regexpOf("rethrows").Match(handler) {
			return swallowed
		}
	}
	return ""
}
