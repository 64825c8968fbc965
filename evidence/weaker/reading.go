package weaker

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
)

// trees reads the two sides of a change, 0 and 1. After an error, everything is missing, and err says why.
type trees struct {
	Change
	ctx context.Context
	err error
}

// readOf returns what read returns for a side, the zero value after an error.
func readOf[T any](t *trees, side int, read func(context.Context, *evidence.Tree) (T, error)) (found T) {
	if t.err == nil {
		found, t.err = read(t.ctx, []*evidence.Tree{t.Before, t.After}[side])
	}
	return found
}

// content returns a file of a side, nil if there is none.
func (t *trees) content(side int, name string) []byte {
	return readOf(t, side, func(ctx context.Context, tree *evidence.Tree) ([]byte, error) {
		return tree.Content(ctx, name)
	})
}

func (t *trees) has(side int, name string) bool {
	return readOf(t, side, func(ctx context.Context, tree *evidence.Tree) (evidence.Entry, error) {
		return tree.Stat(ctx, name)
	}).Kind != evidence.Missing
}

// outline returns the outline of a source, nil if it cannot be read.
func (t *trees) outline(side int, name string) *evidence.Outline {
	return readOf(t, side, func(ctx context.Context, tree *evidence.Tree) (*evidence.Outline, error) {
		return tree.Outline(ctx, name)
	})
}

// read reads the changed files of tests.
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
	parsing, ctx := errgroup.WithContext(k.ctx)
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
	if k.err = cmp.Or(k.err, parsing.Wait()); k.err != nil {
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
		}
		if k.files[name] = read[i]; isConftest(name) {
			k.conftests = append(k.conftests, read[i])
		}
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
