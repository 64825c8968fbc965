package weaker

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// hasRunner reports whether something runs an async test or a generator to its end.
func (u *unit) hasRunner() bool {
	return slices.ContainsFunc(u.file.headersOf(u), regexpOf("resumed").MatchString) ||
		regexpOf("of all").Match(u.file.Source)
}

// isNeverRun reports whether a pytest test is async or yields, and nothing runs it to its end.
func (u *unit) isNeverRun() bool {
	return u.isTest && u.file.Language == "python" && (fits("awaiting", u.header) || u.words["yield"] > 0) &&
		!u.hasRunner()
}

// becomesNeverRun reports whether a test is newly never run, and neither its file nor a setting suggests otherwise.
func (k *comparison) becomesNeverRun(b, a *unit) bool {
	isNew := fits("awaiting", a.header) && !fits("awaiting", b.header) || a.yields && !b.yields
	if !a.isNeverRun() || !isNew && !b.hasRunner() ||
		slices.ContainsFunc(b.file.units, (*unit).isNeverRun) {
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

var pytestSettings = []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}

// compareBases finds classes that no longer inherit tests from a base in their file or an imported one.
func (k *comparison) compareBases(b, a *file) {
	for _, d := range b.Definitions {
		i := slices.IndexFunc(a.Definitions, func(o definition) bool { return o.IsClass && o.Symbol == d.Symbol })
		if !d.IsClass || i < 0 {
			continue
		}
		now := a.Definitions[i]
		names := wordsIn(a.headOf(now))
		for _, base := range wordsIn(b.headOf(d)) {
			if slices.Contains(names, base) || a.subclassCount(base) >= b.subclassCount(base) {
				continue
			}
			baseFile := a
			if at := k.pathOf(b, b.modules[base]); at != "" {
				baseFile = evidence.ReadOf(k.Reads, func() (*file, error) { return openFile(k.Ctx, k.After, at) })
			}
			inherited := func(u *unit) bool {
				return strings.HasPrefix(u.symbol, base+".") && (u.isTest || b.framework.matches("names", u.name)) &&
					len(u.assertions) > 0
			}
			if baseFile != nil && slices.ContainsFunc(baseFile.units, inherited) {
				k.add("not collected", d.Symbol, b.place(d.Outer, max(d.Body, d.Outer+1)), a.place(now.Outer, now.Body),
					"%s no longer has the tests of %s", d.Symbol, base)
			}
		}
	}
}

func (f *file) subclassCount(base string) (count int) {
	for _, d := range f.Definitions {
		if d.IsClass && d.Name != base && lang.HasWord(f.headOf(d), base) {
			count++
		}
	}
	return count
}

// hasSubclasses reports whether another class of the later tree inherits a method.
func (k *comparison) hasSubclasses(u *unit) bool {
	base, _, _ := strings.Cut(u.symbol, ".")
	return slices.ContainsFunc(k.readFiles[1], func(f *file) bool { return f.subclassCount(base) > 0 })
}

// compareSubjects finds subjects that a file of tests imported from the tree, and now defines itself or imports from
// tests.
func (k *comparison) compareSubjects(b, a *file) {
	from, takes := b.modules, a.modules
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if takes[name] == from[name] {
			continue
		}
		tested := func(u *unit) bool { return u.isTest && u.mentions[name] && len(u.assertions) > 0 }
		defined := slices.IndexFunc(a.Definitions, func(d definition) bool { return d.Parent < 0 && d.Name == name })
		old, now := k.pathOf(b, from[name]), k.pathOf(a, takes[name])
		switch {
		case takes[name] == "" && defined < 0, takes[name] != "" && !evidence.HoldsTests(now):
		case old == "" || evidence.HoldsTests(old) || !lang.HasWord(string(k.content(1, old)), name):
		case slices.ContainsFunc(b.units, tested) && slices.ContainsFunc(a.units, tested):
			at := Place{Path: a.Path, Line: 1, EndLine: 1}
			if defined >= 0 {
				at = a.place(a.Definitions[defined].Outer, a.Definitions[defined].End)
			}
			k.add(formDouble, a.Path, Place{Path: b.Path}, at, "the subject of its tests, %s, is now defined by the "+
				"tests", name)
		}
	}
}

// pathOf returns the path of a module that a file names, "" if the later tree lacks it.
func (k *comparison) pathOf(f *file, module string) string {
	for _, at := range f.candidates(module) {
		if module != "" && k.has(1, at) {
			return at
		}
	}
	return ""
}

// addHelpers adds assertions of helpers in other changed files of tests. A helper that only the earlier tree has may
// have moved to an unread file: it counts on neither side.
func (k *comparison) addHelpers() {
	var helpers [2][]*unit // by name, for a stable order of assertions
	for side := range helpers {
		for _, f := range k.readFiles[side] {
			helpers[side] = slices.AppendSeq(helpers[side], maps.Values(f.helpers))
		}
		slices.SortFunc(helpers[side], func(a, b *unit) int {
			return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.file.Path, b.file.Path))
		})
	}
	helpers[0] = slices.DeleteFunc(helpers[0], func(b *unit) bool {
		remains := func(a *unit) bool { return a.name == b.name && a.file.Language == b.file.Language }
		return !slices.ContainsFunc(helpers[1], remains)
	})
	for side, files := range k.readFiles {
		for _, f := range files {
			f.addHelpers(helpers[side])
		}
	}
}

// addHelpers adds to each unit the helpers that it names, if they are in a file that this one imports or stands beside.
func (f *file) addHelpers(helpers []*unit) {
	mentions := map[string]bool{}
	for _, u := range f.units {
		maps.Copy(mentions, u.mentions)
	}
	for _, h := range helpers {
		if !mentions[h.name] || h.file.Path == f.Path || h.file.Language != f.Language || f.helpers[h.name] != nil ||
			!f.isOf(h.file.Path) {
			continue
		}
		for _, u := range f.units {
			if u.mentions[h.name] {
				u.addHelper(h)
			}
		}
	}
}

func (u *unit) addHelper(h *unit) {
	u.assertions = slices.Clone(u.assertions)
	isKnown := false
	for i, a := range u.assertions {
		if a.matcher == h.name {
			isKnown = true
			if a.strength == unknown {
				copy := *a
				copy.addHelper(h)
				u.assertions[i] = &copy
			}
		}
	}
	if !isKnown {
		at := u.start + max(0, strings.Index(u.text(), h.name))
		a := &assertion{file: u.file, start: at, end: at + len(h.name), text: h.name, key: h.name, matcher: h.name}
		a.addHelper(h)
		u.assertions = append(u.assertions, a)
	}
}
