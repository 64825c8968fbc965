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
	// loops are the lists of literals that the loops around it go over, by what an element is called.
	loops  map[string][]*expr
	locals map[string]*expr
	// dead says why it can no longer fail, "" where it may.
	dead string
	// points is where a bound points: below zero down, above it up.
	points int
	// awaited: its promise is waited for.
	awaited bool
	// covers is how many assertions a helper makes that is called here.
	covers int
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
	if e.shape == operator {
		return w.infix(e)
	}
	links := chain(e)
	if len(links) == 0 || links[0].name == "" && len(links) < 2 {
		return nil
	}
	if found := w.fluent(e, links); found != nil {
		return found
	}
	last := links[len(links)-1]
	if !last.called {
		return nil
	}
	return w.function(e, links, last)
}

// fluent reads expect(x).to.equal(y), assertThat(x).isEqualTo(y), x.Should().Be(y), expect(x).to eq(y).
func (w *walker) fluent(e *expr, links []link) []*assertion {
	from, subject := -1, (*expr)(nil)
	if supertest := w.requests(e, links); supertest != nil {
		return supertest
	}
	for i, l := range links {
		switch {
		case isListed("subjects", l.name) && l.called && len(l.args) > 0 && i <= 2 && i < len(links)-1:
			from, subject = i+1, l.args[len(l.args)-1]
			if w.unit.file.Language != "csharp" {
				subject = l.args[0]
			}
		case i > 0 && isShould(l, i == len(links)-1):
			from, subject = i, previous(links, i)
		}
		if from >= 0 {
			break
		}
	}
	if from < 0 {
		return nil
	}
	return w.matched(e, links[from:], subject)
}

