package weaker

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// A test double replaces the tree's own code. If it replaces the subject of an assertion, the subject is not tested
// any more.

type double struct {
	file *file
	// at and end delimit the call that makes it.
	at, end int
	// module is the replaced module, or the one of the replaced member, as written: ../src/total, pkg.total.
	module string
	// object is the object or class whose member is replaced; name is the member, "" for a whole module.
	object, name string
	// mockedNames is text that names the replaced parts of a module; "" if all of it is replaced.
	mockedNames string
}

func (f *file) findDoubles() {
	for _, p := range f.framework["doubles"] {
		re := p.InBytes(f.Source)
		for _, m := range re.FindAllSubmatchIndex(f.Source, -1) {
			group := func(name string) string {
				if i := re.SubexpIndex(name); i >= 0 && m[2*i] >= 0 {
					return string(f.Source[m[2*i]:m[2*i+1]])
				}
				return ""
			}
			d := double{f, m[0], m[1], group("module"), plainReceiver(group("on")), group("name"), ""}
			if d.isMockCall() {
				f.doubles = append(f.doubles, d)
			}
		}
	}
}

const formDouble = "subject mocked"

func (d *double) text() string {
	parts := []string{d.module, d.object, d.name}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ".")
}

// isMockCall reports whether the match really is a call that replaces something.
func (d *double) isMockCall() bool {
	for n := range d.file.Tree.NodesAt(d.at) {
		if isComment(n) {
			return false
		}
	}
	last := min(len(d.file.Source), d.end+maxStatement)
	if in := d.file.unitAt(d.at); in != nil {
		last = min(last, in.end)
	}
	for _, s := range d.file.root.statements {
		if s.start <= d.at && d.at < s.end {
			last = min(last, s.end)
		}
	}
	rest := string(d.file.Source[d.end:max(d.end, last)])
	line, _, _ := strings.Cut(rest, "\n")
	called := string(d.file.Source[d.at:d.end])
	if fits("through calls", line) || strings.HasPrefix(called, "spyOn") && !fits("answers itself", rest) {
		return false
	}
	if i := regexpOf("keeps rest").FindIndex([]byte(rest)); d.name == "" && i != nil {
		_, d.mockedNames, _ = strings.Cut(rest[i[1]:], ")")
	}
	return true
}

// plainReceiver returns an object without words like self.
func plainReceiver(text string) string {
	return regexpOf("own receiver").ReplaceAllString(text, "")
}

// activeDoubles returns the doubles that exist while a test runs: its own, those of hooks and of functions that it
// names, and those outside functions. fixtures are the conftest.py files of its side.
func (u *unit) activeDoubles(fixtures []*file) (found []double) {
	shares := func(at int) bool { // the unit is in all groups of the double
		other := func(g group) bool { return g.contains(at, at+1) && !g.contains(u.start, u.end) }
		return !slices.ContainsFunc(u.file.groups, other)
	}
	for _, f := range append([]*file{u.file}, fixtures...) {
		for _, d := range f.doubles {
			if in := f.unitAt(d.at); in == u || in == nil && (f != u.file || shares(d.at)) ||
				in != nil && !in.isTest && (u.mentions[in.name] || in.isHook() && f == u.file && shares(d.at)) {
				found = append(found, d)
			}
		}
	}
	return found
}

func (f *file) unitAt(at int) *unit {
	for _, u := range f.units {
		if u.start <= at && at < u.end {
			return u
		}
	}
	return nil
}

// newDouble returns a new double for a subject that a test asserts about before and after; nil if there is none.
func (k *comparison) newDouble(b, a *unit) *double {
	newDoubles, oldDoubles := a.activeDoubles(k.fixturesOf(a, 1)), b.activeDoubles(k.fixturesOf(b, 0))
	for _, d := range newDoubles {
		about := func(x *assertion) bool { return x.deadReason == "" && d.affects(x) }
		now, before := slices.IndexFunc(a.assertions, about), slices.IndexFunc(b.assertions, about)
		if now < 0 || before < 0 || b.file.hasDouble(d.object) ||
			slices.ContainsFunc(oldDoubles, func(d double) bool { return d.affects(b.assertions[before]) }) {
			continue
		}
		if value := a.assertions[now].locals[d.object]; value != nil && d.module == "" {
			d.module = d.file.modules[chainNames(value.String())[0]]
		}
		return &d
	}
	return nil
}

func (f *file) hasDouble(object string) bool {
	for line := range strings.Lines(string(f.Source)) {
		if lang.HasWord(line, object) && fits("made as double", line) {
			return true
		}
	}
	return false
}

// fixturesOf returns the changed conftest.py files of a side that affect a unit.
func (k *comparison) fixturesOf(u *unit, side int) (found []*file) {
	for _, f := range k.readFiles[side] {
		if isConftest(f.Path) && f.Path != u.file.Path &&
			strings.HasPrefix(path.Join("/", u.file.Path), path.Join("/", path.Dir(f.Path))) {
			found = append(found, f)
		}
	}
	return found
}

func (d *double) affects(a *assertion) bool {
	if a.subject == nil {
		return false
	}
	with, written := chainNames(a.subjectKey), chainNames(a.subject.String())
	root, from := with[0], a.file.modules[with[0]]
	if d.name == "" {
		return from != "" && a.file.module(from) == d.file.module(d.module) &&
			(d.mockedNames == "" || lang.HasWord(d.mockedNames, root))
	}
	isMember := func(chain []string) bool {
		i := slices.Index(chain, d.name)
		switch {
		case i < 0 || slices.Contains(chain, "mock"):
			return false
		case d.object == "":
			return true
		case i == 0:
			return !isCapital(d.object) && (a.file.modules[d.object] != "" || from == d.object)
		}
		on := strings.TrimSuffix(d.object, ".prototype")
		return plainReceiver(strings.Join(chain[:i], ".")) == d.object || isCapital(on[strings.LastIndexAny(on, ".:")+1:])
	}
	return isMember(with) || isMember(written)
}

// chainNames returns the names in a chain of calls, without arguments, await and new.
func chainNames(text string) []string {
	var b strings.Builder
	depth := 0
	for _, c := range regexpOf("given by").ReplaceAllString(text, "") {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth = max(depth-1, 0)
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return strings.Split(b.String(), ".")
}

// isOwnCode reports whether the replaced code is the tree's own, as far as that can be told.
func (k *comparison) isOwnCode(d *double) bool {
	from := d.module
	if root, _, _ := strings.Cut(d.object, "."); from == "" {
		from = d.file.modules[root]
	}
	if from == "" {
		return d.file.framework["imports"] == nil
	}
	return k.pathOf(d.file, from) != ""
}
