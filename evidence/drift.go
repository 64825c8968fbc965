package evidence

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"

	"github.com/acta-git/acta/evidence/syntax"
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

var stateNames = [...]string{
	StateHolds: "holds", StateMoved: "moved", StateEdited: "edited",
	StateUnclear: "unclear", StateGone: "gone", StateHollowed: "hollowed",
}

// String returns the state as reports write it.
func (s State) String() string {
	if s == 0 || int(s) >= len(stateNames) {
		return fmt.Sprintf("State(%d)", uint8(s))
	}
	return stateNames[s]
}

// MarshalText refuses the zero state: a place without one is a bug.
func (s State) MarshalText() ([]byte, error) {
	if s == 0 || int(s) >= len(stateNames) {
		return nil, fmt.Errorf("evidence: %v is no state", s)
	}
	return []byte(s.String()), nil
}

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

// Follower follows cited places from the snapshots that they were verified in to
// a later one. It is for use by one goroutine.
//
// Lines are no identity: a place is followed by the definition around it, which
// is known by its symbol and by its tokens (comments, white space and what else a
// formatter changes left out). What lies in no definition, prose, data, and files
// without a grammar are followed by their lines.
type Follower struct {
	// Judge judges in the later snapshot.
	Judge *Judge
	// Renamed tells where the file of an earlier path stands in the later
	// snapshot, "" where that is not known; nil knows of no renames. It is asked only
	// about paths that are not there.
	Renamed func(ctx context.Context, path string) (string, error)
	// Changed lists the paths of the later snapshot that differ from the earlier
	// ones: code that left its file is looked for there. nil looks nowhere.
	Changed func(ctx context.Context) ([]string, error)

	seed  maphash.Seed
	newer sourceCache
	// older are files of the snapshot that was followed from last: claims of one commit come together.
	older sourceCache
	then  *Judge
	// pair is the last comparison of two versions of a file; see paired.
	pair struct {
		old, now *source
		to       []int
		ok       bool
	}
}

// sourceCache keeps files of one snapshot, so that they are read once however many claims lead there.
type sourceCache struct{ files kept[string, *source] }

// Follow tells what became of a cited place that was verified in the snapshot of
// then. The error is set only when a reader failed or ctx ended.
func (f *Follower) Follow(ctx context.Context, then *Judge, c Claim) (Trace, error) {
	if f.seed == (maphash.Seed{}) {
		f.seed = maphash.MakeSeed()
	}
	if f.then != then {
		f.then, f.older = then, sourceCache{}
	}
	t, err := f.follow(ctx, then, c)
	if err != nil {
		return Trace{}, fmt.Errorf("evidence '%s' could not be followed: %w", canonical(c.Evidence), err)
	}
	return t, nil
}

func (f *Follower) follow(ctx context.Context, then *Judge, c Claim) (Trace, error) {
	e := c.Evidence
	switch {
	case e.Err != "" || e.Path == "" || e.Start < 0 || e.End < e.Start:
		return untraced(e, "it is malformed"), nil
	case e.Removed && e.Start == 0:
		return f.removedFile(ctx, then, e)
	case e.Removed:
		return f.removedLines(ctx, then, e)
	case e.Start == 0:
		return f.bare(ctx, then, e)
	}
	return f.lines(ctx, c)
}

// untraced is a place whose fate is not known.
func untraced(e parser.Evidence, why string) Trace { return traced(StateUnclear, e, why) }

// traced is a place that stands nowhere in particular: what was cited is all there is to show.
func traced(s State, e parser.Evidence, why string) Trace {
	return Trace{State: s, Path: e.Path, Line: e.Start, EndLine: e.End, Reason: why}
}

