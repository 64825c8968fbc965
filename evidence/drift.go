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
	State State `json:"state"`
	// Path, Line and EndLine are its place now, or the cited one if it is gone. The lines are 0 for a whole file.
	Path    string `json:"path"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	// Reason says what changed; "" if nothing did.
	Reason string `json:"reason"`
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

	// older are files of then, the last earlier snapshot: claims of one commit come together.
	newer, older sources
	then         *Judge
}

// Follow returns what became of a place that was verified in the snapshot of then. The error is set only if a reader
// failed or ctx ended.
func (f *Follower) Follow(ctx context.Context, then *Judge, c Claim) (Trace, error) {
	if f.then != then {
		f.then, f.older = then, sources{}
	}
	f.newer.call, f.older.call = f.Judge.call(ctx), then.call(ctx)
	f.older.Reads = f.newer.Reads
	t := f.follow(c)
	if err := f.newer.Err; err != nil {
		return Trace{}, fmt.Errorf("evidence '%s' could not be followed: %w", canonical(c.Evidence), err)
	}
	return t, nil
}

func (f *Follower) follow(c Claim) Trace {
	e := c.Evidence
	switch {
	case e.Err != "" || e.Path == "" || e.Start < 0 || e.End < e.Start:
		return traceOf(StateUnclear, e, "it is malformed")
	case e.IsRemoved:
		return f.followRemoval(e)
	case e.Start == 0:
		return f.followPath(e)
	}
	return f.followLines(c)
}

// traceOf returns a trace with the cited place, for one without a new place.
func traceOf(s State, e parser.Evidence, why string) Trace {
	return Trace{State: s, Path: e.Path, Line: e.Start, EndLine: e.End, Reason: why}
}

func (f *Follower) followLines(c Claim) Trace {
	e := c.Evidence
	old := f.older.parsed(e.Path)
	switch {
	case old == nil:
		return traceOf(StateUnclear, e, "the file that it was verified in is not there")
	case old.whyUnreadable != "":
		return traceOf(StateUnclear, e, old.whyUnreadable)
	}
	p := old.place(c)
	p.followSymbol()
	if p.last > old.text.count() {
		return traceOf(StateUnclear, e, "the file that it was verified in has no such lines")
	}
	now := f.counterpart(old.Path)
	if now != nil && now.whyUnreadable != "" {
		return Trace{State: StateUnclear, Path: now.Path, Reason: now.whyUnreadable}
	}
	s := &tracer{Follower: f, claim: c, lineRange: lineRange{p.first, p.last}, old: old, now: now}
	return s.run()
}

func (f *Follower) counterpart(path string) *source {
	s := f.newer.parsed(path)
	if s == nil {
		if to := f.renamed(path); to != "" {
			s = f.newer.parsed(to)
		}
	}
	return s
}

// renamed is the later path of a missing file, "" if unknown.
func (f *Follower) renamed(path string) string {
	if f.Trail == nil {
		return ""
	}
	return ReadOf(f.newer.Reads, func() (string, error) { return f.Trail.Renamed(f.newer.Ctx, path) })
}

func (f *Follower) followPath(e parser.Evidence) Trace {
	then := f.older.Stat(&f.older.Tree, e.Path)
	if then.Kind == Missing {
		return traceOf(StateUnclear, e, "the path that it was verified at is not there")
	}
	at, now := traceOf(StateHolds, e, ""), f.newer.Stat(&f.newer.Tree, e.Path)
	if now.Kind == Missing || now.Kind == Folder {
		to := f.renamed(e.Path)
		if to == "" {
			return traceOf(StateGone, e, "nothing stands at "+e.Path+" any more")
		}
		now = f.newer.Stat(&f.newer.Tree, to)
		at = Trace{State: StateMoved, Path: to, Reason: "the file was renamed from " + e.Path}
	}
	if now.Kind != then.Kind || now.ID != then.ID {
		at.State, at.Reason = StateEdited, "its content has changed"
	}
	return at
}

// followRemoval follows a removal of a file or of lines: it holds as long as they stay away. Lines are back if the file
// has them in sequence, and had not when the removal was verified.
func (f *Follower) followRemoval(e parser.Evidence) Trace {
	holds := Trace{State: StateHolds, Path: e.Path}
	now := f.counterpart(e.Path)
	if now == nil || f.older.Base == nil {
		return holds
	}
	earlier := *f.older.call
	earlier.Judge = Judge{Tree: *f.older.Base, Limits: f.older.Limits}
	before := sources{call: &earlier}
	had, verified := before.source(e.Path), f.older.source(e.Path)
	switch {
	case e.Start == 0 && had != nil && had.ID == now.ID:
		return traceOf(StateGone, e, "what was removed is back")
	case e.Start == 0:
		return traceOf(StateEdited, e, "something else stands there now")
	case now.whyUnreadable != "":
		return traceOf(StateUnclear, e, now.whyUnreadable)
	case had == nil || e.End > had.text.count():
		return holds
	}
	block := had.text.lines(e.Start, e.End)
	hasWord := func(l leaf) bool { return hasWordIn(had.text.bytes[l.start:l.end]) } // brackets alone are everywhere
	if found := occurrences(now, block); len(found) > 0 && slices.ContainsFunc(block, hasWord) &&
		len(occurrences(verified, block)) == 0 {
		return Trace{State: StateGone, Path: now.Path, Line: found[0].first, EndLine: found[0].last,
			Reason: "the lines that were removed are back"}
	}
	return holds
}
