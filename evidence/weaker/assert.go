package weaker

import (
	"slices"
	"strings"
)

// assertion is one demand of a test.
type assertion struct {
	file       *file
	start, end int
	// text is it all, written in one way; key is its text with the values of locals.
	text, key string
	// matcher is the word that demands it.
	matcher  string
	strength strength
	negative bool
	throws   bool
	// subject is what it is about, expected what that must be, nil where nothing is named; written with the values of
	// locals.
	subject, expected *expr
	subjectKey        string
	expectedKey       string
	// itself: JavaScript's true or false is demanded, and nothing that counts as one.
	itself bool
	// tolerance is what a value may be off, "" without one.
	tolerance string
	locals    map[string]*expr
	// dead says why it can no longer fail, "" where it may.
	dead string
	// points is where a bound points: below zero down, above it up.
	points int
	// awaited: its promise is waited for.
	awaited bool
	// covers is how many assertions a helper makes that is called here, made which they are.
	covers int
	made   []*assertion
	// guard is the condition under which alone it is reached.
	guard string
}

// link is one step of a chain: a.b(c).d is a, b(c), d.
type link struct {
	name   string
	args   []*expr
	called bool
	self   *expr // of the first link, what it is; with what it is called with
}

// chain takes calls and members apart.
func chain(e *expr) []link {
	switch e.shape {
	case dot:
		return append(chain(e.parts[0]), link{name: e.text, self: e})
	case call:
		links := chain(e.parts[0])
		last := &links[len(links)-1]
		last.args, last.called, last.self = append(last.args, e.parts[1:]...), true, e
		return links
	case index:
		if e.text == "<" {
			links := chain(e.parts[0])
			last := &links[len(links)-1]
			last.args, last.self = append(last.args, e.parts[1:]...), e
			return links
		}
	case name:
		return []link{{name: e.text, self: e}}
	}
	return []link{{self: e}}
}

// classify returns the assertions that a call is, or nil.
func (w *walker) classify(e *expr) []*assertion {
	links := chain(e)
	if found := w.fluent(e, links); found != nil {
		return found
	}
	if last := links[len(links)-1]; last.called {
		return w.function(e, links, last)
	}
	return nil
}

// fluent reads expect(x).to.equal(y), assertThat(x).isEqualTo(y), x.Should().Be(y), expect(x).to eq(y).
func (w *walker) fluent(e *expr, links []link) (found []*assertion) {
	for i, l := range links {
		last := i == len(links)-1
		switch {
		case isListed("subjects", l.name) && l.called && len(l.args) > 0 && i <= 2 && !last:
			return w.demanded(e, links[i+1:], l.args[0])
		case i > 0 && isShould(l, last):
			return w.demanded(e, links[i:], links[i-1].self)
		case i > 1 && l.name == "expect" && l.called && links[0].name != "expect": // request(app).get("/").expect(200)
			given := slices.DeleteFunc(slices.Clone(l.args), func(e *expr) bool { return e.shape == name || isClosure(e) })
			own := join(call, "", append([]*expr{{shape: name, text: l.name}}, given...)...)
			own.start, own.end = e.start, e.end
			found = append(found, w.make(own, matcher{}, l.name, nil, nil))
		}
	}
	return found
}

// isShould reports whether a link begins what is demanded of the links before it: x.Should().Be(5), x.ShouldBe(5).
func isShould(l link, last bool) bool {
	key := strings.ToLower(l.name)
	if key == "should" || key == "must" || key == "should_not" {
		return !last || len(l.args) > 0
	}
	return l.called && (strings.HasPrefix(key, "should") || strings.HasPrefix(key, "must_") ||
		strings.HasPrefix(key, "wont_"))
}

// demanded reads the matchers behind a subject; one that nothing places is one all the same.
func (w *walker) demanded(e *expr, links []link, subject *expr) []*assertion {
	if found := w.demands(e, links, subject, false); found != nil {
		return found
	}
	last := links[len(links)-1]
	return []*assertion{w.make(e, matcher{}, last.name, subject, last.args)}
}

// demands reads matchers: to.equal(y), not(equalTo(y)), Is.Not.EqualTo(y), be_within(0.1).of(x).
func (w *walker) demands(e *expr, links []link, subject *expr, denied bool) (found []*assertion) {
	for i := 0; i < len(links); i++ {
		l, last := links[i], i == len(links)-1
		key := plain(l.name)
		filler, denies := isListed("fillers", key), isListed("denials", key)
		denied = denied != denies
		if filler && len(l.args) > 0 {
			if inner := w.nested(e, l.args[0], subject, denied); inner != nil {
				found = append(found, inner...)
				continue
			}
		}
		m, ok := matcherOf(l.name)
		if !ok || denies || filler && (!last || !l.called && len(found) > 0) {
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
		found = append(found, w.make(e, m.inverted(denied), l.name, subject, args))
	}
	return found
}

// nested reads a matcher that is an argument: eq(5), not(equalTo(5)), be > 5, RSpec's be_empty.
func (w *walker) nested(e, given, subject *expr, denied bool) []*assertion {
	switch given.shape {
	case operator:
		if m, ok := matchers()["operator"][given.text]; ok && len(given.parts) == 2 {
			return []*assertion{w.make(e, m.inverted(denied), given.text, subject, given.parts[1:])}
		}
		return nil
	case list, literal, body:
		return nil
	}
	found := w.demands(e, chain(given), subject, denied)
	if found == nil && w.unit.file.Language == "ruby" && given.shape == name && strings.HasPrefix(given.text, "be_") {
		m := matcher{strength: truthy} // any method of the subject gives it
		return []*assertion{w.make(e, m.inverted(denied), given.text, subject, []*expr{given})}
	}
	return found
}
