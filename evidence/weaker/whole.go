package weaker

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// What is asked less of all tests of a file, whichever stand in it.

// focus reports that a runner is focused on one test, so that its siblings do not run.
func focus(b, a *file) []pending {
	was, _, _ := b.focusOf()
	text, start, end := a.focusOf()
	if was != "" || text == "" {
		return nil
	}
	message := "the other tests of the file no longer run"
	if !slices.ContainsFunc(a.units, func(u *unit) bool { return u.test && (u.end <= start || u.start >= end) }) {
		message = "tests of other files no longer run, where one run reads them all"
	}
	return []pending{{Weakening: Weakening{Kind: Skipped, Form: "focus", Subject: a.Path, Before: Place{Path: b.Path},
		After: a.place(start, end), Message: message}}}
}

// again reports that the tests of a file are run again where they fail.
func again(b, a *file) []pending {
	was, is := runAgain.FindAllIndex(b.Source), runAgain.FindAllIndex(a.Source)
	if len(is) <= len(was) {
		return nil
	}
	at := a.place(is[0][0], is[0][1])
	return []pending{{Weakening: Weakening{Kind: Weakened, Form: "retries", Subject: a.Path,
		Before: Place{Path: b.Path}, After: at, Message: "tests are run again where they fail: " + short(at.Text)}}}
}

// suites reports that nothing runs a suite of testify any more whose tests stand.
func (k *comparison) suites(b *file) {
	was := b.runs()
	for _, suite := range slices.Sorted(maps.Keys(was)) {
		stands, runs := false, false
		for _, sides := range k.files {
			if a := sides[1]; a != nil {
				runs = runs || a.runs()[suite].Path != ""
				stands = stands || slices.ContainsFunc(a.units, func(u *unit) bool {
					return strings.HasPrefix(u.symbol, suite+".Test")
				})
			}
		}
		if stands && !runs {
			k.pending = append(k.pending, pending{Weakening: Weakening{Kind: Removed, Form: "not collected", Subject: suite,
				Before: was[suite], Message: fmt.Sprintf("nothing runs the suite %s any more", suite)}})
		}
	}
}

var (
	// runAgain is how a file of JavaScript has its tests run again; each alone says so where it stands.
	runAgain = lang.Lazy(`\bjest\.retryTimes\(\s*[1-9]\d*|\bthis\.retries\(\s*[1-9]\d*` +
		`|\bconfigure\(\s*\{[^}\n]*\bretries\s*:\s*[1-9]\d*`)
	runsSuite = lang.Lazy(`\bsuite\.Run\([^,\n]+,\s*(?:new\((\w+)\)|&?(\w+)\{)`)
)

// runs are the suites of testify that a file runs, and where.
func (f *file) runs() map[string]Place {
	found := map[string]Place{}
	if f.Language == "go" {
		for _, m := range runsSuite.InBytes(f.Source).FindAllSubmatchIndex(f.Source, -1) {
			named := m[2:4]
			if named[0] < 0 {
				named = m[4:6]
			}
			found[string(f.Source[named[0]:named[1]])] = f.place(m[0], m[1])
		}
	}
	return found
}
