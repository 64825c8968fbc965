package weaker

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Compare tells where the later tree asks for less. It reads the changed files, and of the others only what imports of
// changed tests name. An error means that a tree could not be read.
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
		if b, a := p.before, p.after; b != nil && a != nil && b.test {
			idle, err := k.idles(ctx, b, a)
			if err != nil {
				return err
			}
			if idle {
				k.pending = append(k.pending, pending{before: b, Weakening: Weakening{Kind: Weakened, Form: "never runs",
					Subject: a.symbol, Before: b.file.place(b.start, b.end), After: a.file.place(a.start, a.end),
					Message: a.symbol + " is async or yields, and nothing runs it to its end"}})
			}
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
	// goneNames are the names that production code no longer defines, changedNames those that it defines otherwise too.
	goneNames    []string
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
	return &comparison{Change: c, account: account, stock: stock{}, files: map[string][2]*file{}}
}

// pending is a weakening of which it is not known yet what may excuse it.
type pending struct {
	Weakening
	// before is its test as it was; nil where it is about none.
	before *unit
	// double is where the code stands that is put aside, which must be code of the tree; nil for none.
	double *origins
	// helper is a function of one of the files in helpers that is called no longer, which must assert; "" for none.
	helper  string
	helpers []string
	// rewritten: any change of production code explains it; handed: what the test hands in changes with it.
	rewritten, handed bool
	// alone: it is told where nothing but tests changes.
	alone bool
	// strength is that of the assertion before.
	strength strength
	// gone is an assertion that is there no more, rows are cases; spare is how many of them others replace.
	gone  *assertion
	rows  []string
	spare int
}

// compare pairs the units of the files, and gathers what may be weaker.
func (k *comparison) compare() {
	var left [2][]*unit
	for _, name := range k.names {
		var units [2][]*unit
		for side, f := range k.files[name] {
			if f != nil {
				units[side] = f.units
			}
		}
		pairs, rest := withinFile(units[0], units[1])
		k.pairs = append(k.pairs, pairs...)
		for side := range rest {
			left[side] = append(left[side], rest[side]...)
		}
	}
	k.pairs = append(k.pairs, acrossFiles(left[0], left[1])...)
	for i := range k.pairs {
		switch p := &k.pairs[i]; {
		case p.before == nil:
			if p.after.test {
				k.account.Added++
			}
		case p.after == nil:
			if w := p.before.gone(); w != nil && (!k.isCut || len(k.Of) > 0) {
				k.pending = append(k.pending, pending{Weakening: *w, before: p.before})
			}
		default:
			k.changed(p)
		}
	}
	for _, name := range k.names {
		if b, a := k.files[name][0], k.files[name][1]; b != nil && a != nil {
			k.pending = append(k.pending, append(focus(b, a), again(b, a)...)...)
			k.suites(b)
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
	case p.alone:
		return !k.anyOther(), nil
	case p.helper != "":
		return k.asserts(ctx, p.helpers, p.helper)
	}
	return true, nil
}

// settle finds what may excuse a weakening, and counts it where nothing does.
func (k *comparison) settle(p pending) {
	if b := p.before; b != nil {
		anew, all := false, false
		if isListed("lesser forms", strings.ReplaceAll(p.Form, " ", "-")) {
			anew, all = k.renewed(&p)
		}
		p.CodeChanged = k.reach(b)
		if p.Excuse == "" {
			p.Excuse = k.excuse(&p, anew, all)
		}
		p.CodeChanged = p.CodeChanged || anew || p.handed
	}
	w := p.Weakening
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
