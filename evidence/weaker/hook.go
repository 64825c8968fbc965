package weaker

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// A conftest.py affects all tests below it: by a hook that changes which tests run, or a fixture that replaces the
// tree's own code.

func isConftest(name string) bool { return path.Base(name) == "conftest.py" }

func (k *comparison) compareConftest(b, a *file) {
	if b == nil && path.Dir(a.Path) != "." && !k.has(0, path.Dir(a.Path)) {
		return // there were no tests in a new folder
	}
	had := func(text string) bool { return b != nil && bytes.Contains(b.Source, []byte(text)) }
	if m := regexpOf("ignoring").FindIndex(a.Source); m != nil {
		if line := string(a.Source[m[0]:m[1]]); !had(strings.TrimSpace(line)) {
			w := k.add("collection changed", a.Path, Place{Path: a.Path}, a.place(m[0], m[1]),
				"files of tests are left out: %s", brief(line))
			w.CodeChanged = line[0] == ' ' || line[0] == '\t' // under a condition
		}
	}
	for _, u := range a.units {
		drops := regexpOf("dropping").FindString(u.text())
		if drops != "" && fits("collect hook", u.name) && !fits("chosen", u.text()) && !had(drops) {
			k.add("collection changed", u.symbol, Place{Path: a.Path}, u.place(),
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
			k.add(formDouble, subject, Place{Path: a.Path}, at, "every test gets a double of %s", d.text()).double = d
		}
	}
}

// isHook reports whether a framework runs a function before or after tests.
func (u *unit) isHook() bool { return fits("hook name", u.name) || fits("hook header", u.header) }

func (u *unit) text() string { return string(u.file.Source[u.start:u.end]) }

// compareModules finds new Python modules that shadow a module of the tree.
func (k *comparison) compareModules() {
	inPython := file{Outline: &evidence.Outline{Language: "python"}}
	for _, at := range k.Paths {
		if !isConftest(at) && !slices.Contains(pytestSettings, path.Base(at)) {
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
				if original := k.pathOf(&inPython, module); strings.Contains(line, path.Base(dir)) && original != "" &&
					!strings.HasPrefix(name, original) {
					k.add(formDouble, name, Place{Path: at}, placeFrom(at, after, strings.Index(string(after), line)),
						"%s replaces the tree's own %s", name, original)
				}
			}
		}
	}
}
