package evidence

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
)

const (
	// alike is how much of two definitions must be the same for one under another name to be what became of the other:
	// three of five tokens of each.
	alike = 43
	// maxSought bounds how many changed files are read in search of code that left its own.
	maxSought = 400
	// minLines is the fewest lines by which text is recognised in a file that it did not stand in.
	minLines = 3
)

// find looks for what a definition has become: what has its symbol in the file, else what descends from it under
// another. nil when there is none.
func (s *tracer) find(ctx context.Context, d *definition) (*found, error) {
	if s.now != nil {
		if f := s.namesake(d); f != nil {
			return f, nil
		}
	}
	return s.descendant(ctx, d)
}

// namesake returns the definition of the same symbol in the file. Of several (overloads) it is the one with the same
// code, else the one that is left when those are left out that are unchanged. nil when there is none.
func (s *tracer) namesake(d *definition) *found {
	unchanged := map[string]bool{}
	for _, o := range s.old.model.named(d) {
		unchanged[s.old.key(o)] = true
	}
	var left []*definition
	for _, n := range s.now.model.named(d) {
		switch key := s.now.key(n); {
		case key == s.old.key(d):
			return &found{definition: n, in: s.now, certain: true, same: true}
		case !unchanged[key]:
			left = append(left, n)
		}
	}
	if len(left) == 0 {
		return nil
	}
	// Where it cannot be told which of them it is, the first stands for all, and hollows nothing.
	return &found{definition: left[0], in: s.now, certain: len(left) == 1}
}

// named lists the definitions of the symbol and kind of d.
func (m *model) named(d *definition) []*definition {
	var out []*definition
	for i := range m.definitions {
		if n := &m.definitions[i]; n.symbol == d.symbol && n.kind == d.kind && n.title == d.title {
			out = append(out, n)
		}
	}
	return out
}

// descendant looks for the code of a definition among those that are new: in the file under any symbol, in other files
// that changed under the same name. Without the same code, it is the one that is most alike; nil when none is alike.
func (s *tracer) descendant(ctx context.Context, d *definition) (near *found, err error) {
	best := alike - 1
	for v, err := range s.changes(ctx, d.name) {
		if err != nil {
			return nil, err
		}
		known := map[string]bool{}
		for i := 0; v.was != nil && v.was.model != nil && i < len(v.was.model.definitions); i++ {
			known[v.was.model.definitions[i].symbol] = true
		}
		for i := range v.is.model.definitions {
			n := &v.is.model.definitions[i]
			if n.kind != d.kind || known[n.symbol] || v.is != s.now && n.name != d.name {
				continue
			}
			if err := v.is.tokenise(ctx, s.Judge.Cache); err != nil || v.is.why != "" {
				return near, err
			}
			f := &found{definition: n, in: v.is}
			if f.same = v.is.key(n) == s.old.key(d); f.same {
				return f, nil
			}
			if l := likeness(s.old.all(d), v.is.all(n)); l > best && n.status == sound {
				near, best = f, l
			}
		}
	}
	return near, nil
}

// change is a file before and after; was is nil where it is new.
type change struct{ was, is *source }

// changes are the file itself, and then the other changed files of the language that hold a text.
func (s *tracer) changes(ctx context.Context, text string) iter.Seq2[change, error] {
	return func(yield func(change, error) bool) {
		if s.now != nil && s.now.model != nil && !yield(change{s.old, s.now}, nil) || s.Trail == nil {
			return
		}
		paths, err := s.Trail.Changed(ctx)
		if err != nil {
			yield(change{}, err)
		}
		sought := 0
		for _, path := range paths {
			if path == s.old.Path || s.now != nil && path == s.now.Path || grammarOf(path) != grammarOf(s.old.Path) ||
				grammarOf(path) == nil && ending(path) != ending(s.old.Path) {
				continue
			}
			if sought++; sought > maxSought {
				s.cut = true
				return
			}
			c, err := s.change(ctx, path, text)
			if (err != nil || c.is != nil) && !yield(c, err) {
				return
			}
		}
	}
}

// change reads a changed file that holds a text, and that can be read.
func (s *tracer) change(ctx context.Context, path, text string) (c change, err error) {
	is, err := s.newer.source(ctx, path)
	if err != nil || is == nil || !bytes.Contains(is.text.bytes, []byte(text)) {
		return change{}, err
	}
	if c.is, err = s.newer.parsed(ctx, path); err == nil {
		c.was, err = s.older.parsed(ctx, path)
	}
	if err != nil || c.is.why != "" || c.was != nil && c.was.why != "" {
		return change{}, err // what was new in it cannot be told
	}
	return c, nil
}

// lines are the lines from first to last that are there and not blank, as tokens, white space left out.
func (t text) lines(first, last int) (out []leaf) {
	for at := max(first, 1); at <= min(last, t.count()); at++ {
		if folded := strings.Join(strings.Fields(t.at(at)), ""); folded != "" {
			out = append(out, leaf{stretch: t.span(at, at), hash: hashOf([]byte(folded))})
		}
	}
	return out
}

// occurrences returns where lines stand in a file, one after the other; blank lines do not count.
func occurrences(s *source, block []leaf) (out []lineRange) {
	if s == nil {
		return nil
	}
	all := s.text.lines(1, s.text.count())
	for _, i := range places(all, block) {
		out = append(out, lineRange{s.text.line(all[i].start), s.text.line(all[i+len(block)-1].start)})
	}
	return out
}

// byLines follows lines by their text, white space folded. differ: their tokens are known to differ, so that lines that
// read the same have another structure.
func (s *tracer) byLines(ctx context.Context, differ bool) (Trace, error) {
	block := s.old.text.lines(s.first, s.last)
	otherwise := s.gone("the lines are not in " + s.old.Path + " any more")
	if found := occurrences(s.now, block); len(found) > 0 {
		away := func(r lineRange) int { return max(r.first-s.first, s.first-r.first) }
		at := slices.MinFunc(found, func(a, b lineRange) int { return away(a) - away(b) })
		if differ {
			return s.at(StateEdited, at, "the lines have changed"), nil
		}
		return s.same(at), nil
	}
	if s.now != nil {
		became, kept, why, err := s.became(ctx)
		switch {
		case err != nil || why != "":
			return s.at(StateUnclear, lineRange{}, why), err
		case became != lineRange{}:
			otherwise = s.at(StateEdited, became, "the lines have changed")
		}
		if kept {
			return otherwise, nil
		}
	}
	if len(block) < minLines {
		return otherwise, nil
	}
	word := strings.Fields(string(s.old.text.bytes[block[0].start:block[0].end]))[0]
	for c, err := range s.changes(ctx, word) {
		if err != nil {
			return Trace{}, err
		}
		if at := occurrences(c.is, block); len(at) > 0 && len(occurrences(c.was, block)) == 0 {
			return Trace{State: StateMoved, Path: c.is.Path, Line: at[0].first, EndLine: at[0].last,
				Reason: "the lines moved from " + s.old.Path}, nil
		}
	}
	if s.cut && otherwise.State == StateGone {
		return s.gone(otherwise.Reason), nil
	}
	return otherwise, nil
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
