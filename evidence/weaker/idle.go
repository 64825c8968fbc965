package weaker

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
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
	inUnittest := func(header string) bool { return strings.Contains(header, "unittest.TestCase") }
	for dir := a.file.Path; dir != "." && !slices.ContainsFunc(a.file.headersOf(a), inUnittest); {
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

// basesLost finds classes that no longer name a base whose tests they ran, of their file or of one that it imports.
func (k *comparison) basesLost(b, a *file) {
	for _, d := range b.Definitions {
		i := slices.IndexFunc(a.Definitions, func(o defined) bool { return o.Class && o.Symbol == d.Symbol })
		if !d.Class || i < 0 {
			continue
		}
		now := a.Definitions[i]
		names := wordsIn(a.headOf(now))
		for _, base := range wordsIn(b.headOf(d)) {
			if slices.Contains(names, base) || a.heirs(base) >= b.heirs(base) {
				continue
			}
			of := a
			if at := k.home(b, b.imported().modules[base]); at != "" {
				of = readOf(k.trees, 1, func(ctx context.Context, tree *evidence.Tree) (*file, error) {
					return open(ctx, tree, at)
				})
			}
			inherited := func(u *unit) bool {
				return strings.HasPrefix(u.symbol, base+".") && (u.test || b.by.tells("names", u.name)) && len(u.assertions) > 0
			}
			if of != nil && slices.ContainsFunc(of.units, inherited) {
				k.note("not collected", d.Symbol, b.place(d.Outer, max(d.Body, d.Outer+1)), a.place(now.Outer, now.Body),
					"%s no longer has the tests of %s", d.Symbol, base)
			}
		}
	}
}

// heirs is how many classes of a file name another one in their heads.
func (f *file) heirs(base string) (count int) {
	for _, d := range f.Definitions {
		if d.Class && d.Name != base && holds(f.headOf(d), base) {
			count++
		}
	}
	return count
}

// isInherited reports a method of a class of which another one of the later tree has the tests.
func (k *comparison) isInherited(u *unit) bool {
	base, _, _ := strings.Cut(u.symbol, ".")
	return slices.ContainsFunc(k.names, func(name string) bool {
		return k.files[name][1] != nil && k.files[name][1].heirs(base) > 0
	})
}

// redefined finds what a file of tests took from the tree's code, asks about, and defines itself now or takes from
// among the tests.
func (k *comparison) redefined(b, a *file) {
	from, takes := b.imported().modules, a.imported().modules
	for _, named := range slices.Sorted(maps.Keys(from)) {
		if takes[named] == from[named] {
			continue
		}
		tested := func(u *unit) bool { return u.test && u.names[named] && len(u.assertions) > 0 }
		own := slices.IndexFunc(a.Definitions, func(d defined) bool { return d.Parent < 0 && d.Name == named })
		old, now := k.home(b, from[named]), k.home(a, takes[named])
		switch {
		case takes[named] == "" && own < 0, takes[named] != "" && !evidence.HoldsTests(now):
		case old == "" || evidence.HoldsTests(old) || !holds(string(k.content(1, old)), named):
		case slices.ContainsFunc(b.units, tested) && slices.ContainsFunc(a.units, tested):
			at := Place{Path: a.Path, Line: 1, EndLine: 1}
			if own >= 0 {
				at = a.place(a.Definitions[own].Outer, a.Definitions[own].End)
			}
			k.note(formDouble, a.Path, Place{Path: b.Path}, at, "the subject of its tests, %s, is now defined by the "+
				"tests", named)
		}
	}
}

// home is where the later tree has a module that a file names, "" for one that it has not.
func (k *comparison) home(f *file, module string) string {
	for _, at := range f.candidates(module) {
		if module != "" && k.has(1, at) {
			return at
		}
	}
	return ""
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
		for _, name := range k.names {
			if f := k.files[name][side]; f != nil && len(of) > 0 {
				f.helpedBy(of)
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

// helpedBy notes in each unit what those helpers demand that it names, where they are of another file that this one
// imports or stands beside.
func (f *file) helpedBy(helpers map[string][]*unit) {
	imported := map[string]bool{}
	isImported := func(name string) bool {
		is, known := imported[name]
		if !known {
			is = f.isOf(name)
			imported[name] = is
		}
		return is
	}
	for _, u := range f.units {
		var named []string
		for name := range u.names {
			if f.asserting[name] == nil && helpers[f.Language+" "+name] != nil {
				named = append(named, name)
			}
		}
		slices.Sort(named) // units keep what they assert in one order
		for _, name := range named {
			for _, h := range helpers[f.Language+" "+name] {
				if h.file.Path != f.Path && isImported(h.file.Path) {
					u.helpedBy(h)
				}
			}
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
