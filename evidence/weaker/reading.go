package weaker

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
)

// trees reads the two sides of a change, 0 and 1. Once a tree could not be read nothing is there any more, and err says
// why.
type trees struct {
	Change
	ctx context.Context
	err error
}

// readOf is what read gives of a side, the zero value after an error.
func readOf[T any](t *trees, side int, read func(context.Context, *evidence.Tree) (T, error)) (found T) {
	if t.err == nil {
		found, t.err = read(t.ctx, []*evidence.Tree{t.Before, t.After}[side])
	}
	return found
}

// content is a file of a side, nil for none.
func (t *trees) content(side int, name string) []byte {
	return readOf(t, side, func(ctx context.Context, tree *evidence.Tree) ([]byte, error) {
		return tree.Content(ctx, name)
	})
}

// has reports whether anything stands at a path of a side.
func (t *trees) has(side int, name string) bool {
	return readOf(t, side, func(ctx context.Context, tree *evidence.Tree) (evidence.Entry, error) {
		return tree.Stat(ctx, name)
	}).Kind != evidence.Missing
}

// outline is a source of a side, nil for none that can be read.
func (t *trees) outline(side int, name string) *evidence.Outline {
	return readOf(t, side, func(ctx context.Context, tree *evidence.Tree) (*evidence.Outline, error) {
		return tree.Outline(ctx, name)
	})
}

// read reads the changed files of tests.
func (k *comparison) read() {
	uncollected := k.uncollected()
	for _, name := range k.Paths {
		known := evidence.HoldsTests(name) || evidence.LanguageOf(name) == "rust" || uncollected[name]
		if known && evidence.HasDefinitions(name) {
			k.names = append(k.names, name)
		}
	}
	k.cut()
	read := make([][2]*file, len(k.names))
	parsing, ctx := errgroup.WithContext(k.ctx)
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range k.names {
		parsing.Go(func() error {
			for side, tree := range []*evidence.Tree{k.Before, k.After} {
				f, err := open(ctx, tree, name)
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
	for i, name := range k.names {
		for side, f := range read[i] {
			if f == nil {
				continue
			}
			for _, u := range f.units {
				u.test = u.test && (side == 0 || !uncollected[name])
				if u.test {
					*[]*int{&k.account.AssertionsBefore, &k.account.AssertionsAfter}[side] += len(u.assertions)
				}
			}
			k.stock.add(f.units, side)
		}
		if k.files[name] = read[i]; isFixtures(name) {
			k.fixed = append(k.fixed, read[i])
		}
	}
}

// maxTests is how many bytes of tests that differ are read, on both sides together: those of a long range may be more
// than fit into memory.
var maxTests = 4 << 20

// cut leaves out the files beyond maxTests. Those stay that are asked about.
func (k *comparison) cut() {
	rank := func(name string) int {
		return slices.IndexFunc(k.Of, func(w Weakening) bool { return w.Before.Path == name || w.After.Path == name })
	}
	names := slices.Clone(k.names)
	slices.SortStableFunc(names, func(x, y string) int { return rank(y) - rank(x) })
	sum, kept := 0, []string(nil)
	for _, name := range names {
		sum += len(k.content(0, name)) + len(k.content(1, name))
		if k.isCut = k.isCut || sum > maxTests && rank(name) < 0; !k.isCut {
			kept = append(kept, name)
		}
	}
	if slices.Sort(kept); k.isCut {
		k.names = kept
	}
}