// withoutCallbacks drops the arguments that are called at the end.
func withoutCallbacks(args []*expr) []*expr {
	return slices.DeleteFunc(slices.Clone(args), func(e *expr) bool { return e.shape == name || isClosure(e) })
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

// requests reads request(app).get("/").expect(200, "tobi"), of which nothing tells what it is about.
func (w *walker) requests(e *expr, links []link) (found []*assertion) {
	if links[0].name == "expect" {
		return nil
	}
	for i, l := range links {
		if i > 1 && l.name == "expect" && l.called && len(l.args) > 0 {
			a := w.make(e, matcher{}, l.name, nil, nil, false)
			a.text = "expect" + keys(withoutCallbacks(l.args), nil)
			a.key = "expect" + keys(withoutCallbacks(l.args), w.locals)
			found = append(found, a)
		}
	}
	return found
}

// previous is the expression before a link.
func previous(links []link, i int) *expr { return links[i-1].self }

// matched reads the matchers behind a subject.
func (w *walker) matched(e *expr, links []link, subject *expr) []*assertion {
	var found []*assertion
	negative := false
	for i := 0; i < len(links); i++ {
		l := links[i]
		key := strings.ToLower(strings.ReplaceAll(l.name, "_", ""))
		if key == "not" || key == "tonot" || key == "notto" || key == "shouldnot" || key == "isnot" && !l.called ||
			key == "never" {
			negative = !negative
			if len(l.args) == 0 {
				continue
			}
		}
		if len(l.args) > 0 &&
			(isListed("fillers", l.name) || key == "tonot" || key == "notto" || key == "shouldnot" || key == "should") {
			if inner := w.nested(l.args[0]); inner != nil {
				found = append(found, w.make(e, inner.matcher, inner.name, subject, inner.args, negative))
				continue
			}
		}
		if isListed("fillers", l.name) && i < len(links)-1 {
			continue
		}
		m, ok := matcherOf(l.name)
		if !ok {
			if len(links) == 1 || i == len(links)-1 && len(found) == 0 {
				found = append(found, w.make(e, matcher{}, l.name, subject, l.args, negative))
			}
			continue
		}
		if isListed("fillers", l.name) && !l.called && len(found) > 0 {
			continue
		}
		found = append(found, w.make(e, m, l.name, subject, l.args, negative))
	}
	return found
}

type nestedMatcher struct {
	matcher matcher
	name    string
	args    []*expr
}

// nestedOperator reads be > 5, and not be null.
func (w *walker) nestedOperator(e *expr) *nestedMatcher {
	if len(e.parts) != 2 {
		return nil
	}
	if e.text == "!" {
		inner := w.nested(e.parts[1])
		if inner != nil {
			inner.matcher = inner.matcher.inverted()
		}
		return inner
	}
	if m, ok := matchers()["operator"][e.text]; ok {
		return &nestedMatcher{m, e.text, e.parts[1:]}
	}
	return nil
}

// predicateMatcher reads RSpec's be_empty and have_key, which any method of the subject gives.
func (w *walker) predicateMatcher(e *expr) *nestedMatcher {
	named := e.shape == name && (strings.HasPrefix(e.text, "be_") || strings.HasPrefix(e.text, "have_"))
	if w.unit.file.Language != "ruby" || !named {
		return nil
	}
	if m, ok := matcherOf(e.text); ok {
		return &nestedMatcher{m, e.text, nil}
	}
	return &nestedMatcher{matcher{strength: truthy}, e.text, []*expr{e}}
}

// nested reads a matcher that is an argument: eq(5), Is.EqualTo(5), not(equalTo(5)).
func (w *walker) nested(e *expr) *nestedMatcher {
	if e.shape == operator {
		return w.nestedOperator(e)
	}
	if e.shape == list || e.shape == literal || e.shape == body {
		return nil
	}
	if inner := w.predicateMatcher(e); inner != nil {
		return inner
	}
	links := chain(e)
	negative := false
	for i, l := range links {
		key := strings.ToLower(l.name)
		if (key == "not" || key == "does" || key == "has" || key == "is") && (len(l.args) == 0 || i < len(links)-1) &&
			len(links) > 1 {
			negative = negative != (key == "not")
			continue
		}
		if (key == "not" || key == "is" || key == "a") && len(l.args) == 1 {
			inner := w.nested(l.args[0])
			if inner != nil && key == "not" {
				inner.matcher = inner.matcher.inverted()
			}
			if inner == nil && key == "is" {
				return &nestedMatcher{matcher{strength: exact}, l.name, l.args}
			}
			return inner
		}
		if key == "be" && len(l.args) == 1 {
			if inner := w.nested(l.args[0]); inner != nil {
				return inner
			}
		}
		m, ok := matcherOf(l.name)
		if !ok {
			continue
		}
		if negative {
			m = m.inverted()
		}
		args := l.args
		for _, more := range links[i+1:] {
			if more.name == "Within" || more.name == "within" || more.name == "of" {
				m.strength = approximate
				args = append(slices.Clone(args), more.args...)
				if more.name == "of" { // be_within(0.1).of(x)
					slices.Reverse(args)
				}
			}
		}
		return &nestedMatcher{m, l.name, args}
	}
	return nil
}

// infix reads a shouldBe b, and result should equal (3).
func (w *walker) infix(e *expr) []*assertion {
	if len(e.parts) != 2 || !strings.HasPrefix(e.text, "should") && !strings.HasPrefix(e.text, "must") {
		return nil
	}
	subject, right := e.parts[0], e.parts[1]
	if e.text == "should" || e.text == "must" || e.text == "shouldNot" || e.text == "shouldBe" ||
		e.text == "shouldNotBe" {
		if inner := w.nested(right); inner != nil {
			return []*assertion{w.make(e, inner.matcher, inner.name, subject, inner.args, strings.Contains(e.text, "Not"))}
		}
	}
	m, ok := matcherOf(e.text)
	if !ok || m.strength == unplaced {
		return []*assertion{w.make(e, matcher{}, e.text, subject, []*expr{right}, false)}
	}
	return []*assertion{w.make(e, m, e.text, subject, []*expr{right}, false)}
}
