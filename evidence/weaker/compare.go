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
	if err := c.bounded().gates(ctx, account); err != nil {
		return nil, err
	}
	if c.asks(Removed, Skipped, Weakened) {
		k := newComparison(c, account)
		if err := k.tests(ctx); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(account.Weakenings, func(x, y Weakening) int {
		return cmp.Or(cmp.Compare(placeOf(x).Path, placeOf(y).Path), placeOf(x).Line-placeOf(y).Line)
	})
	return account, ctx.Err()
}

// tests compares the tests.
func (k *comparison) tests(ctx context.Context) error {
	if err := k.read(ctx); err != nil {
		return err
	}
	k.helped()
	k.compare()
	if err := k.others(ctx); err != nil {
		return err
	}
	rewritten := slices.ContainsFunc(k.Paths, IsSnapshot)
	if len(k.pending) > 0 || rewritten {
		if err := k.readCode(ctx); err != nil {
			return err
		}
	}
	if rewritten {
		if err := k.snapshots(ctx); err != nil {
			return err
		}
	}
	for _, p := range k.pending {
		if holds, err := k.stands(ctx, p); err != nil {
			return err
		} else if holds {
			k.settle(p)
		}
	}
	return nil
}

// others finds what asks less for reasons that stand elsewhere: tests that nothing runs to their end, hooks.
func (k *comparison) others(ctx context.Context) error {
	for _, p := range k.pairs {
		if p.before == nil || p.after == nil || !p.before.test {
			continue
		}
		if idle, err := k.idles(ctx, p.before, p.after); err != nil {
			return err
		} else if idle {
			k.say(p, "never runs", "%s is async or yields, and nothing runs it to its end", p.after.symbol)
		}
	}
	if err := k.shadows(ctx); err != nil {
		return err
	}
	for _, sides := range k.fixed {
		if err := k.hooks(ctx, sides[0], sides[1]); err != nil {
			return err
		}
	}
	return nil
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
	Change
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

func newComparison(c Change, account *Account) *comparison {
	return &comparison{Change: c, account: account, stock: stock{}, files: map[string][2]*file{},
		renewals: map[string]*renewal{}}
}

// pending is a weakening of which it is not known yet what may excuse it.
type pending struct {
	Weakening
	demand
	// of is its test as it was; nil where it is about none.
	of *unit
	// double is where the code stands that is put aside, which must be code of the tree; nil for none.
	double *origins
	// explained: what the test hands in changes with it, or it had a condition already.
	explained bool
}

// say notes that a unit asks less; what is returned may be told more of.
func (k *comparison) say(p pair, form, format string, args ...any) *pending {
	w := Weakening{Form: form, Subject: p.before.symbol, Before: p.before.file.place(p.before.start, p.before.end),
		Message: fmt.Sprintf(format, args...)}
	if a := p.after; a != nil {
		w.Subject, w.After = a.symbol, a.file.place(a.start, a.end)
	}
	k.pending = append(k.pending, pending{Weakening: w, of: p.before})
	return &k.pending[len(k.pending)-1]
}

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

// stands reports whether what is found is so as far as other files tell.
func (k *comparison) stands(ctx context.Context, p pending) (bool, error) {
	switch {
	case p.double != nil:
		return k.own(ctx, p.double)
	case p.literal && p.handed:
		return !k.anyOther(), nil
	}
	return true, nil
}

// settle finds what may excuse a weakening, and counts it where nothing does.
func (k *comparison) settle(p pending) {
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
	w := p.Weakening
	if w.Kind == "" {
		w.Kind = kindOf(w.Form)
	}
	k.account.Weakenings = append(k.account.Weakenings, w)
	if w.Excuse != "" {
		return
	}
	switch w.Kind {
	case Removed:
		k.account.Removed++
	case Skipped:
		k.account.Skipped++
	case Weakened:
		k.account.Weaker++
	}
}
