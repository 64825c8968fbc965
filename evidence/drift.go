package evidence

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
)

// State is what became of a cited place. Greater is worse; the zero value is none.
type State uint8

const (
	// StateHolds: the same code stands in the same file, at these or other lines.
	StateHolds State = iota + 1
	// StateMoved: the same code stands in another file, in another definition, or under another name.
	StateMoved
	// StateEdited: the code has changed and still has substance.
	StateEdited
	// StateUnclear: it is unknown.
	StateUnclear
	// StateGone: it is gone.
	StateGone
	// StateHollowed: its definition has become a stub.
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
	// Path, Line and EndLine are its place now, or the cited one if it is gone. The lines are 0 for a whole file.
	Path          string
	Line, EndLine int
	// Reason says what changed; "" if nothing did.
	Reason string
}

// Trail is the change between an earlier snapshot and a later one. Code that left its file is searched in the Changed
// paths.
type Trail interface {
	Change
	// Renamed returns the later path of a missing file, "" if unknown.
	Renamed(ctx context.Context, path string) (string, error)
}

// Follower follows cited places from earlier snapshots to a later one. It is for one goroutine.
//
// A place is followed by its definition, with symbol and tokens, since line numbers change. Text outside definitions,
// prose, data, and files without a grammar are followed by lines.
type Follower struct {
	// Judge judges in the later snapshot.
	Judge *Judge
	// Trail is the change between; nil if unknown.
	Trail Trail

	// older are files of the last earlier snapshot: claims of one commit come together.
	newer, older sources
}

// Follow returns what became of a place that was verified in the snapshot of then. The error is set only if a reader
// failed or ctx ended.
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
		return traceOf(StateUnclear, e, "it is malformed"), nil
	case e.IsRemoved:
		return f.followRemoval(ctx, e)
	case e.Start == 0:
		return f.followPath(ctx, e)
	}
	return f.followLines(ctx, c)
}

// traceOf returns a trace with the cited place, for one without a new place.
func traceOf(s State, e parser.Evidence, why string) Trace {
	return Trace{State: s, Path: e.Path, Line: e.Start, EndLine: e.End, Reason: why}
}

func (f *Follower) followLines(ctx context.Context, c Claim) (Trace, error) {
	e := c.Evidence
	old, err := f.older.parsed(ctx, e.Path)
	switch {
	case err != nil:
		return Trace{}, err
	case old == nil:
		return traceOf(StateUnclear, e, "the file that it was verified in is not there"), nil
	case old.whyUnreadable != "":
		return traceOf(StateUnclear, e, old.whyUnreadable), nil
	}
	p := place{Claim: c, entry: old.Entry, text: old.text, model: old.model, first: e.Start, last: e.End}
	p.followSymbol()
	if p.last > old.text.count() {
		return traceOf(StateUnclear, e, "the file that it was verified in has no such lines"), nil
	}
	now, err := f.counterpart(ctx, old.Path)
	if err != nil {
		return Trace{}, err
	}
	if now != nil && now.whyUnreadable != "" {
		return Trace{State: StateUnclear, Path: now.Path, Reason: now.whyUnreadable}, nil
	}
	s := &tracer{Follower: f, claim: c, first: p.first, last: p.last, old: old, now: now}
	return s.run(ctx)
}

// counterpart is the later file of an earlier path; nil if there is none.
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

// followPath follows a path without lines, by its content.
func (f *Follower) followPath(ctx context.Context, e parser.Evidence) (Trace, error) {
	then, err := f.older.Tree.Stat(ctx, e.Path)
	if err != nil || then.Kind == Missing {
		return traceOf(StateUnclear, e, "the path that it was verified at is not there"), err
	}
	at := traceOf(StateHolds, e, "")
	now, err := f.Judge.Tree.Stat(ctx, e.Path)
	if err == nil && (now.Kind == Missing || now.Kind == Folder) {
		to := ""
		if f.Trail != nil {
			to, err = f.Trail.Renamed(ctx, e.Path)
		}
		if to == "" || err != nil {
			return traceOf(StateGone, e, "nothing stands at "+e.Path+" any more"), err
		}
		now, err = f.Judge.Tree.Stat(ctx, to)
		at = Trace{State: StateMoved, Path: to, Reason: "the file was renamed from " + e.Path}
	}
	if now.Kind != then.Kind || now.ID != then.ID {
		at.State, at.Reason = StateEdited, "its content has changed"
	}
	return at, err
}

// followRemoval follows a removal of a file or of lines: it holds as long as they stay away. Lines are back if the file
// has them in sequence, and had not when the removal was verified.
func (f *Follower) followRemoval(ctx context.Context, e parser.Evidence) (Trace, error) {
	holds := Trace{State: StateHolds, Path: e.Path}
	now, err := f.counterpart(ctx, e.Path)
	if err != nil || now == nil || f.older.Base == nil {
		return holds, err
	}
	before := sources{Judge: &Judge{Tree: *f.older.Base, Limits: f.older.Limits}}
	had, err := before.source(ctx, e.Path)
	if err != nil {
		return holds, err
	}
	verified, err := f.older.source(ctx, e.Path)
	switch {
	case err != nil:
		return holds, err
	case e.Start == 0 && had != nil && had.ID == now.ID:
		return traceOf(StateGone, e, "what was removed is back"), nil
	case e.Start == 0:
		return traceOf(StateEdited, e, "something else stands there now"), nil
	case now.whyUnreadable != "":
		return traceOf(StateUnclear, e, now.whyUnreadable), nil
	case had == nil || e.End > had.text.count():
		return holds, nil
	}
	block := had.text.lines(e.Start, e.End)
	hasWord := func(l leaf) bool { return hasWordIn(had.text.bytes[l.start:l.end]) } // brackets alone are everywhere
	if found := occurrences(now, block); len(found) > 0 && slices.ContainsFunc(block, hasWord) &&
		len(occurrences(verified, block)) == 0 {
		return Trace{State: StateGone, Path: now.Path, Line: found[0].first, EndLine: found[0].last,
			Reason: "the lines that were removed are back"}, nil
	}
	return holds, nil
}
