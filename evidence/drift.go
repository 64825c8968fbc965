package evidence

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
)

// State says what became of a cited place. A greater one is worse; the zero value is none.
type State uint8

const (
	// StateHolds: the same code stands in the same file, at these or other lines.
	StateHolds State = iota + 1
	// StateMoved: the same code stands in another file, in another definition, or under another name.
	StateMoved
	// StateEdited: the code has changed, and has substance.
	StateEdited
	// StateUnclear: what became of it cannot be known.
	StateUnclear
	// StateGone: it is not there any more.
	StateGone
	// StateHollowed: the definition that held it is a stub now, and was none.
	StateHollowed
)

// String returns the state as reports write it.
func (s State) String() string {
	names := []string{"none", "holds", "moved", "edited", "unclear", "gone", "hollowed"}
	return names[min(int(s), len(names)-1)]
}

// MarshalText writes the state as reports do.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Trace is what became of one cited place.
type Trace struct {
	State State
	// Path, Line and EndLine are where it stands now; where it is gone, what was
	// cited. Both lines are 0 for what has none.
	Path          string
	Line, EndLine int
	// Reason says what changed; "" when nothing did.
	Reason string
}

// Trail is what came between an earlier snapshot and a later one. The paths that Changed lists are looked at for code
// that left its file.
type Trail interface {
	Change
	// Renamed tells where the file of an earlier path stands in the later
	// snapshot, "" where that is not known. It is asked only about paths that are not there.
	Renamed(ctx context.Context, path string) (string, error)
}

// Follower follows cited places from the snapshots that they were verified in to
// a later one. It is for use by one goroutine.
//
// Lines are no identity: a place is followed by the definition around it, which is known by its symbol and by its
// tokens. What lies in no definition, prose, data, and files without a grammar are followed by their lines.
type Follower struct {
	// Judge judges in the later snapshot.
	Judge *Judge
	// Trail is what came between; nil: that is not known.
	Trail Trail

	// older are files of the snapshot that was followed from last: claims of one commit come together.
	newer, older sources
}

// Follow tells what became of a cited place that was verified in the snapshot of
// then. The error is set only when a reader failed or ctx ended.
func (f *Follower) Follow(ctx context.Context, then *Judge, c Claim) (Trace, error) {
	f.newer.Judge = f.Judge
	if f.older.Judge != then {
		f.older = sources{Judge: then}
	}
	t, err := f.follow(ctx, c)
	if err != nil {
		return Trace{}, fmt.Errorf("evidence '%s' could not be followed: %w", canonical(c.Evidence), err)
	}
	return t, nil
}

func (f *Follower) follow(ctx context.Context, c Claim) (Trace, error) {
	e := c.Evidence
	switch {
	case e.Err != "" || e.Path == "" || e.Start < 0 || e.End < e.Start:
		return traced(StateUnclear, e, "it is malformed"), nil
	case e.IsRemoved:
		return f.removed(ctx, e)
	case e.Start == 0:
		return f.bare(ctx, e)
	}
	return f.lines(ctx, c)
}

// traced is a place that stands nowhere in particular: what was cited is all there is to show.
func traced(s State, e parser.Evidence, why string) Trace {
	return Trace{State: s, Path: e.Path, Line: e.Start, EndLine: e.End, Reason: why}
}

// lines follows cited lines.
func (f *Follower) lines(ctx context.Context, c Claim) (Trace, error) {
	e := c.Evidence
	old, err := f.older.parsed(ctx, e.Path)
	switch {
	case err != nil:
		return Trace{}, err
	case old == nil:
		return traced(StateUnclear, e, "the file that it was verified in is not there"), nil
	case old.why != "":
		return traced(StateUnclear, e, old.why), nil
	}
	p := place{Claim: c, entry: old.Entry, text: old.text, model: old.model, first: e.Start, last: e.End}
	p.follow()
	if p.last > old.text.count() {
		return traced(StateUnclear, e, "the file that it was verified in has no such lines"), nil
	}
	now, err := f.counterpart(ctx, old.Path)
	if err != nil {
		return Trace{}, err
	}
	if now != nil && now.why != "" {
		return Trace{State: StateUnclear, Path: now.Path, Reason: now.why}, nil
	}
	s := &tracer{Follower: f, claim: c, first: p.first, last: p.last, old: old, now: now}
	return s.run(ctx)
}

// counterpart is the file of the later snapshot that a path's has become; nil when there is none.
func (f *Follower) counterpart(ctx context.Context, path string) (*source, error) {
	s, err := f.newer.parsed(ctx, path)
	if s != nil || err != nil || f.Trail == nil {
		return s, err
	}
	to, err := f.Trail.Renamed(ctx, path)
	if to == "" || err != nil {
		return nil, err
	}
	return f.newer.parsed(ctx, to)
}

// bare follows a path without lines, which is known by its content.
func (f *Follower) bare(ctx context.Context, e parser.Evidence) (Trace, error) {
	was, err := f.older.Tree.Stat(ctx, e.Path)
	if err != nil || was.Kind == Missing {
		return traced(StateUnclear, e, "the path that it was verified at is not there"), err
	}
	at := traced(StateHolds, e, "")
	is, err := f.Judge.Tree.Stat(ctx, e.Path)
	if err == nil && (is.Kind == Missing || is.Kind == Folder) {
		to := ""
		if f.Trail != nil {
			to, err = f.Trail.Renamed(ctx, e.Path)
		}
		if to == "" || err != nil {
			return traced(StateGone, e, "nothing stands at "+e.Path+" any more"), err
		}
		is, err = f.Judge.Tree.Stat(ctx, to)
		at = Trace{State: StateMoved, Path: to, Reason: "the file was renamed from " + e.Path}
	}
	if is.Kind != was.Kind || is.ID != was.ID {
		at.State, at.Reason = StateEdited, "its content has changed"
	}
	return at, err
}

// removed follows the claim that a file, or lines of one, were removed: it holds as long as they stay away. Lines are
// back where the file holds them, one after the other, and did not when that was claimed.
func (f *Follower) removed(ctx context.Context, e parser.Evidence) (Trace, error) {
	away := Trace{State: StateHolds, Path: e.Path}
	now, err := f.counterpart(ctx, e.Path)
	if err != nil || now == nil || f.older.Base == nil {
		return away, err
	}
	before := sources{Judge: &Judge{Tree: *f.older.Base, Limits: f.older.Limits}}
	had, err := before.source(ctx, e.Path)
	if err != nil {
		return away, err
	}
	left, err := f.older.source(ctx, e.Path)
	switch {
	case err != nil:
		return away, err
	case e.Start == 0 && had != nil && had.ID == now.ID:
		return traced(StateGone, e, "what was removed is back"), nil
	case e.Start == 0:
		return traced(StateEdited, e, "something else stands there now"), nil
	case now.why != "":
		return traced(StateUnclear, e, now.why), nil
	case had == nil || e.End > had.text.count():
		return away, nil
	}
	block := had.text.lines(e.Start, e.End)
	says := func(l leaf) bool { return hasWordIn(had.text.bytes[l.start:l.end]) } // brackets stand everywhere
	if found := occurrences(now, block); len(found) > 0 && slices.ContainsFunc(block, says) &&
		len(occurrences(left, block)) == 0 {
		return Trace{State: StateGone, Path: now.Path, Line: found[0].first, EndLine: found[0].last,
			Reason: "the lines that were removed are back"}, nil
	}
	return away, nil
}
