package weaker

import "strings"

// ofHeader is the matcher of an assertion that stands before the body of a test.
const ofHeader = "expected"

// headerAssertions are those that stand before the body: #[should_panic], @Test(expected = …).
func (w *walker) headerAssertions() {
	u := w.unit
	for _, m := range regexpOf("expected throw").In(u.header).FindAllStringSubmatchIndex(u.header, -1) {
		e := &expr{shape: name, text: u.header[m[0]:m[1]], start: u.start + m[0], end: u.start + m[1]}
		a := w.make(e, matcher{strength: truthy, throws: true}, ofHeader, &expr{shape: name, text: "the test"}, nil)
		if m[2] >= 0 {
			a.strength, a.expectedKey = pattern, u.header[m[2]:m[3]]
		} else if !strings.HasPrefix(e.text, "#") {
			a.expectedKey = e.text
			if !fits("broad failure", strings.TrimSpace(regexpOf("last type").FindString(e.text))) {
				a.strength = typed
			}
		}
		u.assertions = append(u.assertions, a)
	}
}

// by notes what a function demands that an assertion calls: no more than that, and nothing where that cannot fail.
func (a *assertion) by(helper *unit) {
	a.covers, a.made = len(helper.assertions), helper.assertions
	most, dead := unplaced, ""
	for _, h := range helper.assertions {
		if h.dead == "" {
			most = max(most, h.placed())
		} else {
			dead = h.dead
		}
	}
	switch {
	case a.dead != "":
	case most == unplaced:
		a.dead = dead
	case most < typed:
		a.strength = most
	}
}
