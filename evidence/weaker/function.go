package weaker

import "strings"

// isAssertingName reports whether a name begins with a word of assertions: assert_eq, shouldBe, XCTAssertNil.
func isAssertingName(name string) bool {
	key := strings.TrimLeft(name, "_#")
	for _, p := range listed("asserting") {
		// What follows is another word: checked_mul asserts nothing.
		if len(key) >= len(p) && strings.EqualFold(key[:len(p)], p) && (len(key) == len(p) || p == "xct" ||
			key[len(p)] < 'a' || key[len(p)] > 'z') {
			return true
		}
	}
	return false
}

// function reads assertEqual(a, b), assert.Equal(t, a, b), assert_eq!(a, b), EXPECT_EQ(a, b), assert x == y.
func (w *walker) function(e *expr, links []link, last link) []*assertion {
	one := func(m matcher, subject *expr, args ...*expr) []*assertion {
		return []*assertion{w.make(e, m, last.name, subject, args)}
	}
	if isListed("bookkeeping", last.name) {
		return nil
	}
	on, receives := "", true
	if len(links) > 1 {
		if on = links[0].name; strings.HasSuffix(on, "Assert") { // of the project's own
			on = "Assert"
		}
		receives = isListed("receivers", on)
	}
	if h := w.unit.file.asserting[last.name]; h != nil && h != w.unit && len(links) <= 2 {
		found := one(matcher{}, e)
		found[0].by(h)
		if found[0].dead == "" && e == w.bare && fits("entered", h.header) {
			found[0].dead = "nothing enters or awaits it"
		}
		return found
	}
	if on == "suite" && last.name == "Run" { // of testify
		return one(matcher{}, e)
	}
	if m, ok := matchers()["double"][last.name]; ok && on != "" {
		return one(m, links[len(links)-2].self, last.args...)
	}
	named, args := last.name, w.withoutHandle(last.args)
	if len(links) == 3 && strings.HasSuffix(plain(links[1].name), "not") { // assert.is_not.equal
		named = "not_" + named
	}
	m, ok := matcherOf(strings.TrimPrefix(named, "#"))
	own := isAssertingName(last.name)
	handed := ok && on == "" && len(args) < len(last.args) // Ok(t, err) of Go
	switch {
	case len(links) > 3 || len(links) == 3 && !receives,
		!own && !handed && !(on != "" && receives) && !(on == "" && isListed("raising", last.name)):
		return nil
	case !ok || named == "expect" && w.unit.file.Language != "swift" && len(args) > 1:
		if own || isAssertingName(on) {
			return one(matcher{}, e)
		}
		return nil
	}
	return w.arguments(e, m, named, args)
}

// arguments reads the arguments of an assertion.
func (w *walker) arguments(e *expr, m matcher, named string, args []*expr) []*assertion {
	inGo := w.unit.file.Language == "go"
	switch {
	case m.throws && inGo && len(args) > 0 && !strings.Contains(named, "anic"): // it is given an error
		m = matcher{strength: truthy, unary: true}
		return []*assertion{w.make(e, m, named, args[0], nil)}
	case m.throws:
		return []*assertion{w.throwing(e, m, named, args)}
	case len(args) == 0:
		if named == "expect" || named == "verify" || named == "check" || m.strength != truthy {
			return nil
		}
		return []*assertion{w.make(e, matcher{}, named, e, nil)}
	case args[0].shape == operator && args[0].text == ":" && args[0].parts[0].text == "throws":
		return []*assertion{w.throwing(e, matcher{strength: truthy, throws: true}, named,
			append([]*expr{args[0].parts[1]}, args[1:]...))}
	case m.unary && m.strength == truthy:
		if len(args) > 1 && strings.HasSuffix(plain(named), "that") {
			if found := w.nested(e, args[1], args[0], false); found != nil {
				return found
			}
		}
		return w.conditions(e, args[0], m, named, args)
	}
	return []*assertion{w.ordered(e, m, named, args)}
}

func isCapital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// withoutHandle drops testing.T from arguments.
func (w *walker) withoutHandle(args []*expr) []*expr {
	if w.unit.file.Language != "go" || len(args) < 2 {
		return args
	}
	first := args[0].String()
	if len(first) <= 2 && args[0].shape == name || strings.HasSuffix(first, ".T()") || isListed("handles", first) {
		return args[1:]
	}
	return args
}
