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
func (u *unit) headerAssertions() {
	for _, m := range expectedThrow.In(u.header).FindAllStringSubmatchIndex(u.header, -1) {
		text := u.header[m[0]:m[1]]
		a := &assertion{
			file:       u.file,
			start:      u.start + m[0],
			end:        u.start + m[1],
			text:       text,
			key:        text,
			matcher:    ofHeader,
			throws:     true,
			strength:   truthy,
			subjectKey: "the test",
		}
		a.subject = &expr{shape: name, text: "the test"}
		if m[2] >= 0 {
			a.strength, a.expectedKey = pattern, u.header[m[2]:m[3]]
		} else if m[4] >= 0 || m[6] >= 0 || m[8] >= 0 {
			a.strength, a.expectedKey = typed, text
			if isBroad(strings.TrimRight(lastType.FindString(text), ")] \n")) {
				a.strength = truthy
			}
		}
		u.assertions = append(u.assertions, a)
	}
}

// follow looks at the calls of functions of the file that assert: they are assertions that nothing places.
func (u *unit) follow() {
	if u.body == nil {
		return
	}
	known := map[string]bool{}
	for _, a := range u.assertions {
		known[a.text] = true
	}
	w := &walker{unit: u}
	u.helperCalls(u.body, func(e *expr) {
		if text := e.String(); !known[text] {
			a := w.make(e, matcher{}, lastName(e), e, nil, false)
			a.by(u.file.asserting[a.matcher])
			u.assertions = append(u.assertions, a)
			known[text] = true
		}
	}, 0)
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

// helperCalls calls each for the calls of functions that assert.
func (u *unit) helperCalls(b *block, each func(e *expr), depth int) {
	if depth > maxDepth {
		return
	}
	for _, s := range b.statements {
		for _, c := range s.parts(u.file.tongue) {
			if c.block != nil {
				u.helperCalls(c.block, each, depth+1)
			}
			for _, e := range c.head {
				e.walk(func(e *expr) bool {
					if e.shape == call {
						if h, ok := u.file.asserting[lastName(e)]; ok && h != u {
							each(e)
							return false
						}
					}
					if e.shape == body {
						u.helperCalls(e.block, each, depth+1)
					}
					return true
				})
			}
		}
	}
}
