package weaker

import (
	"fmt"
	"slices"
	"strings"
)

// gone says that a unit is gone: a test, or a hook that asserts; nil for one that asked nothing.
func (u *unit) gone() *Weakening {
	if !u.test && !u.isHook() || u.skip.always || !slices.ContainsFunc(u.assertions, asksSomething) {
		return nil
	}
	w := Weakening{Kind: Removed, Form: "test removed", Subject: u.symbol, Before: u.file.place(u.start, u.end),
		Message: fmt.Sprintf("the test %s is gone", u.symbol)}
	if !u.test {
		w.Kind, w.Form, w.Message = Weakened, "assertion removed", fmt.Sprintf("%s is gone, which asserts", u.symbol)
	}
	return &w
}

// changed notes what a unit may ask less. What other files tell of it is asked when all are read.
func (k *comparison) changed(p *pair) {
	b, a := p.before, p.after
	// That doubles of a fixture may be new is asked where no text differs.
	p.stands = samePlace(b) == samePlace(a) && b.text() == a.text() && b.asksAs(a) && k.newDouble(b, a) == nil
	if p.stands {
		return
	}
	both := func(kind Kind, form, message string) Weakening {
		return Weakening{
			Kind:    kind,
			Form:    form,
			Subject: a.symbol,
			Before:  b.file.place(b.start, b.end),
			After:   a.file.place(a.start, a.end),
			Message: message,
		}
	}
	say := func(w Weakening) { k.pending = append(k.pending, pending{Weakening: w, before: b}) }
	if b.test && !a.test && a.symbol == a.name && b.symbol != b.name && a.file.by.names.MatchString(a.name) {
		return // its class could not be read
	}
	hook := b.isHook() && !b.test && len(b.assertions) > 0
	if !b.skip.always && (b.test && !a.test || hook && !a.isHook()) {
		say(both(Removed, "not collected", fmt.Sprintf("%s is no longer collected as a test", b.symbol)))
		return
	}
	if !b.skip.always && a.skip.always && b.test {
		say(both(Skipped, "test skipped", fmt.Sprintf("%s ran and is skipped now", a.symbol)))
		return
	}
	if a.skip.always || b.skip.always { // it did not run
		return
	}
	if b.test && a.skip.guard != b.skip.guard && a.skip.guard != "" && !strings.HasSuffix(a.skip.guard, "else") &&
		!narrower(b.skip.guard, a.skip.guard) {
		w := both(Skipped, "guard widened", fmt.Sprintf("%s is skipped where %s", a.symbol, short(a.skip.guard)))
		if isPlatform(a.skip.guard) || isPlatform(a.file.constants(a.skip.guard)) {
			w.Excuse = "the condition is one of platform or version"
		}
		k.pending = append(k.pending, pending{Weakening: w, before: b, handed: b.skip.guard != ""})
	}
	if a.file.Language == "go" && strings.HasPrefix(a.name, "Benchmark") {
		return // it measures
	}
	for _, d := range append(weaker(b, a), besides(b, a)...) {
		w := both(Weakened, d.form, d.message)
		if d.before != nil {
			w.Before = b.file.place(d.before.start, d.before.end)
			w.After = Place{Path: a.file.Path, Line: a.file.line(a.start), EndLine: a.file.line(a.end - 1)}
		}
		if d.after != nil {
			w.After = a.file.place(d.after.start, d.after.end)
		}
		if one := d.pending(w, p); k.stock.lacks(one) {
			k.pending = append(k.pending, one)
		}
	}
	k.elsewhere(p, both)
}

// pending is a demand as something that may be weaker, with what tells later whether it is, and what excuses it.
func (d *demand) pending(w Weakening, p *pair) pending {
	all := pending{Weakening: w, before: p.before, rewritten: d.literal, rows: d.rows, spare: d.spare}
	if d.before != nil {
		all.strength = d.before.placed()
	}
	switch {
	case d.form == "assertion removed":
		all.gone = d.before
	case d.form == "assertion guarded" && isPlatform(d.after.guard):
		all.Excuse = "the condition is one of platform or version"
	case d.literal:
		all.alone, all.handed = d.handed, d.handed || !slices.Equal(given(p.before), given(p.after))
	}
	return all
}

// elsewhere notes what a test asks less as far as other files tell: a helper that it calls no longer, a double of what
// it asserts about.
func (k *comparison) elsewhere(p *pair, both func(kind Kind, form, message string) Weakening) {
	b, a := p.before, p.after
	if named := uncalled(b, a); named != "" {
		w := both(Weakened, "assertion removed", fmt.Sprintf("%s no longer calls %s, which asserts", a.symbol, named))
		k.pending = append(k.pending, pending{Weakening: w, before: b, helper: named,
			helpers: b.file.helpers(b.file.modules()[named])})
	}
	if d := k.newDouble(b, a); d != nil {
		w := both(Weakened, formDouble, fmt.Sprintf("what it asserts about, %s, is put aside for a double", d.text()))
		w.After = d.file.place(d.at, d.file.lineEnd(d.at))
		k.pending = append(k.pending, pending{Weakening: w, before: b, double: d.origins()})
	}
}
