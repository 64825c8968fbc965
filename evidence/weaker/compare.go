package weaker

import (
	"cmp"
	"context"
	"maps"
	"slices"
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
	k.compare()
	k.leaveUnasked()
	k.pending = append(k.pending, k.hooked...)
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
		} else if !holds {
			continue
		}
		if p.before != nil {
			if err := k.follow(ctx, p.before.file); err != nil {
				return err
			}
		}
		k.settle(p)
	}
	return nil
}

// leaveUnasked leaves out of what may be weaker what nobody asks for. Of tests that are gone one may take the excuse of
// another: where one is asked for, all are.
func (k *comparison) leaveUnasked() {
	if len(k.Of) == 0 {
		return
	}
	asked := func(p pending) bool {
		return slices.ContainsFunc(k.Of, func(w Weakening) bool { return w.Subject == p.Subject })
	}
	gone := func(p pending) bool { return p.After.Path == "" }
	anyGone := slices.ContainsFunc(k.pending, func(p pending) bool { return gone(p) && asked(p) })
	k.pending = slices.DeleteFunc(k.pending, func(p pending) bool { return !asked(p) && !(anyGone && gone(p)) })
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
	// notRun are new files that hold no tests any more, by their names.
	notRun map[string]bool
	// fixed are the sides of the changed conftest.py files, which hold for others.
	fixed [][2]*file
	// before and after are the units of the changed files of tests.
	before, after []*unit
	// names are those files, in their order.
	names []string
	files map[string]reading
	code  []code
	// goneNames are the names that production code no longer defines, in their order, otherwise those that it defines
	// otherwise too.
	goneNames map[string]int
	otherwise map[string]bool
	// depends: what the tree depends on changes.
	depends bool
	stock   *stock
	// long: so many tests differ that what stands in its file no more is not looked for in others.
	long bool
	// owners are the files of tests that changed snapshots are named after; nil without any.
	owners  map[string]bool
	pending []pending
	// hooked is what conftest.py files let count less.
	hooked []pending
	pairs  []pair
	// added are the tests that are new.
	added []*unit
}

func newComparison(c Change, account *Account) *comparison {
	return &comparison{Change: c, account: account, stock: newStock()}
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
	// rewritten: any change of production code explains it.
	rewritten bool
	// gone is an assertion that is there no more, rows are cases; spare is how many of them others replace.
	gone  *asked
	rows  []string
	spare int
}

// compare pairs what the files were read for, and gathers what may be weaker.
func (k *comparison) compare() {
	k.pairUp()
	for _, p := range k.pairs {
		switch b, a := p.before, p.after; {
		case b == nil:
			if a.test {
				k.account.Added++
				k.added = append(k.added, a)
			}
		case a == nil:
			if b.removal != nil {
				k.pending = append(k.pending, pending{Weakening: *b.removal, before: b})
			}
		default:
			for _, f := range p.found {
				if k.stock.lacks(f) {
					k.pending = append(k.pending, f)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.files)) {
		r := k.files[name]
		k.account.AssertionsBefore += r.assertions[0]
		k.account.AssertionsAfter += r.assertions[1]
		k.pending = append(k.pending, r.found...)
		if r.sides[0] != nil && r.sides[1] != nil {
			k.suites(r)
		}
	}
}

// pairUp finds what became of each unit: within its file, and of what is left in another one.
func (k *comparison) pairUp() {
	var left [2][]*unit
	for sure := range 3 {
		for _, name := range k.names {
			k.pairs = append(k.pairs, k.files[name].pairs[sure]...)
		}
	}
	for _, name := range k.names {
		for side, rest := range k.files[name].rest {
			left[side] = append(left[side], rest...)
		}
	}
	if k.long {
		k.unmended(left[0])
		p := &pairing{before: left[0], after: left[1]}
		p.take(samePlace, func(_, _ *unit) bool { return true })
		for _, u := range p.after {
			k.pairs = append(k.pairs, pair{after: u})
		}
		return
	}
	moved := acrossFiles(left[0], left[1])
	for i := range moved {
		if p := &moved[i]; p.before != nil && p.after != nil {
			k.compareUnits(p)
		}
	}
	k.pairs = append(k.pairs, moved...)
}

// unmended tells of units that stand in their file no more what is asked for: where they are not looked for elsewhere,
// nothing shows that it is mended.
func (k *comparison) unmended(gone []*unit) {
	for _, w := range k.Of {
		if slices.ContainsFunc(gone, func(u *unit) bool { return u.symbol == w.Subject }) {
			k.pending = append(k.pending, pending{Weakening: w})
		}
	}
}

// stands reports whether what is found is so as far as other files tell.
func (k *comparison) stands(ctx context.Context, p pending) (bool, error) {
	switch {
	case p.double != nil:
		return k.own(ctx, p.double)
	case p.helper != "":
		return k.asserts(ctx, p.helpers, p.helper)
	}
	return true, nil
}

// settle finds what may excuse a weakening, and counts it where nothing does.
func (k *comparison) settle(p pending) {
	w := p.Weakening
	if b := p.before; b != nil {
		w.CodeChanged = k.reach(b)
		switch {
		case w.Excuse != "":
		case p.rewritten && k.anyOther():
			w.Excuse = "more than tests changes with it"
		case w.After.Path == "":
			w.Excuse = k.excuseRemoved(b)
		}
		if w.Excuse == "" && w.CodeChanged {
			w.Excuse = k.excuseChanged(w.Form, b)
		}
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
