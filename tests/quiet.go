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
	if k.Brief && len(uncollected) == 0 && !slices.ContainsFunc(k.Paths, IsSnapshot) {
		partly := !slices.ContainsFunc(names, isFixtures)
		if len(k.Of) == 0 { // what is asked for again is there as a rule
			if done, err := k.byNoise(ctx, names, partly); done || err != nil {
				return err
			}
		}
		if partly {
			if done, err := k.part(ctx, names, true, (*comparison).isEnough); done || err != nil {
				return err
			}
		}
	}
	if err := k.read(ctx, names, uncollected, false); err != nil {
		return err
	}
	k.compare()
	k.leaveUnasked()
	return nil
}

// byNoise compares the files that may ask less alone; done is false where that is not enough.
func (k *comparison) byNoise(ctx context.Context, names []string, partly bool) (done bool, err error) {
	noisy, gone, err := k.noisy(ctx, names)
	switch {
	case err != nil || len(noisy) == 0:
		return true, err
	case gone || len(noisy) == len(names):
		return false, nil
	}
	return k.part(ctx, noisy, partly, (*comparison).findsNothing)
}

// part compares some of the files, or parts of them; done is false where what is found is not enough.
func (k *comparison) part(
	ctx context.Context, names []string, partly bool, enough func(*comparison) bool,
) (done bool, err error) {
	parts, counted := comparison{Change: k.Change, account: k.account}, *k.account
	if err := parts.read(ctx, names, nil, partly); err != nil {
		return false, err
	}
	parts.compare()
	parts.leaveUnasked()
	if done = enough(&parts); done {
		*k = parts
	} else {
		*k.account = counted
	}
	return done, nil
}

// findsNothing reports whether nothing may be weaker, and nothing is gone that may stand in a file that was not read.
func (k *comparison) findsNothing() bool {
	return len(k.pending) == 0 &&
		!slices.ContainsFunc(k.pairs, func(p pair) bool { return p.before != nil && p.after == nil })
}

// isEnough reports whether nothing that makes or excuses a weakening may stand in what was not read.
func (k *comparison) isEnough() bool { return !slices.ContainsFunc(k.pending, k.needsAll) }

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

// narrowed are the two sides of a file as far as they have to be read to see what asks for less; known is false where
// that is no less than all, or where what concerns all tests of the file differs.
func (k *comparison) narrowed(ctx context.Context, name string) (sides [2]*file, known bool, err error) {
	before, after, err := k.sides(ctx, name)
	if err != nil || before == nil || after == nil || hidesOthers(name, before, after) {
		return sides, false, err
	}
	left := evidence.Narrow(name, before, after)
	if left == nil {
		return sides, false, nil
	}
	for side, text := range [][]byte{left.Before, left.After} {
		o, err := evidence.OutlineOf(ctx, name, text)
		if err != nil || o == nil || o.Tree.Root().HasError() {
			return sides, false, err
		}
		sides[side] = fileOf(o, nil)
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
	case p.After.Path == "":
		return k.mayHaveTwin(b)
	}
	// A function of the file that asserts, and that the test calls, may be one of another file now.
	return len(k.files) > 1 && a != nil && slices.ContainsFunc(b.file.units, func(u *unit) bool {
		return b.file.asserting[u.name] == u && a.names[u.name]
	})
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
