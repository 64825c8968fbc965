package evidence

import (
	"context"
	"slices"
	"strings"
)

// lines are the lines from first to last that are there and not blank, as tokens, white space folded.
func (t text) lines(first, last int) (out []leaf) {
	for at := max(first, 1); at <= min(last, t.count()); at++ {
		if folded := strings.Join(strings.Fields(t.at(at)), " "); folded != "" {
			out = append(out, leaf{stretch: t.span(at, at), hash: hashOf([]byte(folded))})
		}
	}
	return out
}

// occurrences returns where lines stand in a text, one after the other, without overlap; blank lines do not count.
func occurrences(t text, block []leaf) (out []lineRange) {
	all, next := t.lines(1, t.count()), 0
	for _, i := range places(all, block) {
		if i >= next {
			next = i + len(block)
			out = append(out, lineRange{t.line(all[i].start), t.line(all[next-1].start)})
		}
	}
	return out
}

// minLines is the fewest lines by which text is recognised in a file that it did not stand in.
const minLines = 3

// byLines follows lines by their text, white space folded. differ: their tokens
// are known to differ, so that lines that read the same have another structure.
func (s *tracer) byLines(ctx context.Context, differ bool) (Trace, error) {
	block := s.old.text.lines(s.first, s.last)
	gone := s.gone("the lines are not in " + s.old.Path + " any more")
	if s.now == nil {
		return s.linesElsewhere(ctx, block, gone)
	}
	if found := occurrences(s.now.text, block); len(found) > 0 {
		away := func(r lineRange) int { return max(r.first-s.first, s.first-r.first) }
		at := slices.MinFunc(found, func(a, b lineRange) int { return away(a) - away(b) })
		if differ {
			return s.at(StateEdited, at, "the lines have changed"), nil
		}
		return s.same(at), nil
	}
	became, kept, why, err := s.became(ctx)
	edited := s.at(StateEdited, became, "the lines have changed")
	switch {
	case err != nil || why != "":
		return s.at(StateUnclear, lineRange{}, why), err
	case became == lineRange{}:
		return s.linesElsewhere(ctx, block, gone)
	case kept:
		return edited, nil
	}
	return s.linesElsewhere(ctx, block, edited)
}

// linesElsewhere looks for lines in the other changed files; otherwise is the answer where they are not found.
func (s *tracer) linesElsewhere(ctx context.Context, block []leaf, otherwise Trace) (Trace, error) {
	if len(block) < minLines {
		return otherwise, nil
	}
	at := otherwise
	word := strings.Fields(string(s.old.text.bytes[block[0].start:block[0].end]))[0]
	_, err := s.elsewhere(ctx, word, func(was, is *source) (*found, error) {
		there := occurrences(is.text, block)
		if len(there) == 0 || was != nil && len(occurrences(was.text, block)) > 0 {
			return nil, nil
		}
		at = Trace{State: StateMoved, Path: is.Path, Line: there[0].first, EndLine: there[0].last,
			Reason: "the lines moved from " + s.old.Path}
		return &found{in: is}, nil
	})
	if s.cut && at.State == StateGone {
		at.State, at.Reason = StateUnclear, at.Reason+", and too many files have changed to look into all"
	}
	return at, err
}

// became compares the two versions of the file line by line, and returns the lines that those of the claim have become:
// what was kept of them, and what was written in their place; none where they were only deleted. kept: one is still
// there. why says that they cannot be compared.
func (s *tracer) became(ctx context.Context) (r lineRange, kept bool, why string, err error) {
	c, why, err := s.Judge.compare(ctx, &s.older.Tree, s.old.Entry, &s.Judge.Tree, s.now.Entry)
	if err != nil || why != "" {
		return r, false, why, err
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
			kept = kept || strings.TrimSpace(s.now.text.at(i+1)) != ""
		}
	}
	if r.first, r.last = s.now.text.trim(r.first, r.last); r.first > r.last {
		return lineRange{}, false, "", nil
	}
	return r, kept, "", nil
}
