package weaker

import (
	"path"
	"slices"
	"strings"
)

// A double stands in the place of the tree's own code. Where a change puts one in the place of what a test asserts
// about, nothing of that is tested any more.

// double is what a file of tests puts a double in the place of.
type double struct {
	file *file
	// at and end are where the call that makes it names it.
	at, end int
	// module is put aside whole, or holds what is; as it is written: ../src/total, pkg.total.
	module string
	// on is the object or class whose member is put aside; name is that, "" for a whole module.
	on, name string
	// kept: the rest of the module stays, and of it alone what this text names goes; "" where all of it does.
	kept string
}

// findDoubles notes all doubles that a file makes, where they stand.
func (f *file) findDoubles() {
	for _, p := range f.by["doubles"] {
		re := p.InBytes(f.Source)
		for _, m := range re.FindAllSubmatchIndex(f.Source, -1) {
			group := func(name string) string {
				if i := re.SubexpIndex(name); i >= 0 && m[2*i] >= 0 {
					return string(f.Source[m[2*i]:m[2*i+1]])
				}
				return ""
			}
			d := double{f, m[0], m[1], group("module"), plainReceiver(group("on")), group("name"), ""}
			if d.stands() {
				f.doubles = append(f.doubles, d)
			}
		}
	}
}

// formDouble is the form of a double of what is asserted about.
const formDouble = "subject mocked"

// text is what is put aside, as it is named.
func (d *double) text() string {
	return strings.Join(slices.DeleteFunc([]string{d.module, d.on, d.name}, func(s string) bool { return s == "" }), ".")
}

// stands reports whether what is read is a call that puts something aside.
func (d *double) stands() bool {
	for n := range d.file.Tree.NodesAt(d.at) {
		if isRemark(n) {
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
		_, d.kept, _ = strings.Cut(rest[i[1]:], ")")
	}
	return true
}

// plainReceiver is an object as it is written, without what says only whose it is.
func plainReceiver(text string) string {
	return regexpOf("own receiver").ReplaceAllString(text, "")
}

// inDoubles are the doubles that stand while a test runs: its own, those of the hooks of its file and of the functions
// that it names, and those outside of all functions. fixtures are the conftest.py files of its side.
func (u *unit) inDoubles(fixtures []*file) (found []double) {
	shares := func(at int) bool { // all groups that it stands in
		other := func(g group) bool { return g.around(at, at+1) && !g.around(u.start, u.end) }
		return !slices.ContainsFunc(u.file.groups, other)
	}
	for _, f := range append([]*file{u.file}, fixtures...) {
		for _, d := range f.doubles {
			if in := f.unitAt(d.at); in == u || in == nil && (f != u.file || shares(d.at)) ||
				in != nil && !in.test && (u.names[in.name] || in.isHook() && f == u.file && shares(d.at)) {
				found = append(found, d)
			}
		}
	}
	return found
}

// unitAt is the unit that a byte stands in, nil for none.
func (f *file) unitAt(at int) *unit {
	for _, u := range f.units {
		if u.start <= at && at < u.end {
			return u
		}
	}
	return nil
}

// newDouble is a double that a test has now and had not of what it asserts about before and after; nil without one.
func (k *comparison) newDouble(b, a *unit) *double {
	is, was := a.inDoubles(k.fixtures(a, 1)), b.inDoubles(k.fixtures(b, 0))
	for _, d := range is {
		about := func(x *assertion) bool { return x.dead == "" && d.isOf(x) }
		now, before := slices.IndexFunc(a.assertions, about), slices.IndexFunc(b.assertions, about)
		if now < 0 || before < 0 || b.file.hasDouble(d.on) ||
			slices.ContainsFunc(was, func(d double) bool { return d.isOf(b.assertions[before]) }) {
			continue
		}
		if value := a.assertions[now].locals[d.on]; value != nil && d.module == "" {
			d.module = d.file.imported().modules[spine(value.String())[0]]
		}
		return &d
	}
	return nil
}

// hasDouble reports whether an object is made as a double somewhere in a file, whatever it answers.
func (f *file) hasDouble(object string) bool {
	for line := range strings.Lines(string(f.Source)) {
		if holds(line, object) && fits("made as double", line) {
			return true
		}
	}
	return false
}

// fixtures are the changed conftest.py files of a side that hold for a unit.
func (k *comparison) fixtures(u *unit, side int) (found []*file) {
	for _, sides := range k.fixed {
		if f := sides[side]; f != nil && f.Path != u.file.Path &&
			strings.HasPrefix(path.Join("/", u.file.Path), path.Join("/", path.Dir(f.Path))) {
			found = append(found, f)
		}
	}
	return found
}

// isOf reports whether an assertion calls what the double is put in the place of.
func (d *double) isOf(a *assertion) bool {
	if a.subject == nil {
		return false
	}
	with, written := spine(a.subjectKey), spine(a.subject.String())
	root, from := with[0], a.file.imported().modules[with[0]]
	if d.name == "" {
		return from != "" && a.file.module(from) == d.file.module(d.module) && (d.kept == "" || holds(d.kept, root))
	}
	of := func(chain []string) bool {
		i := slices.Index(chain, d.name)
		switch {
		case i < 0 || slices.Contains(chain, "mock"):
			return false
		case d.on == "":
			return true
		case i == 0:
			return !isCapital(d.on) && (a.file.imported().modules[d.on] != "" || from == d.on)
		}
		on := strings.TrimSuffix(d.on, ".prototype")
		return plainReceiver(strings.Join(chain[:i], ".")) == d.on || isCapital(on[strings.LastIndexAny(on, ".:")+1:])
	}
	return of(with) || of(written)
}

// spine are the names of a chain of calls as it is written, without what it is called with, awaited or made.
func spine(text string) []string {
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

// own reports whether what is put aside is code of the tree, as far as that can be told.
func (k *comparison) own(d *double) bool {
	from := d.module
	if root, _, _ := strings.Cut(d.on, "."); from == "" {
		from = d.file.imported().modules[root]
	}
	if from == "" {
		return d.file.by["imports"] == nil
	}
	return slices.ContainsFunc(d.file.candidates(from), func(name string) bool { return k.has(1, name) })
}
