package weaker

import (
	"cmp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
)

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
