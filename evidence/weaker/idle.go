package weaker

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

var (
	// resumed is what stands before a test of Python that is async or yields, or in the class or file of one, where
	// something runs it to its end.
	resumed = lang.Lazy(`(?i:@\s*[\w.]*(?:async|anyio|trio|curio|tornado|twisted|gen_test|gen\.|inlineCallbacks` +
		`|ensureDeferred|coroutine))|\b(?:\w*Async\w*|\w*TestCase)\b`)
	ofAll    = lang.Lazy(`(?m)^\s*pytestmark\s*=[^\n]*(?:async|anyio|trio)`)
	awaiting = lang.Lazy(`\basync\s+def\b`)
	// resumedBySetting is how the settings of pytest, or a conftest.py, have every such test run.
	resumedBySetting = lang.Lazy(`(?m)^\W*(?:asyncio|anyio|trio)_mode\W*[=:]\W*(?:auto|true)` +
		`|add_marker\([^\n]*(?:async|anyio|trio)|pytest_pyfunc_call|pytest_aiohttp`)
)

// isResumed reports whether something runs a test to its end that is async or yields.
func (u *unit) isResumed() bool {
	return slices.ContainsFunc(u.file.headersOf(u), resumed.MatchString) || ofAll.Match(u.file.Source)
}

// isIdle reports a test of pytest that is async, or yields, and that nothing runs to its end.
func (u *unit) isIdle() bool {
	return u.test && u.file.Language == "python" && (awaiting.MatchString(u.header) || u.words["yield"] > 0) &&
		!u.isResumed()
}

// yields reports whether the body of a unit gives something out, which makes calls of it do nothing.
func (u *unit) yields() bool {
	gives := func(s *statement) bool { return len(s.tokens) > 0 && s.tokens[0].text == "yield" }
	return u.body != nil && slices.ContainsFunc(u.body.statements, gives)
}

// idles reports whether a test is idle now and was not, as its file has no other that was, and nothing that holds for
// all tests says otherwise.
func (k *comparison) idles(ctx context.Context, b, a *unit) (bool, error) {
	isNew := awaiting.MatchString(a.header) && !awaiting.MatchString(b.header) || a.gives && !b.gives
	if !a.isIdle() || !isNew && !b.isResumed() ||
		slices.ContainsFunc(b.file.units, (*unit).isIdle) {
		return false, nil
	}
	for dir := a.file.Path; dir != "."; {
		dir = path.Dir(dir)
		for _, name := range append([]string{"conftest.py"}, pytestSettings...) {
			src, err := k.After.Content(ctx, path.Join(dir, name))
			if err != nil || resumedBySetting.Match(src) {
				return false, err
			}
		}
	}
	return true, nil
}

// pytestSettings are the files in which settings of pytest stand.
var pytestSettings = []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}

var bases = lang.Lazy(`^\s*class\s+\w+\s*\(([^)]*)\)|\bextends\s+([\w., ]+)|^[^:{(]*\bclass\s+\w+\s*:\s*([\w., ()]+)`)

// basesLost finds classes that no longer have a base of their file whose tests they ran.
func (k *comparison) basesLost(b, a *file) {
	for _, d := range b.Definitions {
		i := slices.IndexFunc(a.Definitions, func(o defined) bool { return o.Class && o.Symbol == d.Symbol })
		if !d.Class || i < 0 {
			continue
		}
		of := func(head string) []string {
			m := bases.FindStringSubmatch(head)
			return identifiers.FindAllString(strings.Join(m[min(1, len(m)):], " "))
		}
		now := of(a.headOf(a.Definitions[i]))
		for _, base := range of(b.headOf(d)) {
			inherited := func(u *unit) bool {
				return strings.HasPrefix(u.symbol, base+".") && (u.test || b.by.tells("names", u.name)) && len(u.assertions) > 0
			}
			if slices.Contains(now, base) || !slices.ContainsFunc(b.units, inherited) ||
				!slices.ContainsFunc(a.units, inherited) {
				continue
			}
			k.pending = append(k.pending, pending{Weakening: Weakening{Kind: Removed, Form: "not collected", Subject: d.Symbol,
				Before: b.place(d.Outer, max(d.Body, d.Outer+1)), After: a.place(a.Definitions[i].Outer, a.Definitions[i].Body),
				Message: fmt.Sprintf("%s no longer has the tests of %s", d.Symbol, base)}})
		}
	}
}

// redefined finds what a file of tests took from the tree, asks about, and defines itself now.
func (k *comparison) redefined(b, a *file) {
	from, takes := b.modules(), a.modules()
	for _, d := range a.Definitions {
		tested := func(u *unit) bool { return u.test && u.names[d.Name] && len(u.assertions) > 0 }
		if d.Parent >= 0 || from[d.Name] == "" || takes[d.Name] != "" || !slices.ContainsFunc(b.units, tested) ||
			!slices.ContainsFunc(a.units, tested) {
			continue
		}
		k.pending = append(k.pending, pending{double: &origins{paths: b.candidates(from[d.Name])}, Weakening: Weakening{
			Kind: Weakened, Form: formDouble, Subject: a.Path, Before: Place{Path: b.Path}, After: a.place(d.Outer, d.End),
			Message: fmt.Sprintf("what its tests ask about, %s, is its own now", d.Symbol)}})
	}
}

// helped notes what helpers of other changed files of tests demand that a test calls by a name of assertions.
func (k *comparison) helped() {
	helpers := map[string]*unit{}
	for _, name := range k.names {
		if f := k.files[name][1]; f != nil {
			for named, u := range f.asserting {
				helpers[f.Language+" "+named] = u
			}
		}
	}
	for _, name := range k.names {
		f := k.files[name][1]
		if f == nil {
			continue
		}
		for _, u := range f.units {
			for i, a := range u.assertions {
				if h := helpers[f.Language+" "+a.matcher]; h != nil && a.strength == unplaced && h.file.Path != f.Path {
					own := *a
					own.by(h)
					u.assertions = slices.Clone(u.assertions)
					u.assertions[i] = &own
				}
			}
		}
	}
}
