package weaker

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
)

// reading is what was found of one file, and what is kept of it.
type reading struct {
	sides [2]*file
	// pairs are the units that stand on both sides, by how sure that is; rest are those that do not.
	pairs [3][]pair
	rest  [2][]*unit
	// found is what may be weaker of all of its tests.
	found []pending
	// assertions counts those of the tests of each side; runs are the suites of testify that it runs, and where.
	assertions [2]int
	runs       [2]map[string]Place
	// otherwise: it has something else besides its assertions; asked where snapshots are expected.
	otherwise bool
}

// within are the units that stand on both sides.
func (r *reading) within() []pair { return slices.Concat(r.pairs[:]...) }

// read reads the changed files of tests, and what each asks less by itself. Fixtures hold for others, and are read
// first.
func (k *comparison) read(ctx context.Context) error {
	uncollected, err := k.uncollected(ctx)
	if err != nil {
		return err
	}
	names := k.testFiles(uncollected)
	k.notRun, k.owners = uncollected, k.snapshotOwners()
	if k.long, err = k.isLong(ctx, names); err != nil {
		return err
	}
	if err := k.readFixtures(ctx, names); err != nil {
		return err
	}
	read := make([]reading, len(names))
	parsing, one := errgroup.WithContext(ctx)
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		parsing.Go(func() error {
			sides, err := k.sidesOf(one, name)
			if err == nil {
				read[i] = k.readOne(sides)
				read[i].letGo(k.long)
			}
			return err
		})
	}
	if err := parsing.Wait(); err != nil {
		return err
	}
	k.take(names, read)
	return nil
}

// maxTests is how many bytes of tests may differ, on both sides together, where tests that stand in their file no more
// are held until it is known what became of them in others: a file takes some three times as much.
var maxTests int64 = 8 << 20

// isLong reports whether more than maxTests differ.
func (k *comparison) isLong(ctx context.Context, names []string) (bool, error) {
	sum := int64(0)
	for _, name := range names {
		for side := range 2 {
			tree := k.tree(side)
			entry, err := tree.Stat(ctx, name)
			if err != nil || entry.Kind != evidence.File {
				continue // whoever reads it tells
			}
			size, err := tree.Size(ctx, entry)
			if err != nil {
				return false, err
			}
			sum += size
		}
	}
	return sum > maxTests, nil
}

// letGo lets go of what is not asked any more once both sides are compared: of a file all of whose units stand on the
// other side, and in a long comparison of every one.
func (r *reading) letGo(long bool) {
	differs := map[*unit]bool{}
	for _, p := range r.within() {
		differs[p.before], differs[p.after] = !p.stands, !p.stands
	}
	for side, f := range r.sides {
		if f == nil {
			continue
		}
		if side == 0 {
			f.imports = importsOf(f)
		}
		held := len(r.rest[side]) > 0 && !long
		for _, u := range f.units {
			if held {
				u.handed, u.body = handed(u), nil
			} else {
				u.slim(differs[u])
			}
		}
		if held {
			continue
		}
		*f = file{Outline: &evidence.Outline{Path: f.Path, Language: f.Language}, unread: f.unread, imports: f.imports,
			units: f.units}
	}
}

// slim leaves of a unit what it is called, and what it names and demands where that differs.
func (u *unit) slim(differs bool) {
	slim := unit{file: u.file, symbol: u.symbol, name: u.name, test: u.test}
	if differs {
		slim.names, slim.reached, slim.literals, slim.weight = u.names, u.reached, u.literals, u.weight
	}
	*u = slim
}

// sidesOf reads both sides of a file.
func (k *comparison) sidesOf(ctx context.Context, name string) (sides [2]*file, err error) {
	for side := range sides {
		if sides[side], err = k.open(ctx, name, side); err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// open reads one side of a file.
func (k *comparison) open(ctx context.Context, name string, side int) (*file, error) {
	f, err := open(ctx, k.tree(side), name)
	if f != nil && side == 1 && k.notRun[name] {
		for _, u := range f.units {
			u.test = false
		}
	}
	return f, err
}

// tree is the tree of a side.
func (k *comparison) tree(side int) *evidence.Tree {
	if side == 0 {
		return k.Before
	}
	return k.After
}

// readFixtures reads the conftest.py files.
func (k *comparison) readFixtures(ctx context.Context, names []string) error {
	for _, name := range slices.Sorted(slices.Values(names)) {
		if !isFixtures(name) {
			continue
		}
		sides, err := k.sidesOf(ctx, name)
		if err != nil {
			return err
		}
		for _, f := range sides {
			if f != nil {
				f.modules() // several ask for them at a time
			}
		}
		if err := k.hooks(ctx, sides[0], sides[1]); err != nil {
			return err
		}
		k.fixed = append(k.fixed, sides)
	}
	return nil
}

// readOne compares the two sides of a file.
func (k *comparison) readOne(sides [2]*file) (r reading) {
	b, a := sides[0], sides[1]
	var units [2][]*unit
	for side, f := range sides {
		if f == nil {
			continue
		}
		r.sides[side], r.runs[side], units[side] = f, f.runs(), f.units
		for _, u := range f.units {
			if u.test {
				r.assertions[side] += len(u.assertions)
			}
		}
		k.stock.add(f.units, side)
	}
	r.pairs, r.rest = withinFile(units[0], units[1])
	for sure, pairs := range r.pairs {
		for i := range pairs {
			p := &pairs[i]
			// That doubles of a fixture may be new is asked where no text differs.
			p.stands = sure == 0 && p.before.asksAs(p.after) && k.newDouble(p.before, p.after) == nil
			k.compareUnits(p)
		}
	}
	for _, u := range r.rest[0] {
		u.removal = u.gone()
	}
	if b != nil && a != nil {
		r.found = append(focus(b, a), again(b, a)...)
		r.otherwise = k.owners != nil && b.apart() != a.apart()
	}
	return r
}

// compareUnits notes what one unit asks less than the other.
func (k *comparison) compareUnits(p *pair) {
	b, a := p.before, p.after
	p.otherwise = k.owners[a.file.Path] && given(b) != given(a)
	if !p.stands {
		k.changed(p)
	}
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

// take notes files as they were read, and their units.
func (k *comparison) take(names []string, read []reading) {
	k.names, k.files = names, map[string]reading{}
	for i, name := range names {
		k.files[name] = read[i]
		if b := read[i].sides[0]; b != nil {
			k.before = append(k.before, b.units...)
		}
		if a := read[i].sides[1]; a != nil {
			k.after = append(k.after, a.units...)
		}
	}
}
