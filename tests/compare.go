package tests

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
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
		k := comparison{Change: c, account: account}
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
	if err := k.pendings(ctx); err != nil {
		return err
	}
	if err := k.hooks(ctx); err != nil {
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
		} else if !holds {
			continue
		}
		if p.before != nil && p.before.file.imported == nil {
			if err := k.follow(ctx, p.before.file); err != nil {
				return err
			}
		}
		k.settle(p)
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
	// before and after are the units of the changed files of tests.
	before, after []*unit
	files         map[string][2]*file
	code          []code
	// depends: what the tree depends on changes.
	depends bool
	stock   *stock
	pending []pending
	// added are the tests that are new.
	added []*unit
	pairs []pair
	// standing are the pairs of tests that stand, by what they said before; made when it is asked for.
	standing map[string][]pair
}

// pending is a weakening of which it is not known yet what may excuse it.
type pending struct {
	Weakening
	// before and after are the two sides of its test; nil where it is about none, or none stands.
	before, after *unit
	// double is what it is about, which must be code of the tree; nil for none.
	double *double
	// helper is a function of another file that is called no longer, which must assert; "" for none.
	helper string
	// rewritten: any change of production code explains it.
	rewritten bool
}

// read reads the changed files of tests; partly, what differs of them and what that calls or is called by.
func (k *comparison) read(ctx context.Context, names []string, uncollected map[string]bool, partly bool) error {
	read := make([][2]*file, len(names))
	parsing, one := errgroup.WithContext(ctx)
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	fixtures := slices.ContainsFunc(names, isFixtures)
	for i, name := range names {
		parsing.Go(func() (err error) {
			if partly {
				var known bool
				if read[i], known, err = k.narrowed(one, name); known || err != nil {
					return err
				}
			}
			for side, tree := range []*evidence.Tree{k.Before, k.After} {
				if read[i][side], err = open(one, tree, name); err != nil {
					return err
				}
			}
			if !fixtures && read[i][0] != nil && read[i][1] != nil {
				k.findStanding(read[i][0], read[i][1])
			}
			return nil
		})
	}
	if err := parsing.Wait(); err != nil {
		return err
	}
	k.take(names, read, uncollected)
	return nil
}

// testFiles are the changed files that hold tests, or did.
func (k *comparison) testFiles(uncollected map[string]bool) (names []string) {
	for _, name := range k.Paths {
		known := evidence.HoldsTests(name) || evidence.LanguageOf(name) == "rust" || uncollected[name]
		if known && evidence.HasDefinitions(name) {
			names = append(names, name)
		}
	}
	return names
}

// take notes files, each as it is in both trees, and their units.
func (k *comparison) take(names []string, read [][2]*file, uncollected map[string]bool) {
	k.files = map[string][2]*file{}
	for i, name := range names {
		k.files[name] = read[i]
		if b := read[i][0]; b != nil {
			k.before = append(k.before, b.units...)
		}
		if a := read[i][1]; a != nil {
			for _, u := range a.units {
				u.test = u.test && !uncollected[name]
			}
			k.after = append(k.after, a.units...)
		}
	}
}

