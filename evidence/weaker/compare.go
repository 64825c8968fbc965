package weaker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Compare tells where the later tree asks for less. It reads the changed files, and of the others settings of pytest.
// An error means that a tree could not be read.
func Compare(ctx context.Context, c Change) (*Account, error) {
	account := &Account{}
	if c.Before == nil {
		return account, ctx.Err()
	}
	bounded := &trees{Change: c.bounded(), ctx: ctx}
	if c.asks(SeesTests) {
		bounded.seesTests(account)
	}
	if c.asks(Gate) {
		bounded.gates(account)
	}
	k := &comparison{trees: &trees{Change: c, ctx: ctx, err: bounded.err}, account: account, stock: stock{},
		files: map[string][2]*file{}, renewals: map[string]*renewal{}}
	if c.asks(Removed, Skipped, Weakened) {
		k.tests()
	}
	slices.SortStableFunc(account.Weakenings, func(x, y Weakening) int {
		return cmp.Or(cmp.Compare(placeOf(x).Path, placeOf(y).Path), placeOf(x).Line-placeOf(y).Line)
	})
	if k.err != nil {
		return nil, k.err
	}
	return account, ctx.Err()
}

// tests compares the tests.
func (k *comparison) tests() {
	k.read()
	k.helped()
	k.compare()
	k.others()
	if len(k.pending) > 0 || slices.ContainsFunc(k.Paths, IsSnapshot) {
		k.readCode()
		k.snapshots()
	}
	for _, p := range k.pending {
		if (p.double == nil || k.own(p.double)) && !(p.literal && p.handed && k.anyOther()) {
			k.settle(p)
		}
	}
}

// others finds what asks less for reasons that stand elsewhere: tests that nothing runs to their end, hooks.
func (k *comparison) others() {
	for _, p := range k.pairs {
		if p.before != nil && p.after != nil && p.before.test && k.idles(p.before, p.after) {
			k.say(p, "never runs", "%s is async or yields, and nothing runs it to its end", p.after.symbol)
		}
	}
	k.shadows()
	for _, sides := range k.fixed {
		k.hooks(sides[0], sides[1])
	}
}

// placeOf is where a weakening is shown: in the later tree, where anything stands there.
func placeOf(w Weakening) Place {
	if w.After.Path != "" {
		return w.After
	}
	return w.Before
}

// comparison is one comparison of two trees.
type comparison struct {
	*trees
	account *Account
	// names are the changed files of tests, in their order, and files both sides of each.
	names []string
	files map[string][2]*file
	// isCut: more tests differ than are read.
	isCut bool
	// fixed are the sides of the changed conftest.py files, which hold for others.
	fixed [][2]*file
	code  []code
	// changedNames are the names that production code defines otherwise, or no longer.
	changedNames map[string]bool
	// depends: what the tree depends on changes.
	depends bool
	stock   stock
	pending []pending
	pairs   []pair
	// renewals are those of files by their paths; made when one is asked for.
	renewals map[string]*renewal
}

// pending is a weakening of which it is not known yet what may excuse it.
type pending struct {
	Weakening
	demand
	// of is its test as it was; nil where it is about none.
	of *unit
	// double is what is put aside, which must be code of the tree; nil for none.
	double *double
	// explained: what the test hands in changes with it, or it had a condition already.
	explained bool
}

// note notes that less is asked; what is returned may be told more of.
func (k *comparison) note(form, subject string, before, after Place, format string, args ...any) *pending {
	k.pending = append(k.pending, pending{Weakening: Weakening{Kind: kindOf(form), Form: form, Subject: subject,
		Before: before, After: after, Message: fmt.Sprintf(format, args...)}})
	return &k.pending[len(k.pending)-1]
}

// say notes that a unit asks less.
func (k *comparison) say(p pair, form, format string, args ...any) *pending {
	w := k.note(form, p.before.symbol, p.before.place(), Place{}, format, args...)
	if w.of = p.before; p.after != nil {
		w.Subject, w.After = p.after.symbol, p.after.place()
	}
	return w
}

// place is where a unit stands.
func (u *unit) place() Place { return u.file.place(u.start, u.end) }

// compare pairs the units of the files, and gathers what may be weaker.
func (k *comparison) compare() {
	all := &pairing[*unit]{}
	for _, name := range k.names {
		p := &pairing[*unit]{}
		if f := k.files[name][0]; f != nil {
			p.was = slices.Clone(f.units)
		}
		if f := k.files[name][1]; f != nil {
			p.is = slices.Clone(f.units)
		}
		withinFile(p)
		all.was, all.is, all.pairs = append(all.was, p.was...), append(all.is, p.is...), append(all.pairs, p.pairs...)
	}
	acrossFiles(all)
	for _, p := range all.pairs {
		k.pairs = append(k.pairs, pair{before: p[0], after: p[1]})
	}
	for _, u := range all.was {
		k.pairs = append(k.pairs, pair{before: u})
	}
	for _, u := range all.is {
		k.pairs = append(k.pairs, pair{after: u})
	}
	for i := range k.pairs {
		switch p := &k.pairs[i]; {
		case p.before == nil:
			if p.after.test {
				k.account.Added++
			}
		case p.after == nil:
			k.gone(*p)
		default:
			k.changed(p)
		}
	}
	for _, name := range k.names {
		if b, a := k.files[name][0], k.files[name][1]; b != nil && a != nil {
			k.focus(b, a)
			k.basesLost(b, a)
			k.redefined(b, a)
		}
	}
}

// settle finds what may excuse a weakening, and counts it where nothing does.
func (k *comparison) settle(p pending) {
	if p.literal && k.anyOther() {
		p.Excuse = "more than tests changes with it"
	}
	if p.of != nil {
		anew, all := false, false
		if isListed("lesser forms", strings.ReplaceAll(p.Form, " ", "-")) {
			anew, all = k.renewed(&p)
		}
		p.CodeChanged = k.reach(p.of)
		if p.Excuse == "" {
			p.Excuse = k.excuse(&p, anew, all)
		}
		p.CodeChanged = p.CodeChanged || anew || p.explained
	}
	k.account.Weakenings = append(k.account.Weakenings, p.Weakening)
	if p.Excuse != "" {
		return
	}
	switch p.Kind {
	case Removed:
		k.account.Removed++
	case Skipped:
		k.account.Skipped++
	case Weakened:
		k.account.Weaker++
	}
}
