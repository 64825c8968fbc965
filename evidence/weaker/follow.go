package weaker

import "strings"

// headerMatcher is the matcher of an assertion before the body of a test.
const headerMatcher = "expected"

// headerAssertions reads the assertions before the body: #[should_panic], @Test(expected = …).
func (w *walker) headerAssertions() {
	u := w.unit
	for _, m := range regexpOf("expected throw").In(u.header).FindAllStringSubmatchIndex(u.header, -1) {
		e := &expr{shape: ident, text: u.header[m[0]:m[1]], start: u.start + m[0], end: u.start + m[1]}
		subject := &expr{shape: ident, text: "the test"}
		a := w.newAssertion(e, matcher{strength: truthy, isThrow: true}, headerMatcher, subject, nil)
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

func (a *assertion) addHelper(helper *unit) {
	a.coverCount, a.helperAssertions = len(helper.assertions), helper.assertions
	strongest, dead := unknown, ""
	for _, h := range helper.assertions {
		if h.deadReason == "" {
			strongest = max(strongest, h.effectiveStrength())
		} else {
			dead = h.deadReason
		}
	}
	switch {
	case a.deadReason != "":
	case strongest == unknown:
		a.deadReason = dead
	case strongest < typed:
		a.strength = strongest
	}
}
