package weaker

import (
	"slices"
	"strings"
)

// kindOf is the kind of a form.
func kindOf(form string) Kind {
	switch form = strings.ReplaceAll(form, " ", "-"); {
	case isListed("forms of removal", form):
		return Removed
	case isListed("forms of skipping", form):
		return Skipped
	}
	return Weakened
}

// gone notes that a unit is gone: a test, or a hook that asserts; one that asked nothing is no loss.
func (k *comparison) gone(p pair) {
	b := p.before
	if k.isCut && len(k.Of) == 0 || b.skip.always || !slices.ContainsFunc(b.assertions, asksSomething) {
		return
	}
	if b.test {
		k.say(p, "test removed", "the test %s is gone", b.symbol)
	} else if b.isHook() {
		k.say(p, "assertion removed", "%s is gone, with its assertions", b.symbol)
	}
}

// changed notes what a unit may ask less. What other files tell of it is asked when all are read.
func (k *comparison) changed(p *pair) {
	b, a := p.before, p.after
	double := k.newDouble(b, a)
	told := len(k.pending)
	defer func() { p.stands = samePlace(b, a) && b.text() == a.text() && len(k.pending) == told }()
	unread := b.test && !a.test && a.symbol == a.name && b.symbol != b.name && a.file.by.tells("names", a.name)
	if unread || b.skip.always { // its class could not be read, or it did not run
		return
	}
	hook := b.isHook() && !b.test && len(b.assertions) > 0
	switch {
	case b.test && !a.test && !k.isInherited(a), hook && !a.isHook():
		k.say(*p, "not collected", "%s is no longer collected as a test", b.symbol)
		return
	case a.skip.always:
		if b.test {
			k.say(*p, "test skipped", "%s ran and is skipped now", a.symbol)
		}
		return
	case b.test && a.skip.guard != "" && !strings.HasSuffix(a.skip.guard, "else") &&
		(b.skip.guard == "" || !strings.Contains(b.skip.guard, a.skip.guard)):
		w := k.say(*p, "guard widened", "%s is skipped if %s", a.symbol, short(a.skip.guard))
		w.explained = b.skip.guard != ""
		w.Excuse = a.platform(a.skip.guard)
	}
	if a.file.Language == "go" && strings.HasPrefix(a.name, "Benchmark") {
		return // it measures
	}
	for _, d := range k.stock.weaker(b, a) {
		k.demands(*p, d)
	}
	k.besides(*p)
	if double != nil {
		w := k.say(*p, formDouble, "its subject, %s, is replaced by a double", double.text())
		w.After, w.double = double.file.place(double.at, double.file.lineEnd(double.at)), double
	}
}

// demands notes what became of an assertion.
func (k *comparison) demands(p pair, d demand) {
	w := k.say(p, d.form, "%s", d.message)
	w.demand, w.explained = d, d.literal && (d.handed || given(p.before) != given(p.after))
	line := p.after.file.line
	w.Before = p.before.file.place(d.before.start, d.before.end)
	w.After = Place{Path: p.after.file.Path, Line: line(p.after.start), EndLine: line(p.after.end - 1)}
	if d.after != nil {
		w.After = p.after.file.place(d.after.start, d.after.end)
		if d.form == "assertion guarded" {
			w.Excuse = p.after.platform(d.after.guard)
		}
	}
}
