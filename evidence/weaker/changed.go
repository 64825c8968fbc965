package weaker

import (
	"slices"
	"strings"
)

func kindOf(form string) Kind {
	switch form = strings.ReplaceAll(form, " ", "-"); {
	case isListed("forms of removal", form):
		return Removed
	case isListed("forms of skipping", form):
		return Skipped
	}
	return Weakened
}

// addRemoved notes a removed test, or a removed hook with assertions. A unit that asserted nothing is no loss.
func (k *comparison) addRemoved(p pair) {
	b := p.before
	if k.isCut && len(k.Requested) == 0 || b.skip.isAlways || !slices.ContainsFunc(b.assertions, isMeaningful) {
		return
	}
	if b.isTest {
		k.addUnit(p, "test removed", "the test %s is gone", b.symbol)
	} else if b.isHook() {
		k.addUnit(p, "assertion removed", "%s is gone, with its assertions", b.symbol)
	}
}

// compareUnits notes what a unit asserts less. Excuses in other files are looked for at the end.
func (k *comparison) compareUnits(p *pair) {
	b, a := p.before, p.after
	added := k.newDouble(b, a)
	pendingCount := len(k.pending)
	defer func() { p.isUnchanged = samePlace(b, a) && b.text() == a.text() && len(k.pending) == pendingCount }()
	isUnreadable := b.isTest && !a.isTest && a.symbol == a.name && b.symbol != b.name &&
		a.file.framework.matches("names", a.name)
	if isUnreadable || b.skip.isAlways { // its class is unreadable, or it never ran
		return
	}
	wasHook := b.isHook() && !b.isTest && len(b.assertions) > 0
	switch {
	case b.isTest && !a.isTest && !k.hasSubclasses(a), wasHook && !a.isHook():
		k.addUnit(*p, "not collected", "%s is no longer collected as a test", b.symbol)
		return
	case a.skip.isAlways:
		if b.isTest || a.isHook() || strings.Contains(a.header, "fixture") {
			k.addUnit(*p, "test skipped", "%s ran and is skipped now", a.symbol)
		}
		return
	case b.isTest && a.skip.guard != "" && !strings.HasSuffix(a.skip.guard, "else") &&
		(b.skip.guard == "" || !strings.Contains(b.skip.guard, a.skip.guard)):
		w := k.addUnit(*p, "guard widened", "%s is skipped if %s", a.symbol, brief(a.skip.guard))
		w.isExplained = b.skip.guard != ""
		w.Excuse = a.platformExcuse(a.skip.guard)
	}
	if a.file.Language == "go" && strings.HasPrefix(a.name, "Benchmark") {
		return // a benchmark
	}
	if b.isTest && k.becomesNeverRun(b, a) {
		k.addUnit(*p, "never runs", "%s is async or yields, and nothing runs it to its end", a.symbol)
	}
	for _, d := range k.balance.compareAssertions(b, a) {
		k.addAssertionChange(*p, d)
	}
	k.compareRows(*p)
	if added != nil {
		w := k.addUnit(*p, formDouble, "its subject, %s, is replaced by a double", added.text())
		w.After, w.double = added.file.place(added.at, added.file.lineEnd(added.at)), added
	}
}

func (k *comparison) addAssertionChange(p pair, d assertionChange) {
	w := k.addUnit(p, d.form, "%s", d.message)
	w.assertionChange, w.isExplained = d, d.isLiteral && (d.inputChanges || inputsOf(p.before) != inputsOf(p.after))
	line := p.after.file.line
	w.Before = p.before.file.place(d.before.start, d.before.end)
	w.After = Place{Path: p.after.file.Path, Line: line(p.after.start), EndLine: line(p.after.end - 1)}
	if d.after != nil {
		w.After = p.after.file.place(d.after.start, d.after.end)
		if d.form == "assertion guarded" {
			w.Excuse = p.after.platformExcuse(d.after.guard)
		}
	}
}
