// Package weaker compares what two trees require of the code: their tests, the assertions of these, and the gates
// (workflows, runners, linters, coverage, hooks) that make them count. It reports where the later tree requires less.
// Two trees and the changed paths go in, an Account comes out. It knows nothing of commits, policies or messages, and
// reads only through evidence.Tree. It never imports packages of a higher floor.
package weaker

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
	"golang.org/x/sync/errgroup"
)

// Kind is the kind of a Weakening.
type Kind string

const (
	Removed   Kind = "test_removed"    // a test is gone or not collected
	Skipped   Kind = "test_skipped"    // a test is skipped now
	Weakened  Kind = "test_weakened"   // a test asserts less
	Gate      Kind = "gate_weakened"   // a check of the build asks for less
	SeesTests Kind = "code_sees_tests" // production code detects tests
)

// Place is a place in one of the two trees.
type Place = gate.Place

// Weakening is one place where the later tree asks for less than the earlier one. CodeChanged also says that production
// code that a test reaches changes, or that another change explains the weakening in part.
type Weakening struct {
	gate.Loosening
	Kind Kind
}

// Account sums up the changes of tests and gates between two trees. The list of Tests is empty.
type Account struct {
	report.Tests
	// Weakenings are all weakenings, excused or not, by path and line of the later tree.
	Weakenings []Weakening
}

// Change is two trees and the paths that differ.
type Change struct {
	// Before is nil for a root commit: nothing is weaker then.
	Before *evidence.Tree
	After  *evidence.Tree
	// Paths are the paths that differ, of both trees.
	Paths []string
	// Requested are weakenings found by another comparison: only their kinds are needed, and their files are read first.
	// If empty, everything is needed.
	Requested []Weakening
}

func (c Change) includes(kinds ...Kind) bool {
	return len(c.Requested) == 0 || slices.ContainsFunc(c.Requested,
		func(w Weakening) bool { return slices.Contains(kinds, w.Kind) })
}

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
		a, b := cmp.Or(x.After, x.Before), cmp.Or(y.After, y.Before)
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line)
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

type comparison struct {
	*trees
	account *Account
	// testPaths are the changed files of tests in order, files both sides of each; readFiles are those of each side.
	testPaths []string
	files     map[string][2]*file
	readFiles [2][]*file
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
	removed := report.Map(all.before, func(u *unit) pair { return pair{before: u} })
	added := report.Map(all.after, func(u *unit) pair { return pair{after: u} })
	k.pairs = slices.Concat(all.pairs, removed, added)
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

// trees reads the two sides of a change, 0 and 1.
type trees struct {
	Change
	*evidence.Reads
}

func (t *trees) side(side int) *evidence.Tree { return []*evidence.Tree{t.Before, t.After}[side] }

func (t *trees) content(side int, name string) []byte { return t.Content(t.side(side), name) }

func (t *trees) has(side int, name string) bool {
	return t.Stat(t.side(side), name).Kind != evidence.Missing
}

func (k *comparison) read() {
	uncollected := k.uncollectedPaths()
	for _, name := range k.Paths {
		isTest := evidence.HoldsTests(name) || evidence.LanguageOf(name) == "rust" || uncollected[name]
		if isTest && evidence.HasDefinitions(name) {
			k.testPaths = append(k.testPaths, name)
		}
	}
	k.limitTests()
	read := make([][2]*file, len(k.testPaths))
	parsing, ctx := errgroup.WithContext(k.Ctx)
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range k.testPaths {
		parsing.Go(func() error {
			for side, tree := range []*evidence.Tree{k.Before, k.After} {
				f, err := openFile(ctx, tree, name)
				if err != nil {
					return err
				}
				if f != nil {
					read[i][side] = f.clone()
				}
			}
			return nil
		})
	}
	if k.Err = cmp.Or(k.Err, parsing.Wait()); k.Err != nil {
		return
	}
	for i, name := range k.testPaths {
		for side, f := range read[i] {
			if f == nil {
				continue
			}
			for _, u := range f.units {
				u.isTest = u.isTest && (side == 0 || !uncollected[name])
				if u.isTest {
					*[]*int{&k.account.AssertionsBefore, &k.account.AssertionsAfter}[side] += len(u.assertions)
				}
			}
			k.balance.add(f.units, side)
			k.readFiles[side] = append(k.readFiles[side], f)
		}
		k.files[name] = read[i]
	}
}

// maxTests bounds the bytes of changed tests that are read, on both sides together: the tests of a long range may not
// fit into memory.
var maxTests = 4 << 20

// limitTests leaves out files beyond maxTests, requested ones last.
func (k *comparison) limitTests() {
	rank := func(name string) int {
		return slices.IndexFunc(k.Requested, func(w Weakening) bool { return w.Before.Path == name || w.After.Path == name })
	}
	names := slices.Clone(k.testPaths)
	slices.SortStableFunc(names, func(x, y string) int { return rank(y) - rank(x) })
	sum, within := 0, []string(nil)
	for _, name := range names {
		sum += len(k.content(0, name)) + len(k.content(1, name))
		if k.isCut = k.isCut || sum > maxTests && rank(name) < 0; !k.isCut {
			within = append(within, name)
		}
	}
	if slices.Sort(within); k.isCut {
		k.testPaths = within
	}
}

// TestName is a test of a file, with its name in reports of results.
type TestName struct {
	results.Test
	// Line and EndLine count from 1, inclusive, with decorators.
	Line, EndLine int
}

// Tests lists the tests of a file in order; none if it cannot be read.
func Tests(ctx context.Context, tree *evidence.Tree, path string) ([]TestName, error) {
	f, err := openFile(ctx, tree, path)
	if f == nil || err != nil {
		return nil, err
	}
	var all []TestName
	for _, u := range f.units {
		if !u.isTest {
			continue
		}
		n := TestName{Line: f.line(u.start), EndLine: f.line(max(u.start, u.end-1))}
		n.Path, n.Name, n.HasUnknownName = path, u.name, fits("made", u.header) || fits("made", u.name)
		n.Groups = groupsOf(u)
		n.IsTitled = u.isTitled
		for _, g := range f.groups {
			n.HasUnknownName = n.HasUnknownName || n.IsTitled && g.contains(u.start, u.end) &&
				(fits("made", g.header) || fits("made", g.title))
		}
		all = append(all, n)
	}
	return all, nil
}

// groupsOf returns the classes, modules or titles around a test.
func groupsOf(u *unit) []string {
	groups, ok := strings.CutSuffix(u.symbol, u.name)
	if !ok || groups == "" {
		return nil
	}
	if titles, ok := strings.CutSuffix(groups, " > "); ok {
		return strings.Split(titles, " > ")
	}
	return strings.Split(strings.TrimSuffix(groups, "."), ".")
}
