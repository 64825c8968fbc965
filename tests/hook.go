package tests

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/language"
)

// What stands in a conftest.py holds for all tests below it: a hook that changes what is run, a
// fixture that puts doubles in the place of the tree's own code for every test.

var (
	collectHook = language.Lazy(`^pytest_(?:collection_modifyitems|ignore_collect|collection_finish` +
		`|itemcollected)$`)
	// dropping is how tests are kept from running.
	dropping = language.Lazy(`\bitems\[:\]\s*=|\bitems\.(?:clear|remove|pop)\b|\bdel\s+items|mark\.(?:skip` +
		`|xfail)\b|return\s+True`)
	// chosen is what a person chooses when the tests are run.
	chosen = language.Lazy(`getoption|getini|getvalue|environ|get_closest_marker|keywords|iter_markers` +
		`|sys\.platform|version`)
	patches = language.Lazy(`(?:patch|patch\.object|setattr)\s*\(\s*(?:(\w+)(?:\.\w+)*\s*,\s*)?["']([\w.]+)["']`)
)

// hooks finds what a conftest.py lets count less.
func (k *comparison) hooks(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(k.files)) {
		b, a := k.files[name][0], k.files[name][1]
		if a == nil || path.Base(name) != "conftest.py" {
			continue
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
	}
	return nil
}

var (
	hookName = language.Lazy(`(?i)^(?:(?:before|after)(?:_?each|_?all)?|set_?up|tear_?down)` +
		`(?:_?(?:class|method|module))?$`)
	hookHeader = language.Lazy(`@(?:Before|After)\w*|\[\s*(?:OneTime)?(?:SetUp|TearDown)` +
		`|\[\s*(?:Test|Class)(?:Cleanup|Initialize)|autouse\s*=\s*True|#\[\s*(?:Before|After)`)
)

// isHook reports whether a framework runs a function before or after tests.
func (u *unit) isHook() bool { return hookName.MatchString(u.name) || hookHeader.MatchString(u.header) }

// text is a unit as it is written.
func (u *unit) text() string { return string(u.file.Source[u.start:u.end]) }

func (k *comparison) hook(ctx context.Context, f *file, u *unit, was string) error {
	now := u.text()
	say := func(kind Kind, form, message string) {
		k.report(Weakening{Kind: kind, Form: form, Subject: u.symbol, Before: Place{Path: f.Path},
			After: f.place(u.start, u.end), Message: message}, nil)
	}
	switch {
	case collectHook.MatchString(u.name) && dropping.MatchString(now) && !dropping.MatchString(was) &&
		!chosen.MatchString(now):
		say(Skipped, "collection changed", fmt.Sprintf("%s keeps tests from running, whatever is chosen", u.name))
	case strings.Contains(u.header, "autouse=True"):
		for _, m := range patches.In(now).FindAllStringSubmatch(now, -1) {
			if strings.Contains(was, m[0]) {
				continue
			}
			own, err := k.isOwn(ctx, f, m[1], m[2])
			if err != nil {
				return err
			}
			if own {
				say(Weakened, "subject mocked", fmt.Sprintf("every test gets a double of %s", m[2]))
				return nil
			}
		}
	}
	return nil
}

// isOwn reports whether what is patched is code of the tree: the first part of its name is a folder or file of it.
func (k *comparison) isOwn(ctx context.Context, f *file, module, target string) (bool, error) {
	first, _, dotted := strings.Cut(target, ".")
	if module != "" {
		first, dotted = module, true
		if m := language.Lazy(`(?m)^\s*from\s+` +
			`([\w]+)[\w.]*\s+import\s+[^\n]*\b` + module + `\b`).InBytes(f.Source).FindSubmatch(f.Source); m != nil {
			first = string(m[1])
		}
	}
	if !dotted {
		return false, nil
	}
	for _, at := range []string{first, "src/" + first, first + ".py", "src/" + first + ".py"} {
		entry, err := k.After.Stat(ctx, at)
		if err != nil || entry.Kind != evidence.Missing {
			return err == nil, err
		}
	}
	return false, nil
}
