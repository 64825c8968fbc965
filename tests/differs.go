package tests

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/language"
)

// Most changes of tests take no demand back. Of a file of which what differs shows that, whatever the functions around
// it are, nothing is compared.

// noisy are those of the files of tests that may ask less; gone: one of them is there no more. Fixtures hold for other
// files, all of which are then read that stood.
func (k *comparison) noisy(ctx context.Context, names []string) (found []string, gone bool, err error) {
	fixtures := slices.ContainsFunc(names, isFixtures)
	for _, name := range names {
		was, err := k.Before.Stat(ctx, name)
		if err != nil {
			return nil, false, err
		}
		is, err := k.After.Stat(ctx, name)
		if err != nil {
			return nil, false, err
		}
		stood, stands := was.Kind == evidence.File, is.Kind == evidence.File
		quiet := !stood && !isFixtures(name) // it is new
		if stood && stands && !fixtures {
			if quiet, err = k.isQuiet(ctx, name); err != nil {
				return nil, false, err
			}
		}
		if !quiet {
			found, gone = append(found, name), gone || !stands
		}
	}
	return found, gone, nil
}

// isQuiet reports whether what differs of a file shows that its tests ask no less: each function that differs demands
// word for word what it did, any call of a function that is not read taken for a demand.
func (k *comparison) isQuiet(ctx context.Context, name string) (bool, error) {
	before, after, err := k.sides(ctx, name)
	if err != nil || before == nil || after == nil || hidesOthers(name, before, after) {
		return false, err
	}
	d := evidence.DifferingOf(k.After.Cache, name, before, after)
	if d == nil {
		return false, nil
	}
	var sides [2]*file
	for side, text := range [][]byte{d.Before, d.After} {
		o, err := evidence.OutlineOf(ctx, name, text)
		if err != nil || o == nil || o.Tree.Root().HasError() {
			return false, err
		}
		sides[side] = fileOf(o, d.Out)
	}
	b, a := sides[0], sides[1]
	runs := func(f *file) []string { return slices.Sorted(maps.Keys(f.runs())) }
	if text, _, _ := a.focusOf(); text != "" || !b.saysAlike(a) || !slices.Equal(runs(b), runs(a)) {
		return false, nil
	}
	one := newComparison(k.Change, &Account{})
	one.take([]string{name}, []reading{one.readOne(sides)})
	if err := one.compare(ctx); err != nil || len(one.pending) > 0 {
		return false, err
	}
	doubles := slices.ContainsFunc(a.by.doubles, func(p language.Pattern) bool { return p.Match(after) })
	for _, p := range one.pairs {
		if p.before == nil {
			continue
		}
		if p.after == nil {
			return false, nil
		}
		b, a := p.before.unit, p.after.unit
		calls := func(named string) bool { return d.Out[named] && !b.names[named] }
		if !b.asksWithin(a) || !b.test && (givesCases(before, b.name) || givesCases(after, b.name)) ||
			doubles && slices.ContainsFunc(slices.Collect(maps.Keys(a.names)), calls) {
			return false, nil
		}
	}
	return true, nil
}

// givesCases reports whether a test of a source may be headed by the name of a function that gives its cases.
func givesCases(src []byte, name string) bool {
	for line := range linesWith(src, name) {
		if provides.Match(line) {
			return true
		}
	}
	return false
}

// linesWith goes over the lines of a source that hold a text.
func linesWith(src []byte, text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			at := bytes.Index(src, []byte(text))
			if at < 0 {
				return
			}
			end := len(src)
			if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
				end = at + i
			}
			if !yield(src[bytes.LastIndexByte(src[:at], '\n')+1 : end]) {
				return
			}
			src = src[end:]
		}
	}
}

// asksWithin reports whether a unit demands on one side word for word at least what it did on the other one.
func (u *unit) asksWithin(a *unit) bool {
	if a.symbol != u.symbol || a.test != u.test || a.skip != u.skip || u.skip.always ||
		a.bare != u.bare || a.recovers != u.recovers || len(u.assertions) >= maxAssertions ||
		len(minus(u.rows, a.rows)) > 0 {
		return false
	}
	from := u.file.modules()
	for named := range u.names {
		if !a.names[named] && from[named] != "" {
			return false // it may be a function of another file that asserts
		}
	}
	left := slices.Clone(a.assertions)
	for _, x := range u.assertions {
		at := slices.IndexFunc(left, x.says)
		if at < 0 || x.dead != "" {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// says reports whether two assertions read alike.
func (a *assertion) says(b *assertion) bool {
	return a.text == b.text && a.key == b.key && a.dead == b.dead && a.guard == b.guard && a.strength == b.strength &&
		a.awaited == b.awaited
}
