package weaker

import (
	"context"
	"fmt"
	"path"
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
	before := map[string]string{}
	if b != nil {
		for _, u := range b.units {
			before[u.symbol] = u.text()
		}
	}
	for _, u := range a.units {
		if err := k.hook(ctx, a, u, before[u.symbol]); err != nil {
			return err
		}
	}
	return nil
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

func (k *comparison) hook(ctx context.Context, f *file, u *unit, was string) error {
	now := u.text()
	say := func(kind Kind, form, message string) {
		k.pending = append(k.pending, pending{Weakening: Weakening{Kind: kind, Form: form, Subject: u.symbol,
			Before: Place{Path: f.Path}, After: f.place(u.start, u.end), Message: message}})
	}
	switch {
	case collectHook.MatchString(u.name) && dropping.MatchString(now) && !dropping.MatchString(was) &&
		!chosen.MatchString(now):
		say(Skipped, "collection changed", fmt.Sprintf("%s keeps tests from running, whatever is chosen", u.name))
	case strings.Contains(u.header, "autouse=True"):
		for _, d := range f.doubles {
			if d.at < u.start || d.at >= u.end || strings.Contains(was, string(f.Source[d.at:d.end])) {
				continue
			}
			if own, err := k.own(ctx, d.origins()); err != nil {
				return err
			} else if own {
				say(Weakened, formDouble, fmt.Sprintf("every test gets a double of %s", d.text()))
				return nil
			}
		}
	}
	return nil
}
