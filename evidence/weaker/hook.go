package weaker

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// What stands in a conftest.py holds for all tests below it: a hook that changes what is run, a
// fixture that puts doubles in the place of the tree's own code for every test.

var (
	collectHook = lang.Lazy(`^pytest_(?:collection_modifyitems|ignore_collect|collection_finish` +
		`|itemcollected)$`)
	// dropping is how tests are kept from running.
	dropping = lang.Lazy(`\bitems\[:\]\s*=|\bitems\.(?:clear|remove|pop)\b|\bdel\s+items|mark\.(?:skip` +
		`|xfail)\b|return\s+[^\sNF]`)
	// chosen is what a person chooses when the tests are run.
	chosen = lang.Lazy(`getoption|getini|getvalue|environ|get_closest_marker|keywords|iter_markers` +
		`|sys\.platform|version`)
)

// isFixtures reports a file that holds for all tests below it.
func isFixtures(name string) bool { return path.Base(name) == "conftest.py" }

// hooks finds what a conftest.py lets count less.
func (k *comparison) hooks(ctx context.Context, b, a *file) error {
	if a == nil {
		return nil
	}
	if dir := path.Dir(a.Path); b == nil && dir != "." { // no test stood below one of a new folder
		if at, err := k.Before.Stat(ctx, dir); err != nil || at.Kind == evidence.Missing {
			return err
		}
	}
	k.ignored(b, a)
	for _, u := range a.units {
		drops := dropping.FindString(u.text())
		if drops == "" || !collectHook.MatchString(u.name) || chosen.MatchString(u.text()) ||
			b != nil && bytes.Contains(b.Source, []byte(drops)) {
			continue
		}
		k.pending = append(k.pending, pending{Weakening: Weakening{Kind: Skipped, Form: "collection changed",
			Subject: u.symbol, Before: Place{Path: a.Path}, After: a.place(u.start, u.end),
			Message: fmt.Sprintf("%s keeps tests from running, whatever is chosen", u.name)}})
	}
	for i := range a.doubles { // of all tests
		d := &a.doubles[i]
		u := a.unitAt(d.at)
		if u != nil && !strings.Contains(u.header, "autouse=True") ||
			b != nil && bytes.Contains(b.Source, a.Source[d.at:d.end]) {
			continue
		}
		w := Weakening{Kind: Weakened, Form: formDouble, Subject: a.Path, Before: Place{Path: a.Path},
			After: a.place(d.at, a.lineEnd(d.at)), Message: fmt.Sprintf("every test gets a double of %s", d.text())}
		if u != nil {
			w.Subject, w.After = u.symbol, a.place(u.start, u.end)
		}
		k.pending = append(k.pending, pending{double: d.origins(), Weakening: w})
	}
	return nil
}

// ignoring is how a conftest.py leaves files out.
var ignoring = lang.Lazy(`(?m)^[ \t]*collect_ignore(?:_glob)?\b[^\n]*["'\w][^\n]*`)

// ignored finds files that a conftest.py leaves out and had not.
func (k *comparison) ignored(b, a *file) {
	for _, m := range ignoring.InBytes(a.Source).FindAllIndex(a.Source, -1) {
		line := string(a.Source[m[0]:m[1]])
		had := b != nil && bytes.Contains(b.Source, []byte(strings.TrimSpace(line)))
		if entries := quotations.FindAllString(line); had || !slices.ContainsFunc(entries, func(e string) bool {
			return evidence.HoldsTests(path.Join(path.Dir(a.Path), strings.Trim(e, `"'`)))
		}) {
			continue
		}
		k.pending = append(k.pending, pending{Weakening: Weakening{Kind: Skipped, Form: "collection changed", Subject: a.Path,
			Before: Place{Path: a.Path}, After: a.place(m[0], m[1]), CodeChanged: line[0] == ' ' || line[0] == '\t',
			Message: "files of tests are left out: " + short(line)}})
		return
	}
}

var (
	hookName = lang.Lazy(`(?i)^(?:(?:before|after)(?:_?each|_?all)?|set_?up|tear_?down)` +
		`(?:_?(?:class|method|module))?$`)
	hookHeader = lang.Lazy(`@(?:Before|After)\w*|\[\s*(?:OneTime)?(?:SetUp|TearDown)` +
		`|\[\s*(?:Test|Class)(?:Cleanup|Initialize)|autouse\s*=\s*True|#\[\s*(?:Before|After)`)
)

// isHook reports whether a framework runs a function before or after tests.
func (u *unit) isHook() bool { return hookName.MatchString(u.name) || hookHeader.MatchString(u.header) }

// text is a unit as it is written.
func (u *unit) text() string { return string(u.file.Source[u.start:u.end]) }

// leading is how settings of pytest, or a conftest.py, say where modules are looked for first.
var leading = lang.Lazy(`(?m)^[^\n#]*(?:\bpythonpath\b|\bsys\.path\b)[^\n]*`)

// shadows finds new modules of Python that take the place of one of the tree where they are looked for first.
func (k *comparison) shadows(ctx context.Context) error {
	for _, at := range k.Paths {
		if !isFixtures(at) && !slices.Contains(pytestSettings, path.Base(at)) {
			continue
		}
		before, after, err := k.sides(ctx, at)
		if err != nil {
			return err
		}
		line := leading.FindString(string(after))
		if line == "" || strings.Contains(string(before), line) {
			continue
		}
		for _, name := range k.Paths {
			was, _, err := k.sides(ctx, name)
			if err != nil {
				return err
			}
			of := origins{paths: (&file{Outline: &evidence.Outline{Language: "python"}}).candidates(base(name))}
			if was != nil || path.Ext(name) != ".py" || !strings.Contains(line, path.Base(path.Dir(name))) ||
				slices.Contains(of.paths, name) {
				continue
			}
			k.pending = append(k.pending, pending{double: &of, Weakening: Weakening{Kind: Weakened, Form: formDouble,
				Subject: name, Before: Place{Path: at}, After: shown(at, after, strings.Index(string(after), line)),
				Message: fmt.Sprintf("%s is taken in the place of the tree's own %s", name, base(name))}})
		}
	}
	return nil
}
