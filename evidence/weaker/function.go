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
	if isListed("bookkeeping", last.name) {
		return nil
	}
	args := last.args
	own := isAssertingName(last.name)
	on := ""
	if len(links) > 1 {
		on = links[0].name
		if strings.HasSuffix(on, "Assert") { // of the project's own
			on = "Assert"
		}
	}
	if len(links) >= 2 && verifies(links) {
		return []*assertion{w.make(e, matcher{strength: exact}, last.name, e, nil, false)}
	}
	if h, ok := w.unit.file.asserting[last.name]; ok && h != w.unit && len(links) <= 2 {
		a := w.make(e, matcher{}, last.name, e, nil, false)
		a.by(h)
		if a.dead == "" && e == w.bare && entered.MatchString(h.header) {
			a.dead = "nothing enters or awaits it"
		}
		return []*assertion{a}
	}
	if m, ok := matchers()["double"][last.name]; ok && len(links) > 1 {
		return []*assertion{w.make(e, m, last.name, previous(links, len(links)-1), args, false)}
	}
	if !w.asserts(links, last.name, on) && !w.isHanded(links, args) {
		return nil
	}
	named := last.name
	if len(links) == 3 { // assert.are.equal
		if strings.EqualFold(links[1].name, "not") || strings.Contains(links[1].name, "_not") ||
			strings.HasSuffix(links[1].name, "Not") {
			named = "not_" + named
		}
	}
	args = w.withoutHandle(args)
	m, ok := matcherOf(strings.TrimPrefix(named, "#"))
	if !ok || named == "expect" && w.unit.file.Language != "swift" && len(args) > 1 {
		if own || isAssertingName(on) {
			return []*assertion{w.make(e, matcher{}, last.name, e, nil, false)}
		}
		return nil
	}
	if on != "" && on != "assert" && !isAssertingName(on) && !own && !isListed("receivers", on) && on != "pytest" {
		return nil
	}
	return w.arguments(e, m, named, args)
}

// isHanded reports a call of a function of Go that is named as an assertion and takes the test: Ok(t, err).
func (w *walker) isHanded(links []link, args []*expr) bool {
	_, known := matcherOf(links[0].name)
	return known && len(links) == 1 && len(args) > 1 && len(w.withoutHandle(args)) < len(args)
}

// asserts reports whether a call may be one of an assertion, by its name and what it is called on.
func (w *walker) asserts(links []link, named, on string) bool {
	own := isAssertingName(named)
	switch {
	case !own && !isListed("receivers", on) && !(len(links) == 1 && isListed("raising", named)) && on != "pytest":
		return false
	case len(links) > 3 || len(links) == 3 && !isListed("receivers", on):
		return false
	case on != "" && !isListed("receivers", on) && on != "pytest" && !isAssertingName(on) && !isCapital(on):
		_, known := w.unit.file.asserting[named]
		return known || own
	}
	return true
}

// arguments reads the arguments of an assertion.
func (w *walker) arguments(e *expr, m matcher, named string, args []*expr) []*assertion {
	inGo := w.unit.file.Language == "go"
	switch {
	case len(args) > 0 && args[0].shape == operator && args[0].text == ":" && args[0].parts[0].text == "throws":
		return []*assertion{w.throwing(e, matcher{strength: truthy, throws: true}, named,
			append([]*expr{args[0].parts[1]}, args[1:]...))}
	case len(args) == 0 && m.throws:
		return []*assertion{w.throwing(e, m, named, args)}
	case len(args) == 0:
		if named == "expect" || named == "verify" || named == "check" || m.strength != truthy {
			return nil
		}
		return []*assertion{w.make(e, matcher{}, named, e, nil, false)}
	case m.throws && !inGo && (named == "error" || named == "ifError"):
		return []*assertion{w.make(e, matcher{strength: truthy, negative: true, throws: true, unary: true},
			named, args[0], nil, false)}
	case inGo && (strings.HasPrefix(named, "NoError") || strings.EqualFold(named, "ok") && len(args) == 1):
		return []*assertion{w.failed(e, matcher{negative: true}, named, args)}
	case m.throws && inGo && !strings.Contains(named, "anic"):
		return []*assertion{w.failed(e, m, named, args)}
	case m.throws:
		return []*assertion{w.throwing(e, m, named, args)}
	case m.unary && m.strength == truthy:
		if len(args) >= 2 && (named == "That" || named == "assertThat" || strings.HasSuffix(named, "_THAT")) {
			if inner := w.nested(args[1]); inner != nil {
				return []*assertion{w.make(e, inner.matcher, inner.name, args[0], inner.args, false)}
			}
		}
		return w.conditions(e, args[0], m, named, args)
	}
	return []*assertion{w.ordered(e, m, named, args)}
}

func isCapital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// verifies reports whether a chain is that of Mockito's kin: verify(mock).call(…).
func verifies(links []link) bool {
	return links[0].name == "verify" && links[0].called && len(links[0].args) > 0 ||
		len(links) > 2 && links[0].name == "Mockito" && links[1].name == "verify"
}

// withoutHandle drops testing.T from arguments.
func (w *walker) withoutHandle(args []*expr) []*expr {
	if w.unit.file.Language != "go" || len(args) == 0 {
		return args
	}
	first := args[0].String()
	if len(first) <= 2 && args[0].shape == name || strings.HasSuffix(first, ".T()") || first == "GinkgoT()" ||
		first == "tb" {
		if len(args) > 1 {
			return args[1:]
		}
	}
	return args
}
