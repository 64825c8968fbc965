package weaker

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// isResumed reports whether something runs a test to its end that is async or yields.
func (u *unit) isResumed() bool {
	return slices.ContainsFunc(u.file.headersOf(u), regexpOf("resumed").MatchString) ||
		regexpOf("of all").Match(u.file.Source)
}

// isIdle reports a test of pytest that is async, or yields, and that nothing runs to its end.
func (u *unit) isIdle() bool {
	return u.test && u.file.Language == "python" && (fits("awaiting", u.header) || u.words["yield"] > 0) &&
		!u.isResumed()
}

// idles reports whether a test is idle now and was not, as its file has no other that was, and nothing that holds for
// all tests says otherwise.
func (k *comparison) idles(b, a *unit) bool {
	isNew := fits("awaiting", a.header) && !fits("awaiting", b.header) || a.gives && !b.gives
	if !a.isIdle() || !isNew && !b.isResumed() ||
		slices.ContainsFunc(b.file.units, (*unit).isIdle) {
		return false
	}
	for dir := a.file.Path; dir != "."; {
		dir = path.Dir(dir)
		for _, name := range append([]string{"conftest.py"}, pytestSettings...) {
			if regexpOf("resumed by setting").Match(k.content(1, path.Join(dir, name))) {
				return false
			}
		}
	}
	return true
}

// pytestSettings are the files in which settings of pytest stand.
var pytestSettings = []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}

// basesLost finds classes that no longer name a base of their file whose tests they ran.
func (k *comparison) basesLost(b, a *file) {
	for _, d := range b.Definitions {
		i := slices.IndexFunc(a.Definitions, func(o defined) bool { return o.Class && o.Symbol == d.Symbol })
		if !d.Class || i < 0 {
			continue
		}
		now := a.Definitions[i]
		names := wordsIn(a.headOf(now))
		for _, base := range wordsIn(b.headOf(d)) {
			inherited := func(u *unit) bool {
				return strings.HasPrefix(u.symbol, base+".") && (u.test || b.by.tells("names", u.name)) && len(u.assertions) > 0
			}
			if !slices.Contains(names, base) && slices.ContainsFunc(b.units, inherited) &&
				slices.ContainsFunc(a.units, inherited) {
				k.note("not collected", d.Symbol, b.place(d.Outer, max(d.Body, d.Outer+1)), a.place(now.Outer, now.Body),
					"%s no longer has the tests of %s", d.Symbol, base)
			}
		}
	}
}

// redefined finds what a file of tests took from the tree, asks about, and defines itself now.
func (k *comparison) redefined(b, a *file) {
	from, takes := b.modules(), a.modules()
	for _, d := range a.Definitions {
		tested := func(u *unit) bool { return u.test && u.names[d.Name] && len(u.assertions) > 0 }
		if d.Parent < 0 && from[d.Name] != "" && takes[d.Name] == "" && slices.ContainsFunc(b.units, tested) &&
			slices.ContainsFunc(a.units, tested) {
			k.note(formDouble, a.Path, Place{Path: b.Path}, a.place(d.Outer, d.End),
				"what its tests ask about, %s, is its own now", d.Symbol).double = &double{file: b, module: from[d.Name]}
		}
	}
}

// helped notes what helpers of other changed files of tests demand that a unit names. Where only the earlier tree has
// such a helper it may stand now where nothing is read: then nothing is known of it on either side.
func (k *comparison) helped() {
	was, is := k.helpers(0), k.helpers(1)
	for key := range was {
		if is[key] == nil {
			delete(was, key)
		}
	}
	for side, of := range []map[string][]*unit{was, is} {
		for _, key := range slices.Sorted(maps.Keys(of)) { // units keep what they assert in one order
			for _, h := range of[key] {
				for _, name := range k.names {
					k.files[name][side].helpedBy(h)
				}
			}
		}
	}
}

// helpers are the functions of a side that assert and are no tests, by language and name.
func (k *comparison) helpers(side int) map[string][]*unit {
	all := map[string][]*unit{}
	for _, name := range k.names {
		if f := k.files[name][side]; f != nil {
			for named, u := range f.asserting {
				all[f.Language+" "+named] = append(all[f.Language+" "+named], u)
			}
		}
	}
	return all
}

// helpedBy notes what a helper demands in the units that name it, where it is of another file that this one imports or
// stands beside.
func (f *file) helpedBy(h *unit) {
	if f == nil || f.Path == h.file.Path || f.Language != h.file.Language || f.asserting[h.name] != nil ||
		!f.isOf(h.file.Path) {
		return
	}
	for _, u := range f.units {
		if u.names[h.name] {
			u.helpedBy(h)
		}
	}
}

// helpedBy notes what a helper of another file demands that the unit names.
func (u *unit) helpedBy(h *unit) {
	u.assertions = slices.Clone(u.assertions)
	known := false
	for i, a := range u.assertions {
		if a.matcher == h.name {
			known = true
			if a.strength == unplaced {
				own := *a
				own.by(h)
				u.assertions[i] = &own
			}
		}
	}
	if !known {
		at := u.start + max(0, strings.Index(u.text(), h.name))
		a := &assertion{file: u.file, start: at, end: at + len(h.name), text: h.name, key: h.name, matcher: h.name}
		a.by(h)
		u.assertions = append(u.assertions, a)
	}
}
