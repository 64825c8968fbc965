package weaker

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// What stands in a conftest.py holds for all tests below it: a hook that changes what is run, a
// fixture that puts doubles in the place of the tree's own code for every test.

// isFixtures reports a file that holds for all tests below it.
func isFixtures(name string) bool { return path.Base(name) == "conftest.py" }

// hooks finds what a conftest.py lets count less.
func (k *comparison) hooks(b, a *file) {
	if a == nil || b == nil && path.Dir(a.Path) != "." && !k.has(0, path.Dir(a.Path)) {
		return // no test stood below one of a new folder
	}
	had := func(text string) bool { return b != nil && bytes.Contains(b.Source, []byte(text)) }
	if m := regexpOf("ignoring").FindIndex(a.Source); m != nil {
		if line := string(a.Source[m[0]:m[1]]); !had(strings.TrimSpace(line)) {
			w := k.note("collection changed", a.Path, Place{Path: a.Path}, a.place(m[0], m[1]),
				"files of tests are left out: %s", short(line))
			w.CodeChanged = line[0] == ' ' || line[0] == '\t' // under a condition
		}
	}
	for _, u := range a.units {
		drops := regexpOf("dropping").FindString(u.text())
		if drops != "" && fits("collect hook", u.name) && !fits("chosen", u.text()) && !had(drops) {
			k.note("collection changed", u.symbol, Place{Path: a.Path}, u.place(),
				"%s keeps tests from running, whatever is chosen", u.name)
		}
	}
	for i := range a.doubles { // of all tests
		d := &a.doubles[i]
		u, subject, at := a.unitAt(d.at), a.Path, a.place(d.at, a.lineEnd(d.at))
		if u != nil {
			subject, at = u.symbol, u.place()
		}
		always := u == nil || strings.Contains(u.header, "autouse=True") || fits("starts or tests", u.name)
		if always && !had(string(a.Source[d.at:d.end])) {
			k.note(formDouble, subject, Place{Path: a.Path}, at, "every test gets a double of %s", d.text()).double = d
		}
	}
}

// isHook reports whether a framework runs a function before or after tests.
func (u *unit) isHook() bool { return fits("hook name", u.name) || fits("hook header", u.header) }

// text is a unit as it is written.
func (u *unit) text() string { return string(u.file.Source[u.start:u.end]) }

// shadows finds new modules of Python that take the place of one of the tree where they are looked for first.
func (k *comparison) shadows() {
	inPython := file{Outline: &evidence.Outline{Language: "python"}}
	for _, at := range k.Paths {
		if !isFixtures(at) && !slices.Contains(pytestSettings, path.Base(at)) {
			continue
		}
		after := k.content(1, at)
		line := regexpOf("leading").FindString(string(after))
		if line == "" || strings.Contains(string(k.content(0, at)), line) {
			continue
		}
		for _, name := range k.Paths {
			for dir := path.Dir(name); dir != "." && path.Ext(name) == ".py" && !k.has(0, name); dir = path.Dir(dir) {
				module := strings.ReplaceAll(strings.TrimSuffix(name[len(dir)+1:], ".py"), "/", ".")
				if own := k.home(&inPython, module); strings.Contains(line, path.Base(dir)) && own != "" &&
					!strings.HasPrefix(name, own) {
					k.note(formDouble, name, Place{Path: at}, shown(at, after, strings.Index(string(after), line)),
						"%s replaces the tree's own %s", name, own)
				}
			}
		}
	}
}
