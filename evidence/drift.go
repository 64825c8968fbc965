package evidence

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
)

// State is what became of a cited place. Greater is worse; the zero value is none.
type State uint8

const (
	StateHolds    State = iota + 1 // the same code stands in the same file, at these or other lines
	StateMoved                     // the same code stands in another file, in another definition, or under another name
	StateEdited                    // the code has changed and still has substance
	StateUnclear                   // it is unknown
	StateGone                      // it is gone
	StateHollowed                  // its definition has become a stub
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

const (
	// minLikeness is the percentage for a definition under another name to be a successor: three of five tokens of each.
	minLikeness = 43
	// maxCandidates bounds how many changed files are searched for code that left its file.
	maxCandidates = 400
	// minLines is the fewest lines by which text is recognised in another file.
	minLines = 3
)

// findSuccessor looks for the successor of a definition: the same symbol in the file, else similar code elsewhere; nil
// if there is none.
func (s *tracer) findSuccessor(d *definition) *successor {
	if s.now != nil {
		if f := s.sameSymbol(d); f != nil {
			return f
		}
	}
	return s.findMoved(d)
}

// sameSymbol returns the definition of the same symbol in the file. Of several (overloads) it is the one with the same
// code, else the only changed one; nil if there is none.
func (s *tracer) sameSymbol(d *definition) *successor {
	unchanged := map[string]bool{}
	for _, o := range s.old.model.sameNamed(d) {
		unchanged[s.old.key(o)] = true
	}
	var changed []*definition
	for _, n := range s.now.model.sameNamed(d) {
		switch key := s.now.key(n); {
		case key == s.old.key(d):
			return &successor{definition: n, source: s.now, isCertain: true, isSame: true}
		case !unchanged[key]:
			changed = append(changed, n)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	// If several remain, the first stands for all, and is uncertain.
	return &successor{definition: changed[0], source: s.now, isCertain: len(changed) == 1}
}

func (m *model) sameNamed(d *definition) []*definition {
	var out []*definition
	for _, n := range m.definitions {
		if n.symbol == d.symbol && n.kind == d.kind && n.isTitled == d.isTitled {
			out = append(out, n)
		}
	}
	return out
}

// findMoved looks for the code of a definition among new ones: under any symbol in the file, under its name in other
// changed files. Without equal code, it is the most similar; nil if there is none.
func (s *tracer) findMoved(d *definition) (near *successor) {
	best := minLikeness - 1
	for before, after := range s.candidates(d.name, (*sources).parsed) {
		oldSymbols := map[string]bool{}
		if before != nil && before.model != nil {
			for _, o := range before.model.definitions {
				oldSymbols[o.symbol] = true
			}
		}
		for _, n := range after.model.definitions {
			if n.kind != d.kind || oldSymbols[n.symbol] || after != s.now && n.name != d.name {
				continue
			}
			if s.newer.readTokens(after); after.tokens == nil {
				return near
			}
			f := &successor{definition: n, source: after}
			if f.isSame = after.key(n) == s.old.key(d); f.isSame {
				return f
			}
			if l := likeness(s.old.innerCode(d), after.innerCode(n)); l > best && n.status == sound {
				near, best = f, l
			}
		}
	}
	return near
}

// candidates are the file itself, before and after, and then the other changed files of the language that contain a
// text, as read does; there is none before for a new file.
func (s *tracer) candidates(text string, read func(*sources, string) *source) iter.Seq2[*source, *source] {
	return func(yield func(before, after *source) bool) {
		if s.now != nil && s.now.model != nil && !yield(s.old, s.now) || s.Trail == nil {
			return
		}
		count := 0
		for _, path := range s.newer.changed(s.Trail) {
			if path == s.old.Path || s.now != nil && path == s.now.Path || grammarOf(path) != grammarOf(s.old.Path) ||
				grammarOf(path) == nil && ending(path) != ending(s.old.Path) {
				continue
			}
			if count++; count > maxCandidates {
				s.isCut = true
				return
			}
			if source := s.newer.source(path); source == nil || !bytes.Contains(source.text.bytes, []byte(text)) {
				continue
			}
			before, after := read(&s.older, path), read(&s.newer, path)
			isKnown := s.newer.Err == nil && after.whyUnreadable == "" && (before == nil || before.whyUnreadable == "")
			if isKnown && !yield(before, after) {
				return
			}
		}
	}
}

// lines returns existing lines from first to last as tokens, without blank lines and white space.
func (t text) lines(first, last int) (out []leaf) {
	for at := max(first, 1); at <= min(last, t.count()); at++ {
		if folded := strings.Join(strings.Fields(t.at(at)), ""); folded != "" {
			out = append(out, leaf{stretch: t.span(at, at), hash: hashOf([]byte(folded))})
		}
	}
	return out
}

// occurrences returns where a block of lines stands in a file in sequence; blank lines do not count.
func occurrences(s *source, block []leaf) []lineRange {
	if s == nil {
		return nil
	}
	return s.linesHolding(s.text.lines(1, s.text.count()), block)
}

// byLines follows lines by their text without white space. tokensDiffer: equal lines have another structure.
func (s *tracer) byLines(tokensDiffer bool) Trace {
	block := s.old.text.lines(s.first, s.last)
	fallback := s.missing("the lines are not in " + s.old.Path + " any more")
	if found := occurrences(s.now, block); len(found) > 0 {
		distance := func(r lineRange) int { return max(r.first-s.first, s.first-r.first) }
		at := slices.MinFunc(found, func(a, b lineRange) int { return distance(a) - distance(b) })
		if tokensDiffer {
			return s.at(StateEdited, at, "the lines have changed")
		}
		return s.unchanged(at)
	}
	if s.now != nil {
		became, isKept, why := s.replacement()
		switch {
		case why != "":
			return s.at(StateUnclear, lineRange{}, why)
		case became != lineRange{}:
			fallback = s.at(StateEdited, became, "the lines have changed")
		}
		if isKept {
			return fallback
		}
	}
	if len(block) < minLines {
		return fallback
	}
	word := strings.Fields(string(s.old.text.bytes[block[0].start:block[0].end]))[0]
	for before, after := range s.candidates(word, (*sources).source) {
		if at := occurrences(after, block); len(at) > 0 && len(occurrences(before, block)) == 0 {
			return Trace{State: StateMoved, Path: after.Path, Line: at[0].first, EndLine: at[0].last,
				Reason: "the lines moved from " + s.old.Path}
		}
	}
	if s.isCut && fallback.State == StateGone {
		return s.missing(fallback.Reason)
	}
	return fallback
}

// replacement compares the two versions of the file, and returns the lines that the cited ones have become; none if
// they were only deleted. kept: one remains. why says why they cannot be compared.
func (s *tracer) replacement() (r lineRange, isKept bool, why string) {
	c, why := s.newer.compare(&s.older.Tree, s.old.Entry, &s.newer.Tree, s.now.Entry)
	if why != "" {
		return r, false, why
	}
	r = lineRange{1, len(c.from)}
	for i, from := range c.from {
		switch {
		case from == 0:
		case int(from) < s.first:
			r.first = i + 2
		case int(from) > s.last:
			r.last = min(r.last, i)
		default:
			isKept = isKept || strings.TrimSpace(s.now.text.at(i+1)) != ""
		}
	}
	if r.first, r.last = s.now.text.trim(r.first, r.last); r.first > r.last {
		return lineRange{}, false, ""
	}
	return r, isKept, ""
}
