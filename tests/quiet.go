package tests

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
)

// quiet reports whether what differs of the changed tests shows that nothing asks for less: then none of the files is
// parsed whole. That it does not know says nothing.
func (k *comparison) quiet(ctx context.Context) (bool, error) {
	uncollected, err := k.uncollected(ctx)
	if err != nil || len(uncollected) > 0 || slices.ContainsFunc(k.Paths, IsSnapshot) {
		return false, err
	}
	names := k.testFiles(nil)
	sides := make([][2]evidence.Entry, len(names))
	stood := false
	for i, name := range names {
		for side, tree := range []*evidence.Tree{k.Before, k.After} {
			if sides[i][side], err = tree.Stat(ctx, name); err != nil {
				return false, err
			}
		}
		stood = stood || sides[i][0].Kind == evidence.File
		if isFixtures(name) { // which hooks asks about
			return false, nil
		}
	}
	if !stood {
		return true, nil // what is new asks no less
	}
	some := false
	read := make([][2]*file, len(names))
	for i, name := range names {
		if sides[i][0].Kind == evidence.File && sides[i][1].Kind == evidence.File {
			var known bool
			if read[i], known, err = k.narrowed(ctx, name, sides[i]); err != nil {
				return false, err
			}
			if some = some || known; known {
				continue
			}
		}
		for side, tree := range []*evidence.Tree{k.Before, k.After} {
			if read[i][side], err = open(ctx, tree, name); err != nil {
				return false, err
			}
		}
	}
	if !some {
		return false, nil
	}
	part := comparison{Change: k.Change, account: &Account{}}
	part.take(names, read, nil)
	for _, f := range part.files {
		if f[0] == nil || f[1] == nil {
			continue
		}
		if text, _, _ := f[1].focusOf(); text != "" || f[0].overall() != f[1].overall() {
			return false, nil // which concerns all tests of the file
		}
	}
	part.compare()
	return len(part.pending) == 0, nil
}

// narrowed are the two sides of a file as far as they have to be read to see whether anything asks for less; known is
// false where that is no less than all.
func (k *comparison) narrowed(
	ctx context.Context, name string, entries [2]evidence.Entry,
) (sides [2]*file, known bool, err error) {
	var src [2][]byte
	for side, tree := range []*evidence.Tree{k.Before, k.After} {
		if size, err := tree.Size(ctx, entries[side]); err != nil || size > maxGate {
			return sides, false, err
		}
		if src[side], err = tree.Read(ctx, entries[side]); err != nil {
			return sides, false, err
		}
	}
	if hides.Match(src[1]) {
		return sides, false, nil
	}
	left := evidence.Narrow(name, src[0], src[1], true)
	if left == nil {
		return sides, false, nil
	}
	for side, text := range [][]byte{left.Before, left.After} {
		o, err := evidence.OutlineOf(ctx, name, text)
		if err != nil || o == nil || o.Tree.Root().HasError() {
			return sides, false, err
		}
		sides[side] = fileOf(o)
	}
	return sides, true, nil
}
