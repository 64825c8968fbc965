package evidence

import (
	"bytes"
	"context"
	"slices"

	"github.com/acta-git/acta/evidence/language"
)

// addsNone reports whether what a change makes of a file shows, without the rest of it, that no function got to be a
// stub: none that differs may be one, nor one that its name, or more than functions that differs, may concern. What
// stands around a function makes one of a stub's doing complete or unclear, and none that does something a stub.
func (n *narrowing) addsNone(ctx context.Context, path string) bool {
	if !n.more && !slices.ContainsFunc(n.after.own, func(s stretch) bool {
		return n.grammar.MayHold(n.after.src[s.start:s.end])
	}) {
		return true
	}
	if slices.ContainsFunc(n.after.own, func(s stretch) bool { return n.after.src[s.start] == '{' }) {
		return false // its head stands before it, as it did
	}
	left, at := n.after.alone(n.more)
	if !n.grammar.MayHold(left) {
		return true
	}
	m, err := analyse(ctx, n.grammar, path, newText(left))
	return err == nil && (m.holdsNoStub() || m.isReadBeside(layouts[n.grammar.Name], at))
}

// isReadBeside reports whether none of the functions of some stretches may be a stub, as far as errors tell: each error
// stands in a stretch that is one function, which does something beside it, or in one that can hold none. A macro that
// the grammar does not know is such an error.
func (m *model) isReadBeside(l *layout, at []stretch) bool {
	lacks := func(e stretch) bool { return !macroWords.MatchString(m.of(e)) } // what stands behind may be read otherwise
	if !l.flat || m.holdsVague(nil) || len(m.stubs(true)) > 0 || slices.ContainsFunc(m.errors, lacks) {
		return false
	}
	for _, e := range slices.Concat(m.errors, m.broken) {
		if !slices.ContainsFunc(at, func(s stretch) bool {
			return s.start <= e.start && e.end <= s.end &&
				(!l.mayDefine(m.text.bytes[s.start:s.end]) || m.isOneAround(l, s, e))
		}) {
			return false
		}
	}
	return true
}

// macroWords matches what a macro brings that no grammar knows.
var macroWords = language.Lazy(`^[\w\s*&,]+$`)

// isOneAround reports whether a stretch is one function, read from its head to its end, and an error in it hides no
// other one.
func (m *model) isOneAround(l *layout, s, e stretch) bool {
	own := -1
	for i := range m.definitions {
		if d := &m.definitions[i]; d.start < s.end && d.end > s.start {
			if own >= 0 || d.kind != function || d.start < s.start || d.end > s.end || d.body < 0 {
				return false
			}
			own = i
		}
	}
	if own < 0 || len(bytes.TrimSpace(m.text.bytes[m.definitions[own].end:s.end])) > 0 {
		return false
	}
	from, to := max(e.start, m.definitions[own].body), e.end // whole lines of the body
	if from >= to {
		return true
	}
	if end := bytes.IndexByte(m.text.bytes[to:s.end], '\n'); end >= 0 {
		to += end
	}
	if line := bytes.LastIndexByte(m.text.bytes[:from], '\n') + 1; line > m.definitions[own].body {
		from = line
	}
	return !l.mayBegin(m.text.bytes[from:to])
}

// mayBegin reports whether one of some lines may begin a function or what holds some.
func (l *layout) mayBegin(text []byte) bool {
	for line := range bytes.Lines(text) {
		if row := bytes.TrimSpace(line); l.container.Match(row) || l.function.Match(row) && !block.Match(row) {
			return true
		}
	}
	return false
}

// holdsNoStub reports whether all of a source can be read, and none of its functions may be a stub, whatever else
// stands beside them.
func (m *model) holdsNoStub() bool {
	return len(m.errors) == 0 && len(m.broken) == 0 && !m.holdsVague(nil) && len(m.stubs(true)) == 0
}

// mayDefine reports whether a function may begin in what is none itself. Where a layout does not tell, it may.
func (l *layout) mayDefine(text []byte) bool {
	switch {
	case !l.braced || l.arrows:
		return true
	case l.parens:
		first := bytes.IndexByte(text, ')')
		return first >= 0 && first < bytes.LastIndexByte(text, '{')
	}
	return bytes.IndexByte(text, '{') >= 0 || bytes.Contains(text, []byte("=>")) || bytes.Contains(text, []byte("fun"))
}

// isQuiet reports whether what is no function says nothing of any, and leaves the rest of its file in its place.
func (l *layout) isQuiet(text []byte) bool {
	if l.onlyComments(text) {
		return !l.directives || !conditionals.Match(text)
	}
	return l.tells.IsSet() && !l.tells.Match(text) && bytes.Count(text, []byte("{")) == bytes.Count(text, []byte("}"))
}

// conditionals are the directives that say under which conditions what stands between them is compiled.
var conditionals = language.Lazy(`(?m)^\s*#\s*(if|el|end)`)

// alone is what the other version has not, functions that are named like that, and the first and last lines of the
// containers of both, one behind the other, and where each of them stands; more: with what else may hold a function.
func (s *side) alone(more bool) (alone []byte, at []stretch) {
	left := slices.Clone(s.own)
	add := func(parts []part) {
		for _, p := range parts {
			left = append(left, stretch{p.start, p.end})
		}
	}
	if add(s.taken); more {
		add(s.others)
	}
	for _, f := range s.frames {
		if slices.ContainsFunc(left, func(l stretch) bool { return f.head <= l.start && l.end <= f.tail }) {
			left = append(left, stretch{f.start, f.head}, stretch{f.tail, f.end})
		}
	}
	slices.SortFunc(left, func(x, y stretch) int { return x.start - y.start })
	if begin := []byte("<?php"); bytes.HasPrefix(bytes.TrimSpace(s.src), begin) {
		alone = append(begin, '\n')
	}
	for _, l := range left {
		begin := len(alone)
		alone = append(append(alone, s.src[l.start:l.end]...), '\n')
		at = append(at, stretch{begin, len(alone)})
	}
	return alone, at
}
