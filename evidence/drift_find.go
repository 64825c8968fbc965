package evidence

import (
	"bytes"
	"iter"
	"slices"
	"strings"
)

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
