package weaker

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
)

// A comparison may read some thousand files of tests. Both sides of a file are compared with each other while they are
// there; then both are let go, and only a trace is kept of each unit: what tells whether it became one of another file,
// and what it may excuse there. A file of which more is asked is read again. So the memory of a comparison is a matter
// of how many tests differ, and not of how long they are.

// fileTrace is what is kept of one side of a file.
type fileTrace struct {
	path, language string
	// side is 0 for the earlier tree, 1 for the later one.
	side int
	// unread is how much of the file could not be read, in bytes; what is lacking counts as one.
	unread int
	// made: its head says that a program made it.
	made  bool
	units []*trace
	// asserting are its functions that are no tests and hold assertions, cases those that give tests several values.
	asserting set
	cases     []string
	// runs are the suites of testify that it runs, and where.
	runs map[string]Place
	// imports is what it imports, kept where something of it may be told.
	imports *imports
	// file is the file itself, nil once it is let go.
	file *file
}

// trace is what is kept of a unit.
type trace struct {
	file *fileTrace
	// unit is the unit itself, nil once it is let go; place is where it stands among the units of the file.
	unit         *unit
	place        int
	symbol, name string
	test         bool
	// runs: it is not skipped always.
	runs bool
	// dead: an assertion of it cannot fail.
	dead bool
	// assertions counts them, weight is the sum of what they demand, and strongest the most that one demands that may
	// fail; -1 where none may.
	assertions, weight, strongest int
	// rows counts the cases of its tables.
	rows int
	// body is where its body stands, nothing without one.
	body [2]int
	// names is what it calls and mentions; kept of tests of the later tree, and of what differs.
	names set
	// literals are kept of tests that go over cases, and of what they were.
	literals set
	// wording is what stands in the body of a test, or of what is gone; 0 without any.
	wording digest
	*detail
}

// detail is what is kept besides of a unit that is new, gone or told of.
type detail struct {
	words, rowWords bag
	// reached are its names, and those of the functions of its file that it calls.
	reached set
	// values are its literals but for its name, of one that is gone; valued: it has any.
	values []value
	valued bool
	// asked are its assertions, of one that is gone, and removal says that it is, where that is told.
	asked   []asked
	removal *Weakening
	// saying is all that is compared of it; doubled: something is put aside for a double while it runs.
	saying  digest
	doubled bool
}

// asked is an assertion: its text, its key, and what it is about calls; 0 for no call.
type asked struct{ text, key, called digest }

// value is a literal as it is written and without its quotes.
type value struct{ text, bare digest }

// traceOf begins the trace of one side of a file, with its units in it.
func traceOf(f *file, side int) *fileTrace {
	if f == nil {
		return nil
	}
	t := &fileTrace{path: f.Path, language: f.Language, side: side, unread: f.unread, file: f,
		made: madeTests.Match(f.Source[:min(len(f.Source), maxBanner)])}
	for suite, at := range f.runs() {
		if t.runs == nil {
			t.runs = map[string]Place{}
		}
		t.runs[suite] = f.place(at[0], at[1])
	}
	for i, u := range f.units {
		t.units = append(t.units, newTrace(t, u, i))
		if !u.test && fixtureCases.MatchString(u.header) {
			t.cases = append(t.cases, u.name)
		}
	}
	names := map[string]bool{}
	for name := range f.asserting {
		names[name] = true
	}
	t.asserting = digestsOf(names)
	return t
}

func newTrace(f *fileTrace, u *unit, place int) *trace {
	t := &trace{file: f, unit: u, place: place, symbol: u.symbol, name: u.name, test: u.test, runs: !u.skip.always,
		assertions: len(u.assertions), weight: weight(u), strongest: -1, rows: len(u.rows), detail: &detail{words: u.words}}
	for _, a := range u.assertions {
		if a.dead == "" {
			t.strongest = max(t.strongest, int(a.strength))
		} else {
			t.dead = true
		}
	}
	if u.body != nil {
		t.body = [2]int{u.body.start, u.body.end}
	}
	return t
}

