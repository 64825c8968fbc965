package weaker

import "strings"

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
	if len(links) == 3 && strings.HasSuffix(normalize(links[1].name), "not") { // assert.is_not.equal
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
		if len(args) > 1 && strings.HasSuffix(normalize(name), "that") {
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