func (k *comparison) compare() {
	k.stock = newStock(k.before, k.after)
	k.pairs = pairUp(k.before, k.after)
	for _, u := range k.before {
		if u.test {
			k.account.AssertionsBefore += len(u.assertions)
		}
	}
	for _, u := range k.after {
		if u.test {
			k.account.AssertionsAfter += len(u.assertions)
		}
	}
	for _, p := range k.pairs {
		switch b, a := p.before, p.after; {
		case b == nil:
			if a.test {
				k.account.Added++
				k.added = append(k.added, a)
			}
		case a == nil:
			if (b.test || b.isHook()) && !b.skip.always && slices.ContainsFunc(b.assertions, asksSomething) {
				k.removed(b)
			}
		default:
			k.changed(b, a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.files)) {
		if b, a := k.files[name][0], k.files[name][1]; b != nil && a != nil {
			k.focus(b, a)
			k.again(b, a)
			k.suites(b)
		}
	}
}

// removed reports a test that is gone, or a hook that asserts.
func (k *comparison) removed(b *unit) {
	w := Weakening{Kind: Removed, Form: "test removed", Subject: b.symbol, Before: b.file.place(b.start, b.end),
		Message: fmt.Sprintf("the test %s is gone", b.symbol)}
	if !b.test {
		w.Kind, w.Form, w.Message = Weakened, "assertion removed", fmt.Sprintf("%s is gone, which asserts", b.symbol)
	}
	k.report(w, b)
}

// changed reports what a unit asks less.
func (k *comparison) changed(b, a *unit) {
	if b.stands && a.stands {
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
	if b.test && !a.test && a.symbol == a.name && b.symbol != b.name && a.file.by.names.MatchString(a.name) {
		return // its class could not be read
	}
	hook := b.isHook() && !b.test && len(b.assertions) > 0
	if !b.skip.always && (b.test && !a.test || hook && !a.isHook()) {
		w := both(Removed, "not collected", fmt.Sprintf("%s is no longer collected as a test", b.symbol))
		if k.isCalled(a) {
			w.Excuse = "other tests call it"
		}
		k.report(w, b)
		return
	}
	if !b.skip.always && a.skip.always && b.test {
		k.report(both(Skipped, "test skipped", fmt.Sprintf("%s ran and is skipped now", a.symbol)), b)
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
		k.report(w, b)
	}
	if a.file.Language == "go" && strings.HasPrefix(a.name, "Benchmark") {
		return // it measures
	}
	for _, d := range append(weaker(b, a, k.stock), besides(b, a, k.stock.rows)...) {
		w := both(Weakened, d.form, d.message)
		w.Slight = d.form == formTimeout
		if d.before != nil {
			w.Before = b.file.place(d.before.start, d.before.end)
			w.After = Place{Path: a.file.Path, Line: a.file.line(a.start), EndLine: a.file.line(a.end - 1)}
		}
		if d.after != nil {
			w.After = a.file.place(d.after.start, d.after.end)
		}
		w.Excuse = k.excuseDemand(d, b, a)
		k.pending = append(k.pending, pending{Weakening: w, before: b, after: a, rewritten: d.literal})
	}
	k.elsewhere(b, a, both)
}

// elsewhere notes what a test asks less as far as other files tell: a helper that it calls no longer, a double of what
// it asserts about.
func (k *comparison) elsewhere(b, a *unit, both func(kind Kind, form, message string) Weakening) {
	if named := uncalled(b, a); named != "" {
		w := both(Weakened, "assertion removed", fmt.Sprintf("%s no longer calls %s, which asserts", a.symbol, named))
		k.pending = append(k.pending, pending{Weakening: w, before: b, after: a, helper: named})
	}
	if d := k.newDouble(b, a); d != nil {
		w := both(Weakened, formDouble, fmt.Sprintf("what it asserts about, %s, is put aside for a double", d.text()))
		w.After = d.file.place(d.at, d.file.lineEnd(d.at))
		k.pending = append(k.pending, pending{Weakening: w, before: b, double: d})
	}
}

// stands reports whether what is found is so as far as other files tell.
func (k *comparison) stands(ctx context.Context, p pending) (bool, error) {
	switch {
	case p.double != nil:
		return k.own(ctx, p.double)
	case p.helper != "":
		return k.asserts(ctx, p.before.file, p.helper)
	}
	return true, nil
}

// isCalled reports whether a test of the file calls a function that was one.
func (k *comparison) isCalled(u *unit) bool {
	return slices.ContainsFunc(k.after, func(t *unit) bool {
		return t.test && t != u && t.names[u.name] && t.calls(u.name)
	})
}

// calls reports whether a unit calls a function of its file, or of its own object. Where calls lack brackets, that it
// names it is enough.
func (u *unit) calls(named string) bool {
	if u.body == nil || u.file.Language == "ruby" {
		return u.body != nil
	}
	source := string(u.file.Source[u.body.start:u.body.end])
	for at := strings.Index(source, named+"("); at >= 0; {
		before := strings.TrimSuffix(strings.TrimSuffix(source[:at], "self."), "this.")
		if before == "" || !isWordByte(before[len(before)-1]) && before[len(before)-1] != '.' {
			return true
		}
		next := strings.Index(source[at+1:], named+"(")
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}

// report notes a weakening of a unit.
func (k *comparison) report(w Weakening, b *unit) {
	k.pending = append(k.pending, pending{Weakening: w, before: b})
}

// settle finds what may excuse a weakening, and counts it where nothing does.
func (k *comparison) settle(p pending) {
	w := p.Weakening
	if b := p.before; b != nil {
		w.CodeChanged = k.reach(b)
		w.Alone = !k.anyButTests()
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