// lines follows cited lines.
func (f *Follower) lines(ctx context.Context, c Claim) (Trace, error) {
	e := c.Evidence
	old, err := f.was(ctx, e.Path)
	if err != nil {
		return Trace{}, err
	}
	if old == nil {
		return untraced(e, "the file that it was verified in is not there"), nil
	}
	if err := old.parse(ctx, f.Judge.Cache); err != nil || old.why != "" {
		return untraced(e, old.why), err
	}
	p := place{Claim: c, entry: old.Entry, text: old.text, model: old.model, first: e.Start, last: e.End}
	p.follow()
	if p.last > old.text.count() {
		return untraced(e, "the file that it was verified in has no such lines"), nil
	}
	now, err := f.counterpart(ctx, old.Path)
	if err != nil {
		return Trace{}, err
	}
	if now != nil {
		err = now.parse(ctx, f.Judge.Cache)
	}
	if err != nil {
		return Trace{}, err
	}
	if now != nil && now.why != "" {
		return Trace{State: StateUnclear, Path: now.Path, Reason: now.why}, nil
	}
	s := &tracer{Follower: f, claim: c, first: p.first, last: p.last, old: old, now: now}
	return s.run(ctx)
}

// source is a file of a snapshot, read.
type source struct {
	Entry
	// why says why it cannot be followed, "" when it can.
	why   string
	text  text
	model *model // nil without a grammar, and until it is asked for
	// tokens are those of the model, nil until they are asked for.
	tokens []leaf
}

// source reads what a path leads to; nil where there is no file.
func (j *Judge) source(ctx context.Context, name string) (*source, error) {
	found, err := j.locate(ctx, &j.Tree, name)
	if err != nil {
		return nil, err
	}
	if found.obstacle != "" {
		return &source{Entry: Entry{Path: name}, why: found.obstacle}, nil
	}
	if found.Kind != File {
		return nil, nil
	}
	s := &source{Entry: found.Entry}
	var src []byte
	if src, s.why, err = j.content(ctx, s.Entry); err != nil {
		return nil, err
	}
	if s.why == "" {
		s.text = newText(src)
	}
	return s, nil
}

// parse builds the model of a file that has a grammar.
func (s *source) parse(ctx context.Context, c *Cache) (err error) {
	if g := grammarOf(s.Path); g != nil && s.model == nil && s.why == "" {
		s.model, err = c.model(ctx, g, s.Path, s.ID, s.text)
	}
	return s.unread(err)
}

// tokenise reads the tokens of a file that has a grammar.
func (s *source) tokenise(ctx context.Context, c *Cache, seed maphash.Seed) error {
	if s == nil || s.tokens != nil {
		return nil
	}
	err := s.parse(ctx, c)
	if err != nil || s.model == nil {
		return err
	}
	s.tokens, err = s.model.tokens(ctx, c, s.ID, seed)
	return s.unread(err)
}

// unread takes an error that says why a file cannot be read by its grammar for what it is.
func (s *source) unread(err error) error {
	if content, ok := errors.AsType[syntax.Unreadable](err); ok {
		s.why, err = string(content), nil
	}
	return err
}

// maxSources bounds what a sourceCache holds, in bytes of source.
const maxSources = 32 << 20

// source reads a file of the judge's snapshot.
func (h *sourceCache) source(ctx context.Context, j *Judge, name string) (*source, error) {
	return h.files.get(name, maxSources, func() (*source, int, error) {
		s, err := j.source(ctx, name)
		if s == nil {
			return nil, 0, err
		}
		return s, len(s.text.bytes), err
	})
}

// is reads a file of the later snapshot, was one of the earlier.
func (f *Follower) is(ctx context.Context, name string) (*source, error) {
	return f.newer.source(ctx, f.Judge, name)
}

func (f *Follower) was(ctx context.Context, name string) (*source, error) {
	return f.older.source(ctx, f.then, name)
}

// counterpart is the file of the later snapshot that a path's has become; nil when there is none.
func (f *Follower) counterpart(ctx context.Context, path string) (*source, error) {
	s, err := f.is(ctx, path)
	if s != nil || err != nil || f.Renamed == nil {
		return s, err
	}
	to, err := f.Renamed(ctx, path)
	if to == "" || err != nil {
		return nil, err
	}
	return f.is(ctx, to)
}

