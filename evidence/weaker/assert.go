package weaker

import (
	"slices"
	"strings"
)

type assertion struct {
	file       *file
	start, end int
	// text is its normalised text; in key, locals are replaced by their values.
	text, key string
	// matcher is its name: assertEqual, toBe.
	matcher    string
	strength   strength
	isNegative bool
	isThrow    bool
	// subject is the value under test, expected the expected value, nil if there is none. In the keys, locals are
	// replaced by their values.
	subject, expected *expr
	subjectKey        string
	expectedKey       string
	// isStrict: true or false is required, not only a truthy or falsy value.
	isStrict bool
	// tolerance is the allowed deviation, "" if there is none.
	tolerance string
	locals    map[string]*expr
	// deadReason says why it cannot fail, "" if it may.
	deadReason string
	// direction is negative for an upper bound, positive for a lower one.
	direction int
	// isAwaited: the test waits for its promise.
	isAwaited bool
	// coverCount counts the assertions of the helper that it calls, helperAssertions lists them.
	coverCount       int
	helperAssertions []*assertion
	// guard is the condition under which it is reached.
	guard string
}

// link is one step of a chain: a.b(c).d is a, b(c), d.
type link struct {
	name   string
	args   []*expr
	isCall bool
	expr   *expr // the expression up to this link, with its arguments
}

// chain splits calls and members into links.
func chain(e *expr) []link {
	switch e.shape {
	case dot:
		return append(chain(e.parts[0]), link{name: e.text, expr: e})
	case call:
		links := chain(e.parts[0])
		last := &links[len(links)-1]
		last.args, last.isCall, last.expr = append(last.args, e.parts[1:]...), true, e
		return links
	case index:
		if e.text == "<" {
			links := chain(e.parts[0])
			last := &links[len(links)-1]
			last.args, last.expr = append(last.args, e.parts[1:]...), e
			return links
		}
	case ident:
		return []link{{name: e.text, expr: e}}
	}
	return []link{{expr: e}}
}

// classify returns the assertions that a call makes.
func (w *walker) classify(e *expr) []*assertion {
	links := chain(e)
	if found := w.fluent(e, links); found != nil {
		return found
	}
	return w.function(e, links)
}

// fluent reads expect(x).to.equal(y), assertThat(x).isEqualTo(y), x.Should().Be(y), expect(x).to eq(y).
func (w *walker) fluent(e *expr, links []link) (found []*assertion) {
	for i, l := range links {
		last := i == len(links)-1
		switch {
		case isListed("subjects", l.name) && l.isCall && len(l.args) > 0 && i <= 2 && !last:
			return w.readSubject(e, links[i+1:], l.args[0])
		case i > 0 && isShould(l, last):
			return w.readSubject(e, links[i:], links[i-1].expr)
		case i > 1 && l.name == "expect" && l.isCall && links[0].name != "expect": // request(app).get("/").expect(200)
			args := slices.DeleteFunc(slices.Clone(l.args), func(e *expr) bool { return e.shape == ident || isClosure(e) })
			call := join(call, "", append([]*expr{{shape: ident, text: l.name}}, args...)...)
			call.start, call.end = e.start, e.end
			found = append(found, w.newAssertion(call, matcher{}, l.name, nil, nil))
		}
	}
	return found
}

// isShould reports whether a link begins the matchers: x.Should().Be(5), x.ShouldBe(5).
func isShould(l link, last bool) bool {
	key := strings.ToLower(l.name)
	if key == "should" || key == "must" || key == "should_not" {
		return !last || len(l.args) > 0
	}
	return l.isCall && (strings.HasPrefix(key, "should") || strings.HasPrefix(key, "must_") ||
		strings.HasPrefix(key, "wont_"))
}

// readSubject reads the matchers after a subject; an unknown one counts too.
func (w *walker) readSubject(e *expr, links []link, subject *expr) []*assertion {
	if found := w.readMatchers(e, links, subject, false); found != nil {
		return found
	}
	last := links[len(links)-1]
	return []*assertion{w.newAssertion(e, matcher{}, last.name, subject, last.args)}
}

// readMatchers reads matchers: to.equal(y), not(equalTo(y)), Is.Not.EqualTo(y), be_within(0.1).of(x).
func (w *walker) readMatchers(e *expr, links []link, subject *expr, isNegated bool) (found []*assertion) {
	for i := 0; i < len(links); i++ {
		l, last := links[i], i == len(links)-1
		key := normalize(l.name)
		isFiller, isNegation := isListed("fillers", key), isListed("denials", key)
		isNegated = isNegated != isNegation
		if isFiller && len(l.args) > 0 {
			if inner := w.nestedMatcher(e, l.args[0], subject, isNegated); inner != nil {
				found = append(found, inner...)
				continue
			}
		}
		m, ok := matcherOf(l.name)
		if !ok || isNegation || isFiller && (!last || !l.isCall && len(found) > 0) {
			continue
		}
		args := slices.Clone(l.args)
		if !last && isListed("tolerating", links[i+1].name) {
			i++
			at := len(args)
			if links[i].name == "of" {
				at = 0
			}
			m.strength, args = approximate, slices.Insert(args, at, links[i].args...)
		}
		found = append(found, w.newAssertion(e, m.invertIf(isNegated), l.name, subject, args))
	}
	return found
}

// nestedMatcher reads a matcher that is an argument: eq(5), not(equalTo(5)), be > 5, RSpec's be_empty.
func (w *walker) nestedMatcher(e, arg, subject *expr, isNegated bool) []*assertion {
	switch arg.shape {
	case operator:
		if m, ok := matchers()["operator"][arg.text]; ok {
			return []*assertion{w.newAssertion(e, m.invertIf(isNegated), arg.text, subject, arg.parts[1:])}
		}
		return nil
	case list, literal, body:
		return nil
	}
	found := w.readMatchers(e, chain(arg), subject, isNegated)
	if found == nil && w.unit.file.Language == "ruby" && arg.shape == ident && strings.HasPrefix(arg.text, "be_") {
		m := matcher{strength: truthy} // any method of the subject gives it
		return []*assertion{w.newAssertion(e, m.invertIf(isNegated), arg.text, subject, []*expr{arg})}
	}
	return found
}