// maxHeld bounds the files that are held until it is known what became of their tests elsewhere, in bytes of source: a
// file takes some forty times as much. Others are read again.
var maxHeld int64 = 256 << 10

// letGo keeps what other files may ask of the units of a file, and lets go of it.
func (r *reading) letGo(k *comparison) {
	differs := map[*trace]bool{}
	told := len(r.rest[0]) > 0
	for _, p := range r.within() {
		told = told || len(p.found) > 0
		more := !p.stands && (len(p.found) > 0 || len(p.after.file.cases) > 0)
		for side, t := range []*trace{p.before, p.after} {
			differs[t] = !p.stands
			t.keep(more, more || side == 1 && t.test)
		}
	}
	for _, rest := range r.rest {
		for _, t := range rest {
			differs[t] = true
			t.keep(true, true)
			t.keepAlone(k)
		}
	}
	r.keepLiterals(differs)
	for side, f := range r.sides {
		if f == nil {
			continue
		}
		if side == 0 && told {
			f.imports = importsOf(f.file)
		}
		held := len(r.rest[side]) > 0 && k.held.Add(int64(len(f.file.Source))) <= maxHeld
		for _, t := range f.units {
			if side == 0 && t.test && t.wording == 0 {
				t.wording = digestOfWords(t.unit.bodyText())
			}
			if !held {
				t.unit = nil
			}
		}
		f.file = nil
	}
}

// keep keeps of a unit what it names, and the words of one of which more is asked.
func (t *trace) keep(more, named bool) {
	if named {
		t.names = digestsOf(t.unit.names)
	}
	if !more {
		t.detail = nil
		return
	}
	t.reached = t.names
	if len(t.unit.reached) > len(t.unit.names) {
		t.reached = digestsOf(t.unit.reached)
	}
}

// keepAlone keeps of a unit that has nothing on the other side of its file what may pair it with one of another file,
// or excuse it.
func (t *trace) keepAlone(k *comparison) {
	u := t.unit
	t.saying = u.saying()
	if t.file.side == 1 {
		t.doubled = len(u.inDoubles(k.fixtures(u, 1))) > 0
		var words []digest
		for _, row := range u.rows {
			for _, w := range identifiers.FindAllString(row) {
				words = append(words, digestOf(w))
			}
		}
		t.rowWords = bagOf(words)
		return
	}
	t.wording = digestOfWords(u.bodyText())
	t.removal, t.valued = u.removal(), len(u.literals) > 0
	for l := range u.literals {
		if l != `"`+u.name+`"` {
			t.values = append(t.values, value{digestOf(l), digestOf(strings.Trim(l, `"`))})
		}
	}
	for _, a := range u.assertions {
		t.asked = append(t.asked, *a.asked())
	}
}

// keepLiterals keeps those of the tests that go over cases, and of the units that they were.
func (r *reading) keepLiterals(differs map[*trace]bool) {
	over := map[string]bool{}
	for side, f := range slices.Backward(r.sides[:]) {
		if f == nil {
			continue
		}
		for _, t := range f.units {
			takes := t.test && t.runs && differs[t] && (t.rows > 0 || t.unit.loops)
			if side == 1 && takes {
				over[t.symbol] = true
			}
			if side == 1 && takes || side == 0 && over[t.symbol] {
				t.literals = digestsOf(t.unit.literals)
			}
		}
	}
}

// saying is all that a comparison of two units looks at, but for the doubles around them.
func (u *unit) saying() digest {
	var all maphash.Hash
	all.SetSeed(seed)
	_, _ = fmt.Fprintf(&all, "%q %q %t %t %q %t %t %t %q %v", u.text(), u.name, u.test, u.skip.always, u.skip.guard,
		u.bare, u.recovers, u.loops, u.rows, digestsOf(u.names))
	for _, a := range u.assertions {
		_, _ = fmt.Fprintf(&all, " %q %q %q %q %d %t", a.text, a.key, a.dead, a.guard, a.strength, a.awaited)
	}
	return digest(all.Sum64())
}
