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
	if err := k.compare(ctx); err != nil {
		return err
	}
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
	ctx context.Context, names []string, partly bool, enough func(*comparison, context.Context) (bool, error),
) (done bool, err error) {
	parts, counted := newComparison(k.Change, k.account), *k.account
	if err := parts.read(ctx, names, nil, partly); err != nil {
		return false, err
	}
	if err := parts.compare(ctx); err != nil {
		return false, err
	}
	parts.leaveUnasked()
	if done, err = enough(parts, ctx); err != nil {
		return false, err
	}
	if done {
		*k = *parts
	} else {
		*k.account = counted
	}
	return done, nil
}

// findsNothing reports whether nothing may be weaker, and nothing is gone that may stand in a file that was not read.
func (k *comparison) findsNothing(context.Context) (bool, error) {
	return len(k.pending) == 0 &&
		!slices.ContainsFunc(k.pairs, func(p pair) bool { return p.before != nil && p.after == nil }), nil
}

// isEnough reports whether nothing that makes or excuses a weakening may stand in what was not read.
func (k *comparison) isEnough(ctx context.Context) (bool, error) {
	if slices.ContainsFunc(k.pending, k.needsAll) {
		return false, nil
	}
	twins, err := k.mayHaveTwins(ctx)
	return !twins, err
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

// narrowed are the two sides of a file as far as they have to be read to see what asks for less; known is false where
// that is no less than all, or where what concerns all tests of the file differs.
func (k *comparison) narrowed(ctx context.Context, name string) (sides [2]*file, known bool, err error) {
	before, after, err := k.sides(ctx, name)
	if err != nil || before == nil || after == nil || hidesOthers(name, before, after) {
		return sides, false, err
	}
	left := evidence.Narrow(k.After.Cache, name, before, after)
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

// needsAll reports whether what makes or excuses a weakening may stand in what was not read, whatever that is.
func (k *comparison) needsAll(p pending) bool {
	switch {
	case p.before == nil || p.double != nil || p.Form == "not collected":
		return true
	case p.After.Path == "":
		return false
	}
	// A function of the file that asserts, and that the test calls, may be one of another file now.
	return len(k.files) > 1 && p.helped
}

// mayHaveTwins reports whether what tests that are gone said stands at another place of what was read in parts.
func (k *comparison) mayHaveTwins(ctx context.Context) (bool, error) {
	said := map[*fileTrace][]string{} // by their files
	for _, p := range k.pending {
		if b := p.before; p.After.Path == "" && b.wording != 0 {
			src, err := sourceOf(ctx, k.Before, b.file.path)
			if err != nil {
				return false, err
			}
			said[b.file] = append(said[b.file], flat(string(src[b.body[0]:b.body[1]])))
		}
	}
	for _, r := range k.files {
		f := r.sides[0]
		if len(said) == 0 || f == nil || !f.part {
			continue
		}
		src, err := sourceOf(ctx, k.Before, f.path)
		if err != nil {
			return false, err
		}
		source := flat(string(src))
		for of, texts := range said {
			own := 0
			if of == f {
				own = 1
			}
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Count(source, text) > own }) {
				return true, nil
			}
		}
	}
	return false, nil
}
