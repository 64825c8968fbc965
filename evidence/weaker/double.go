package weaker

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
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

var (
	// throughCalls is what follows a call of doubling that lets the code itself run.
	throughCalls = lang.Lazy(`\bwraps\s*=|\bspy\s*:\s*true|call_?[tT]hrough|call_original|thenCallRealMethod`)
	// answersItself is how a spy, which lets the code run, gets an answer of its own.
	answersItself = lang.Lazy(`\.mock(?:Return|Implementation|Resolved|Rejected)|\band\.(?:return|call)|\.callsFake`)
	// keepsRest is how the factory of a module's double takes what the module has.
	keepsRest = lang.Lazy(`requireActual|importActual|importOriginal|\.\.\.\s*\(?(?:await\s+)?\w*[aA]ctual`)
)

// findDoubles notes all doubles that a file makes, where they stand.
func (f *file) findDoubles() {
	for _, p := range f.by.doubles {
		re := p.InBytes(f.Source)
		for _, m := range re.FindAllSubmatchIndex(f.Source, -1) {
			d := double{file: f, at: m[0], end: m[1]}
			for i, group := range re.SubexpNames() {
				if m[2*i] >= 0 {
					d.set(group, string(f.Source[m[2*i]:m[2*i+1]]))
				}
			}
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

func (d *double) set(group, text string) {
	switch group {
	case "on":
		d.on = plainReceiver(text)
	case "name":
		d.name = text
	case "module":
		d.module = text
	case "target":
		dot := strings.LastIndexByte(text, '.')
		d.module, d.name = text[:max(dot, 0)], text[dot+1:]
	}
}

// stands reports whether what is read is a call that puts something aside.
func (d *double) stands() bool {
	for n := range d.file.Tree.At(d.at) {
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
	if throughCalls.MatchString(line) || strings.HasPrefix(called, "spyOn") && !answersItself.MatchString(rest) {
		return false
	}
	if i := keepsRest.FindIndex([]byte(rest)); d.name == "" && i != nil {
		_, d.kept, _ = strings.Cut(rest[i[1]:], ")")
	}
	return true
}

// plainReceiver is an object as it is written, without what says only whose it is.
func plainReceiver(text string) string {
	for _, own := range []string{"this.", "self.", "$this->"} {
		text = strings.TrimPrefix(text, own)
	}
	return text
}

// inDoubles are the doubles that stand while a test runs: its own, those of the hooks of its file and of the functions
// that it names, and those outside of all functions. fixtures are the conftest.py files of its side.
func (u *unit) inDoubles(fixtures []*file) (found []double) {
	for _, f := range append([]*file{u.file}, fixtures...) {
		for _, d := range f.doubles {
			if in := f.unitAt(d.at); in == u || in == nil && (f != u.file || f.holds(d.at, u)) ||
				in != nil && !in.test && (u.mentions(in.name) || in.isHook() && f == u.file && f.holds(d.at, u)) {
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

// holds reports whether what stands at a byte, outside of all units, is of the class or group that a unit is of.
func (f *file) holds(at int, u *unit) bool {
	for _, g := range f.groups {
		if g.start <= at && at < g.end && (u.start < g.start || u.end > g.end) {
			return false
		}
	}
	for _, d := range f.Definitions {
		if d.Class && d.Outer <= at && at < d.End && (u.start < d.Outer || u.end > d.End) {
			return false
		}
	}
	return true
}

// mentions reports whether a unit names a function, as a fixture among its parameters is.
func (u *unit) mentions(named string) bool { return u.names[named] || holds(u.header, named) }

// newDouble is a double that a test has now and had not of what it asserts about before and after; nil without one.
func (k *comparison) newDouble(b, a *unit) *double {
	is := a.inDoubles(k.fixtures(a, 1))
	if len(is) == 0 {
		return nil
	}
	was := b.inDoubles(k.fixtures(b, 0))
	for _, x := range a.assertions {
		i := slices.IndexFunc(is, func(d double) bool { return x.dead == "" && d.isOf(x) })
		if i < 0 {
			continue
		}
		same := func(y *assertion) bool { return y.dead == "" && is[i].isOf(y) }
		if y := slices.IndexFunc(b.assertions, same); y >= 0 &&
			!slices.ContainsFunc(was, func(d double) bool { return d.isOf(b.assertions[y]) }) {
			d := is[i]
			if b.file.hasDouble(d.on) {
				continue
			}
			if value := x.locals[d.on]; value != nil && d.module == "" {
				d.module = d.file.modules()[chain(origin(value))[0].name]
			}
			return &d
		}
	}
	return nil
}

// madeAsDouble is what stands in a line that makes a double of an object, whatever it answers.
var madeAsDouble = lang.Lazy(`(?i)mock|spy|stub|fake|double`)

// hasDouble reports whether an object is made as a double somewhere in a file.
func (f *file) hasDouble(object string) bool {
	for line := range bytes.Lines(f.Source) {
		if object != "" && holds(string(line), object) && madeAsDouble.Match(line) {
			return true
		}
	}
	return false
}

// fixtures are the changed conftest.py files of a side that hold for a unit.
func (k *comparison) fixtures(u *unit, side int) (found []*file) {
	for _, sides := range k.fixed {
		if f := sides[side]; f != nil && f.Path != u.file.Path &&
			strings.HasPrefix("./"+u.file.Path, "./"+strings.TrimPrefix(path.Dir(f.Path)+"/", "./")) {
			found = append(found, f)
		}
	}
	return found
}

// isOf reports whether an assertion calls what the double is put in the place of.
func (d *double) isOf(a *assertion) bool {
	links := chain(a.called())
	root := links[0].name
	if value := a.locals[root]; value != nil { // an object that the test makes
		if of := chain(origin(value)); of[0].name != "" {
			root = of[0].name
		}
	}
	for i, l := range links {
		switch {
		case l.name == "mock" || !l.called:
		case d.name == "":
			from := a.file.modules()[root]
			return from != "" && a.file.module(from) == d.file.module(d.module) && (d.kept == "" || holds(d.kept, root))
		case l.name != d.name:
		case d.on == "":
			return true
		case i == 0:
			return !isCapital(d.on) && (a.file.modules()[d.on] != "" || a.file.modules()[root] == d.on)
		default:
			on := strings.TrimSuffix(d.on, ".prototype")
			return plainReceiver(previous(links, i).String()) == d.on || isCapital(on[strings.LastIndexAny(on, ".:")+1:])
		}
	}
	return false
}

// called is the call that an assertion is about, with the values of locals that stand for it.
func (a *assertion) called() *expr {
	e := a.subject
	for range maxSteps {
		switch e = unwrapped(e); {
		case e == nil:
			return &expr{shape: list}
		case e.shape == name && a.locals[e.text] != nil:
			e = a.locals[e.text]
		case e.shape == index && e.text == "[":
			e = e.parts[0]
		default:
			if e = origin(e); e.shape != name || a.locals[e.text] == nil {
				return e
			}
		}
	}
	return e
}

// origin is what is awaited or made by an expression: await f(), new F().
func origin(e *expr) *expr {
	for e.shape == call && e.text == bareCall && len(e.parts) == 2 &&
		(e.parts[0].text == "await" || e.parts[0].text == "new") {
		e = e.parts[1]
	}
	return e
}

// origins is where what is put aside may stand; without a path it cannot be told, and own says what counts.
type origins struct {
	paths []string
	own   bool
}

func (d *double) origins() *origins {
	f, from := d.file, d.module
	if from == "" {
		root, _, _ := strings.Cut(d.on, ".")
		if from = f.modules()[root]; from == "" {
			return &origins{own: f.by.imports == nil}
		}
	}
	return &origins{paths: f.candidates(from)}
}

// own reports whether what is put aside is code of the tree.
func (k *comparison) own(ctx context.Context, o *origins) (bool, error) {
	for _, at := range o.paths {
		entry, err := k.After.Stat(ctx, at)
		if err != nil || entry.Kind != evidence.Missing {
			return err == nil, err
		}
	}
	return o.own, nil
}
