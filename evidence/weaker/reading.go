package weaker

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/acta-git/acta/evidence"
)

// reading is what was found of one file, and what is kept of it.
type reading struct {
	sides [2]*fileTrace
	// pairs are the units that stand on both sides, by how sure that is; rest are those that do not.
	pairs [3][]pair
	rest  [2][]*trace
	// found is what may be weaker of all of its tests.
	found []pending
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
				read[i].letGo(k)
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
	units := [2][]*trace{}
	for side, f := range sides {
		if f != nil {
			r.sides[side] = traceOf(f, side)
			units[side] = r.sides[side].units
			k.stock.add(f.units, side)
		}
	}
	r.pairs, r.rest = withinFile(units[0], units[1])
	for sure, pairs := range r.pairs {
		for i := range pairs {
			p := &pairs[i]
			// That doubles of a fixture may be new is asked where no text differs.
			p.stands = sure == 0 && p.before.unit.asksAs(p.after.unit) && k.newDouble(p.before.unit, p.after.unit) == nil
			k.compareUnits(p)
		}
	}
	if b != nil && a != nil {
		r.found = append(focus(b, a), again(b, a)...)
		r.otherwise = k.owners != nil && b.apart() != a.apart()
	}
	return r
}

// compareUnits notes what one unit asks less than the other.
func (k *comparison) compareUnits(p *pair) {
	b, a := p.before.unit, p.after.unit
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

// compareMoved compares units that stand in different files, or under other names. Their files are read again, but
// where both say the same.
func (k *comparison) compareMoved(ctx context.Context, pairs []pair) error {
	again := map[string][]*pair{} // by the earlier file
	for i := range pairs {
		switch p := &pairs[i]; {
		case p.before == nil || p.after == nil:
		case p.before.unit != nil && p.after.unit != nil:
			k.compareUnits(p)
		case p.before.saying == p.after.saying && !p.after.doubled && !k.owners[p.after.file.path]:
			p.stands = true
		default:
			again[p.before.file.path] = append(again[p.before.file.path], p)
		}
	}
	parsing, one := errgroup.WithContext(ctx)
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	for _, of := range again {
		parsing.Go(func() error { return k.compareAgain(one, of) })
	}
	err := parsing.Wait()
	for _, r := range k.files {
		for _, f := range r.sides {
			if f != nil && f.file == nil {
				for _, t := range f.units {
					t.unit = nil
				}
			}
		}
	}
	return err
}

// compareAgain compares units of one earlier file with what they became in others.
func (k *comparison) compareAgain(ctx context.Context, pairs []*pair) error {
	slices.SortStableFunc(pairs, func(x, y *pair) int { return cmp.Compare(x.after.file.path, y.after.file.path) })
	var was, is *file
	for _, p := range pairs {
		for side, t := range []*trace{p.before, p.after} {
			f := []**file{&was, &is}[side]
			if t.unit != nil {
				continue
			}
			if *f == nil || (*f).Path != t.file.path {
				var err error
				if *f, err = k.open(ctx, t.file.path, t.file.side); err != nil || *f == nil {
					return err
				}
			}
			t.unit = (*f).units[t.place]
		}
		k.compareUnits(p)
		p.before.unit, p.after.unit = nil, nil
	}
	return nil
}
