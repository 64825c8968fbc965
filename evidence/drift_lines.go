package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// line is a line that is not blank, its white space folded.
type line struct {
	text string
	at   int
}

// foldedLines returns the lines from first to last that are not blank.
func foldedLines(t text, first, last int) []line {
	var out []line
	for at := first; at <= last; at++ {
		if folded := strings.Join(strings.Fields(t.at(at)), " "); folded != "" {
			out = append(out, line{folded, at})
		}
	}
	return out
}

// occurrences returns where block stands in all, its lines one after the other,
// without overlap; blank lines do not count.
func occurrences(all, block []line) []lineRange {
	var out []lineRange
	if len(block) == 0 {
		return nil
	}
	next := 0
	for _, at := range indexes(words(all), words(block)) {
		if i := at - 1; i >= next {
			next = i + len(block)
			out = append(out, lineRange{all[i].at, all[next-1].at})
		}
	}
	return out
}

func words(all []line) []string {
	out := make([]string, len(all))
	for i, l := range all {
		out[i] = l.text
	}
	return out
}

// nearestTo returns the range that begins nearest to a line.
func nearestTo(found []lineRange, at int) lineRange {
	return slices.MinFunc(found, func(a, b lineRange) int {
		return max(a.first-at, at-a.first) - max(b.first-at, at-b.first)
	})
}

// minLines is the fewest lines by which text is recognised in a file that it did not stand in.
const minLines = 3

// byLines follows lines by their text, white space folded. differ: their tokens
// are known to differ, so that lines that read the same have another structure.
func (s *tracer) byLines(ctx context.Context, differ bool) (Trace, error) {
	block := foldedLines(s.old.text, s.first, s.last)
	gone := s.gone("the lines are not in " + s.old.Path + " any more")
	if s.now == nil {
		return s.linesElsewhere(ctx, block, gone)
	}
	if found := occurrences(foldedLines(s.now.text, 1, s.now.text.count()), block); len(found) > 0 {
		at := nearestTo(found, s.first)
		if differ {
			return s.at(StateEdited, at.first, at.last, "the lines have changed"), nil
		}
		return s.same(at.first, at.last), nil
	}
	became, kept, ok := s.align()
	edited := s.at(StateEdited, became.first, became.last, "the lines have changed")
	switch {
	case !ok:
		return s.at(StateUnclear, 0, 0, fmt.Sprintf("more than %d lines of the file differ, too many to compare",
			maxDiffLines)), nil
	case became == lineRange{}:
		return s.linesElsewhere(ctx, block, gone)
	case !kept:
		return s.linesElsewhere(ctx, block, edited)
	}
	return edited, nil
}

// linesElsewhere looks for lines in the other changed files; otherwise is the answer where they are not found.
func (s *tracer) linesElsewhere(ctx context.Context, block []line, otherwise Trace) (Trace, error) {
	if len(block) < minLines {
		return otherwise, nil
	}
	at := otherwise
	var there []lineRange
	may := func(is *source) bool {
		there = occurrences(foldedLines(is.text, 1, is.text.count()), block)
		return len(there) > 0
	}
	_, err := s.elsewhere(ctx, strings.Fields(block[0].text)[0], may, func(was, is *source) *found {
		if was != nil && len(occurrences(foldedLines(was.text, 1, was.text.count()), block)) > 0 {
			return nil
		}
		at = Trace{State: StateMoved, Path: is.Path, Line: there[0].first, EndLine: there[0].last,
			Reason: "the lines moved from " + s.old.Path}
		return &found{in: is}
	})
	if s.cut && at.State == StateGone {
		at.State, at.Reason = StateUnclear, at.Reason+", and too many files have changed to look into all"
	}
	return at, err
}

// align compares the two versions of the file line by line, white space folded,
// and returns the lines that those of the claim have become: what was kept of
// them, and what was written in their place. Nothing is left where they were only
// deleted; kept: at least one line is still there. ok is false when too much
// differs to tell.
func (s *tracer) align() (became lineRange, kept, ok bool) {
	was, is := foldText(s.old.text), foldText(s.now.text)
	to, ok := s.paired(was, is)
	if !ok {
		return lineRange{}, false, false
	}
	for at := s.first; at <= s.last; at++ {
		if was.at(at) == "" {
			continue
		}
		w := lineRange{to[at-1], to[at-1]}
		if kept = kept || w.first > 0; w.first == 0 {
			w = replacing(is, to, at)
		}
		if w.first > 0 && (became.first == 0 || w.first < became.first) {
			became.first = w.first
		}
		became.last = max(became.last, w.last)
	}
	return became, kept, true
}

// replacing returns the lines of the new text that stand between those kept above
// and below a line that was deleted; the zero range where all of them are blank.
func replacing(is text, to []int, at int) lineRange {
	w := lineRange{1, is.count()}
	for i := at - 1; i > 0; i-- {
		if to[i-1] > 0 {
			w.first = to[i-1] + 1
			break
		}
	}
	for i := at; i < len(to); i++ {
		if to[i] > 0 {
			w.last = to[i] - 1
			break
		}
	}
	if w.first, w.last = is.trim(w.first, w.last); w.first > w.last {
		return lineRange{}
	}
	return w
}

// foldText is the text with white space folded in every line.
func foldText(t text) text {
	var b strings.Builder
	for at := 1; at <= t.count(); at++ {
		b.WriteString(strings.Join(strings.Fields(t.at(at)), " "))
		b.WriteByte('\n')
	}
	return newText([]byte(b.String()))
}

// paired gives for each line of the earlier text the line of the later that it is, 0 where that lacks it; ok is false
// when too much differs. It compares once however many claims cite the file.
func (s *tracer) paired(was, is text) (to []int, ok bool) {
	if s.pair.old != s.old || s.pair.now != s.now {
		s.pair.old, s.pair.now = s.old, s.now
		c, ok := compareLines(was, is)
		if s.pair.to, s.pair.ok = nil, ok; ok {
			s.pair.to = make([]int, len(c.gone))
			for i, from := range c.from {
				if from > 0 {
					s.pair.to[from-1] = i + 1
				}
			}
		}
	}
	return s.pair.to, s.pair.ok
}
