package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Source is a file: its path, by which its language is judged, and its bytes.
type Source struct {
	Path  string
	Bytes []byte
}

// AddedStubs returns the stubs of a file that an earlier version of it does not
// have, the exempt ones included, in file order. The earlier version has a stub
// where a definition of the same symbol has no substance there, whatever else
// about it changed; a stub that was complete though empty and is not now is added.
// Where several definitions have one symbol, those of the same text are the same.
// Before may be of another language, or of none that is known. The cache, which may be
// nil, spares telling parts of a version twice. Errors are those of Stubs for after, and
// what says why before could not be read.
func AddedStubs(ctx context.Context, c *Cache, before, after Source) ([]Stub, error) {
	if none, err := addsNone(ctx, c, before, after); none || err != nil {
		return nil, err
	}
	return wholeAdded(ctx, c, before, after)
}

// wholeAdded is AddedStubs by a parse of both versions as a whole.
func wholeAdded(ctx context.Context, c *Cache, before, after Source) ([]Stub, error) {
	found, m, err := stubsOf(ctx, c, after, false)
	if err != nil {
		return nil, err
	}
	return m.addedTo(ctx, c, found, before)
}

// addedTo is what of some stubs of a model an earlier version does not have.
func (m *model) addedTo(ctx context.Context, c *Cache, found []*definition, before Source) ([]Stub, error) {
	if len(found) == 0 {
		return nil, nil
	}
	old, was, err := stubsOf(ctx, c, before, true)
	if err != nil && !errors.Is(err, ErrNoLanguage) {
		return nil, fmt.Errorf("before the change: %w", err)
	}
	had := make([]bool, len(found))
	for _, sameText := range []bool{true, false} {
		for i, d := range found {
			if had[i] {
				continue
			}
			at := slices.IndexFunc(old, func(o *definition) bool {
				return o.symbol == d.symbol && (d.status == exempt || o.status != exempt) &&
					(!sameText || was.textOf(o) == m.textOf(d))
			})
			if had[i] = at >= 0; had[i] {
				old = slices.Delete(old, at, at+1)
			}
		}
	}
	var added []Stub
	for i, d := range found {
		if !had[i] {
			added = append(added, m.stubOf(d))
		}
	}
	return added, nil
}

// textOf returns the text of a definition, without decorators and modifiers.
func (m *model) textOf(d *definition) string { return m.of(stretch{d.start, d.last}) }

// addsNone reports whether what Narrow leaves of the two versions shows that no stub was added. They are then not
// parsed whole.
func addsNone(ctx context.Context, c *Cache, before, after Source) (bool, error) {
	if before.Path != after.Path {
		return false, nil
	}
	n := narrow(c, after.Path, before.Bytes, after.Bytes, ofStubs)
	if n == nil {
		return false, nil
	}
	if n.addsNone(ctx, after.Path) {
		return true, nil
	}
	left := n.narrowed()
	if left == nil {
		return false, ctx.Err()
	}
	if !left.mayAdd(grammarOf(after.Path)) {
		return true, nil
	}
	found, m, err := stubsOf(ctx, nil, Source{after.Path, left.After}, true)
	if err != nil || m != nil && (!left.isRead(m) || m.holdsVague(left.come)) {
		return false, ctx.Err()
	}
	if len(found) == 0 {
		return true, nil
	}
	added, err := m.addedTo(ctx, nil, m.stubs(false), Source{before.Path, left.Before})
	return err == nil && len(added) == 0, ctx.Err()
}