// bare follows a path without lines, which is known by its content.
func (f *Follower) bare(ctx context.Context, then *Judge, e parser.Evidence) (Trace, error) {
	was, err := then.Tree.Stat(ctx, e.Path)
	if err != nil {
		return Trace{}, err
	}
	if was.Kind == Missing {
		return untraced(e, "the path that it was verified at is not there"), nil
	}
	is, err := f.Judge.Tree.Stat(ctx, e.Path)
	if err != nil {
		return Trace{}, err
	}
	same := is.Kind == was.Kind && is.ID == was.ID
	switch {
	case same:
		return traced(StateHolds, e, ""), nil
	case is.Kind == was.Kind:
		return traced(StateEdited, e, "its content has changed"), nil
	case is.Kind != Missing && is.Kind != Folder:
		return traced(StateEdited, e, "something of another kind stands there"), nil
	}
	return f.renamedBare(ctx, e, was)
}

// renamedBare looks for what became of a path that is not there any more.
func (f *Follower) renamedBare(ctx context.Context, e parser.Evidence, was Entry) (Trace, error) {
	gone := traced(StateGone, e, "nothing stands at "+e.Path+" any more")
	if f.Renamed == nil {
		return gone, nil
	}
	to, err := f.Renamed(ctx, e.Path)
	if to == "" || err != nil {
		return gone, err
	}
	is, err := f.Judge.Tree.Stat(ctx, to)
	if err != nil || is.Kind != was.Kind {
		return gone, err
	}
	at := Trace{State: StateMoved, Path: to, Reason: "renamed from " + e.Path}
	if is.ID != was.ID {
		at.State, at.Reason = StateEdited, at.Reason+", and its content has changed"
	}
	return at, nil
}

// removedFile follows the claim that a file was removed: it holds as long as the file stays away.
func (f *Follower) removedFile(ctx context.Context, then *Judge, e parser.Evidence) (Trace, error) {
	is, err := f.Judge.Tree.Stat(ctx, e.Path)
	if err != nil {
		return Trace{}, err
	}
	if is.Kind == Missing {
		return Trace{State: StateHolds, Path: e.Path}, nil
	}
	was := Entry{}
	if then.Base != nil {
		if was, err = then.Base.Stat(ctx, e.Path); err != nil {
			return Trace{}, err
		}
	}
	if is.Kind == was.Kind && is.ID == was.ID {
		return Trace{State: StateGone, Path: e.Path, Reason: "what was removed is back"}, nil
	}
	return Trace{State: StateEdited, Path: e.Path, Reason: "something else stands there now"}, nil
}

// removedLines follows the claim that lines were removed. They are back where the
// file holds them, one after the other, more often than it did when that was claimed.
func (f *Follower) removedLines(ctx context.Context, then *Judge, e parser.Evidence) (Trace, error) {
	away := Trace{State: StateHolds, Path: e.Path}
	now, err := f.counterpart(ctx, e.Path)
	if err != nil || now == nil || then.Base == nil {
		return away, err
	}
	before := *then
	before.Tree = *then.Base
	had, err := before.source(ctx, e.Path)
	if err != nil {
		return Trace{}, err
	}
	left, err := f.was(ctx, e.Path)
	if err != nil {
		return Trace{}, err
	}
	for _, s := range []*source{had, left, now} {
		if s != nil && s.why != "" {
			return untraced(e, s.why), nil
		}
	}
	if had == nil || e.End > had.text.count() {
		return away, nil
	}
	block := foldedLines(had.text, e.Start, e.End)
	says := func(l line) bool { return strings.Trim(l.text, "()[]{};, ") != "" } // more than brackets
	if !slices.ContainsFunc(block, says) {
		return away, nil
	}
	kept := 0
	if left != nil {
		kept = len(occurrences(foldedLines(left.text, 1, left.text.count()), block))
	}
	if found := occurrences(foldedLines(now.text, 1, now.text.count()), block); len(found) > kept {
		at := found[0]
		return Trace{State: StateGone, Path: now.Path, Line: at.first, EndLine: at.last,
			Reason: "the lines that were removed are back"}, nil
	}
	return away, nil
}
