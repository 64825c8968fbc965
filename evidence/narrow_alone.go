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
	left := n.after.alone(n.more)
	if !n.grammar.MayHold(left) {
		return true
	}
	m, err := analyse(ctx, n.grammar, path, newText(left))
	return err == nil && m.holdsNoStub()
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
// containers of both, one behind the other; more: with what else may hold a function.
func (s *side) alone(more bool) []byte {
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
	var out []byte
	if begin := []byte("<?php"); bytes.HasPrefix(bytes.TrimSpace(s.src), begin) {
		out = append(begin, '\n')
	}
	for _, l := range left {
		out = append(append(out, s.src[l.start:l.end]...), '\n')
	}
	return out
}
