package tests

import (
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// Where no counts are asked for, of a file that stood before only what differs is parsed, and what that calls or is
// called by. What is found is all that there is; what excuses it may stand in the rest.

// pendings finds what may be weaker, first from what differs of the files where no counts are asked for.
func (k *comparison) pendings(ctx context.Context) error {
	uncollected, err := k.uncollected(ctx)
	if err != nil {
		return err
	}
	names := k.testFiles(uncollected)
	if k.Brief && len(uncollected) == 0 && !slices.ContainsFunc(k.Paths, IsSnapshot) &&
		!slices.ContainsFunc(names, isFixtures) {
		if stood, err := k.stood(ctx, names); !stood || err != nil {
			return err // what is new asks no less
		}
		parts, counted := comparison{Change: k.Change, account: k.account}, *k.account
		if err := parts.read(ctx, names, nil, true); err != nil {
			return err
		}
		parts.compare()
		if parts.leaveUnasked(); !slices.ContainsFunc(parts.pending, parts.needsAll) {
			*k = parts
			return nil
		}
		*k.account = counted
	}
	if err := k.read(ctx, names, uncollected, false); err != nil {
		return err
	}
	k.compare()
	k.leaveUnasked()
	return nil
}

// leaveUnasked leaves out of what may be weaker what nobody asks for. Of tests that are gone one may take the excuse of
// another: where one is asked for, all are.
func (k *comparison) leaveUnasked() {
	if len(k.Of) == 0 {
		return
	}
	asked := func(p pending) bool {
		return slices.ContainsFunc(k.Of, func(w Weakening) bool { return w.Subject == p.Subject })
	}
	gone := func(p pending) bool { return p.After.Path == "" }
	anyGone := slices.ContainsFunc(k.pending, func(p pending) bool { return gone(p) && asked(p) })
	k.pending = slices.DeleteFunc(k.pending, func(p pending) bool { return !asked(p) && !(anyGone && gone(p)) })
}

// stood reports whether one of the files stands in the earlier tree.
func (k *comparison) stood(ctx context.Context, names []string) (bool, error) {
	for _, name := range names {
		if at, err := k.Before.Stat(ctx, name); err != nil || at.Kind == evidence.File {
			return true, err
		}
	}
	return false, nil
}

// narrowed are the two sides of a file as far as they have to be read to see what asks for less; known is false where
// that is no less than all, or where what concerns all tests of the file differs.
func (k *comparison) narrowed(ctx context.Context, name string) (sides [2]*file, known bool, err error) {
	before, after, err := k.sides(ctx, name)
	if err != nil || before == nil || after == nil || hidesOthers(name, before, after) {
		return sides, false, err
	}
	left := evidence.Narrow(name, before, after, true)
	if left == nil {
		return sides, false, nil
	}
	for side, text := range [][]byte{left.Before, left.After} {
		o, err := evidence.OutlineOf(ctx, name, text)
		if err != nil || o == nil || o.Tree.Root().HasError() {
			return sides, false, err
		}
		sides[side] = fileOf(o)
		sides[side].part = true
	}
	if text, _, _ := sides[1].focusOf(); text != "" || !sides[0].saysAlike(sides[1]) {
		return sides, false, nil
	}
	sides[0].Source, sides[1].Source = before, after
	return sides, true, nil
}

// needsAll reports whether what makes or excuses a weakening may stand in what was not read.
func (k *comparison) needsAll(p pending) bool {
	b, a := p.before, p.after
	switch {
	case b == nil || p.double != nil || p.Form == "not collected":
		return true
	case k.partsOfRust(): // the names of all its tests are left out of its code
		return true
	case p.After.Path == "":
		return k.mayHaveTwin(b)
	}
	// A function of the file that asserts, and that the test calls, may be one of another file now.
	return len(k.files) > 1 && a != nil && slices.ContainsFunc(b.file.units, func(u *unit) bool {
		return b.file.asserting[u.name] == u && a.names[u.name]
	})
}

// partsOfRust reports whether a source of Rust, which holds code and tests, was read in parts.
func (k *comparison) partsOfRust() bool {
	for _, sides := range k.files {
		if f := sides[0]; f != nil && f.part && f.Language == "rust" {
			return true
		}
	}
	return false
}

// mayHaveTwin reports whether what a test that is gone said stands at another place of what was read in parts.
func (k *comparison) mayHaveTwin(b *unit) bool {
	text := b.wording()
	for _, sides := range k.files {
		f := sides[0]
		if f == nil || !f.part || text == "" {
			continue
		}
		if f.flat == "" {
			f.flat = flat(string(f.Source))
		}
		own := 0
		if f == b.file {
			own = 1
		}
		if strings.Count(f.flat, text) > own {
			return true
		}
	}
	return false
}
