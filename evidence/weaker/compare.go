package weaker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// Compare reports where the later tree asks for less. It reads the changed files, and pytest's settings. An error means
// that a tree could not be read.
func Compare(ctx context.Context, c Change) (*Account, error) {
	account := &Account{}
	if c.Before == nil {
		return account, ctx.Err()
	}
	bounded := &trees{c.limited(), &evidence.Reads{Ctx: ctx}}
	if c.includes(SeesTests) {
		bounded.addTestAwareCode(account)
	}
	if c.includes(Gate) {
		bounded.addGates(account)
	}
	k := &comparison{trees: &trees{c, bounded.Reads}, account: account, balance: balance{},
		files: map[string][2]*file{}, renewals: map[string]*renewal{}}
	if c.includes(Removed, Skipped, Weakened) {
		k.compareTests()
	}
	for i := range account.Weakenings {
		w := &account.Weakenings[i]
		if w.Rule = string(w.Kind); w.Kind == Removed || w.Kind == Skipped { // tests have one rule
			w.Rule = string(Weakened)
		}
	}
	slices.SortStableFunc(account.Weakenings, func(x, y Weakening) int {
		return cmp.Or(cmp.Compare(placeOf(x).Path, placeOf(y).Path), placeOf(x).Line-placeOf(y).Line)
	})
	if k.Err != nil {
		return nil, k.Err
	}
	return account, ctx.Err()
}

func (k *comparison) compareTests() {
	k.read()
	k.addHelpers()
	k.compare()
	k.compareModules()
	if len(k.pending) > 0 || slices.ContainsFunc(k.Paths, IsSnapshot) {
		k.readCode()
		k.compareSnapshots()
	}
	for _, p := range k.pending {
		if (p.double == nil || k.isOwnCode(p.double)) && !(p.isLiteral && p.inputChanges && k.changesMoreThanTests()) {
			k.finish(p)
		}
	}
}

// placeOf returns the place of a weakening to show: in the later tree, if there is one.
func placeOf(w Weakening) Place {
	if w.After.Path != "" {
		return w.After
	}
	return w.Before
}

type comparison struct {
	*trees
	account *Account
	// testPaths are the changed files of tests in order, files both sides of each.
	testPaths []string
	files     map[string][2]*file
	// isCut: not all changed tests are read.
	isCut   bool
	sources []changedSource
	// changedNames are names whose definitions in production code changed or are gone.
	changedNames map[string]bool
	// dependenciesChange: a manifest of dependencies changes.
	dependenciesChange bool
	balance            balance
	pending            []pending
	pairs              []pair
	// renewals are made on first use, by path.
	renewals map[string]*renewal
}

// pending is a weakening before excuses are looked for.
type pending struct {
	Weakening
	assertionChange
	// test is the earlier test; nil if there is none.
	test *unit
	// double is the new test double, which must replace code of the tree; nil if there is none.
	double *double
	// isExplained: the inputs of the test change too, or it had a condition before.
	isExplained bool
}

// add notes a weakening; callers may add details to the result.
func (k *comparison) add(form, subject string, before, after Place, format string, args ...any) *pending {
	w := Weakening{Kind: kindOf(form)}
	w.Form, w.Subject, w.Before, w.After, w.Message = form, subject, before, after, fmt.Sprintf(format, args...)
	k.pending = append(k.pending, pending{Weakening: w})
	return &k.pending[len(k.pending)-1]
}

func (k *comparison) addUnit(p pair, form, format string, args ...any) *pending {
	w := k.add(form, p.before.symbol, p.before.place(), Place{}, format, args...)
	if w.test = p.before; p.after != nil {
		w.Subject, w.After = p.after.symbol, p.after.place()
	}
	return w
}

func (u *unit) place() Place { return u.file.place(u.start, u.end) }

func (k *comparison) compare() {
	all := &pairing[*unit]{}
	for _, name := range k.testPaths {
		p := &pairing[*unit]{}
		if f := k.files[name][0]; f != nil {
			p.before = slices.Clone(f.units)
		}
		if f := k.files[name][1]; f != nil {
			p.after = slices.Clone(f.units)
		}
		matchInFile(p)
		all.before, all.after = append(all.before, p.before...), append(all.after, p.after...)
		all.pairs = append(all.pairs, p.pairs...)
	}
	matchAcrossFiles(all)
	k.pairs = all.pairs
	for _, u := range all.before {
		k.pairs = append(k.pairs, pair{before: u})
	}
	for _, u := range all.after {
		k.pairs = append(k.pairs, pair{after: u})
	}
	for i := range k.pairs {
		switch p := &k.pairs[i]; {
		case p.before == nil:
			if p.after.isTest {
				k.account.Added++
			}
		case p.after == nil:
			k.addRemoved(*p)
		default:
			k.compareUnits(p)
		}
	}
	for _, name := range k.testPaths {
		b, a := k.files[name][0], k.files[name][1]
		if b != nil && a != nil {
			k.compareFocus(b, a)
			k.compareBases(b, a)
			k.compareSubjects(b, a)
		}
		if isConftest(name) && a != nil {
			k.compareConftest(b, a)
		}
	}
}

// finish looks for an excuse of a weakening, and counts it if there is none.
func (k *comparison) finish(p pending) {
	if p.isLiteral && k.changesMoreThanTests() {
		p.Excuse = "more than tests changes too"
	}
	if p.test != nil {
		isRenewed, coversAll := false, false
		if isListed("lesser forms", strings.ReplaceAll(p.Form, " ", "-")) {
			isRenewed, coversAll = k.isRenewed(&p)
		}
		p.CodeChanged = k.reachesChange(p.test)
		if p.Excuse == "" {
			p.Excuse = k.excuse(&p, isRenewed, coversAll)
		}
		p.CodeChanged = p.CodeChanged || isRenewed || p.isExplained
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
