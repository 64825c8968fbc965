package weaker

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

var expectedThrow = lang.Lazy(`(?s)#\[\s*should_panic\s*(\(.*?\))?\s*\]` +
	`|@Test\s*\(([^)]*expected[^)]*)\)|\[\s*ExpectedException\s*\(([^]]*)\)\s*\]` +
	`|@expectedException(?:Message)?\s+([^\n]*)`)

// ofHeader is the matcher of an assertion that stands before the body of a test.
const ofHeader = "expected"

// lastType is the type that a header names last.
var lastType = lang.Lazy(`[\w.\\:]+[)\]\s]*$`)

// headerAssertions are those that stand before the body: #[should_panic], @Test(expected = …).
func (w *walker) headerAssertions() {
	u := w.unit
	for _, m := range expectedThrow.In(u.header).FindAllStringSubmatchIndex(u.header, -1) {
		e := &expr{shape: name, text: u.header[m[0]:m[1]], start: u.start + m[0], end: u.start + m[1]}
		a := w.make(e, matcher{strength: truthy, throws: true}, ofHeader, &expr{shape: name, text: "the test"}, nil)
		if m[2] >= 0 {
			a.strength, a.expectedKey = pattern, u.header[m[2]:m[3]]
		} else if !strings.HasPrefix(e.text, "#") {
			a.expectedKey = e.text
			if !isBroad(strings.TrimRight(lastType.FindString(e.text), ")] \n")) {
				a.strength = typed
			}
		}
		u.assertions = append(u.assertions, a)
	}
}

// entered is what stands before a function of Python that does nothing where it is only called.
var entered = lang.Lazy(`\basync\s+def\b|@\s*(?:\w+\.)*(?:async)?contextmanager\b`)

// by notes what a function demands that an assertion calls: no more than that, and nothing where that cannot fail.
func (a *assertion) by(helper *unit) {
	a.covers = len(helper.assertions)
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
