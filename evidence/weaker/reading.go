package weaker

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
)

// read reads the changed files of tests.
func (k *comparison) read(ctx context.Context) error {
	uncollected, err := k.uncollected(ctx)
	if err != nil {
		return err
	}
	for _, name := range k.Paths {
		known := evidence.HoldsTests(name) || evidence.LanguageOf(name) == "rust" || uncollected[name]
		if known && evidence.HasDefinitions(name) {
			k.names = append(k.names, name)
		}
	}
	if err := k.cut(ctx); err != nil {
		return err
	}
	read := make([][2]*file, len(k.names))
	parsing, one := errgroup.WithContext(ctx)
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range k.names {
		parsing.Go(func() error {
			for side := range 2 {
				f, err := open(one, k.tree(side), name)
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
	if err := parsing.Wait(); err != nil {
		return err
	}
	for i, name := range k.names {
		k.files[name] = read[i]
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
		if isFixtures(name) {
			k.fixed = append(k.fixed, read[i])
		}
	}
	return nil
}

// maxTests is how many bytes of tests that differ are read, on both sides together: those of a long range may be more
// than fit into memory.
var maxTests int64 = 4 << 20

// cut leaves out the files beyond maxTests. Those stay that are asked about.
func (k *comparison) cut(ctx context.Context) error {
	rank := func(name string) int {
		return slices.IndexFunc(k.Of, func(w Weakening) bool { return w.Before.Path == name || w.After.Path == name })
	}
	names := slices.Clone(k.names)
	slices.SortStableFunc(names, func(x, y string) int { return rank(y) - rank(x) })
	sum, kept := int64(0), []string(nil)
	for _, name := range names {
		for side := range 2 {
			tree := k.tree(side)
			entry, err := tree.Stat(ctx, name)
			if err != nil || entry.Kind != evidence.File {
				continue // whoever reads it tells
			}
			size, err := tree.Size(ctx, entry)
			if err != nil {
				return err
			}
			sum += size
		}
		if k.isCut = k.isCut || sum > maxTests && rank(name) < 0; !k.isCut {
			kept = append(kept, name)
		}
	}
	if slices.Sort(kept); k.isCut {
		k.names = kept
	}
	return nil
}

// tree is the tree of a side.
func (k *comparison) tree(side int) *evidence.Tree {
	if side == 0 {
		return k.Before
	}
	return k.After
}
