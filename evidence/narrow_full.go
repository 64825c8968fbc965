package evidence

import (
	"bytes"
	"context"
	"slices"

	"github.com/acta-git/acta/evidence/language"
)

// holdsNone reports whether a file holds no stub, told by a parse of it without the functions that are none for
// certain. It is no where leaving them out saves little.
func holdsNone(ctx context.Context, c *Cache, g *grammar, f Source) bool {
	l := layouts[g.Name]
	if l == nil || len(f.Bytes) < leastNarrowed || l.embeds.IsSet() && l.embeds.Match(f.Bytes) {
		return false
	}
	s := side{src: f.Bytes}
	s.leaveOut(g, c.partsOf(l, f.Bytes))
	left := s.left()
	if filled(left) > filled(f.Bytes)*maxNarrowed/100 {
		return false
	}
	m, err := analyse(ctx, g, f.Path, newText(left))
	return err == nil && m.holdsNoStub()
}

// holdsVague reports whether a function that begins in one of the stretches, nil for anywhere, does nothing, and is
// vague or could not be read, perhaps for the sake of what stands around it, which another version may not have.
func (m *model) holdsVague(among []stretch) bool {
	return slices.ContainsFunc(m.definitions, func(d definition) bool {
		return d.kind == function && m.isUnsure(&d) && (among == nil ||
			slices.ContainsFunc(among, func(s stretch) bool { return d.start >= s.start && d.start < s.end }))
	})
}

// isUnsure reports whether it depends on what stands around a function whether it is a stub.
func (m *model) isUnsure(d *definition) bool {
	return d.status == vague || d.status == doubtful || d.status == exempt && m.isBroken(d)
}

// leaveOut notes the functions of a part that are no stubs for certain.
func (s *side) leaveOut(g *grammar, p *part) {
	if p.isFull(g, s.text(p)) {
		s.full = append(s.full, *p)
		return
	}
	for i := range p.inner {
		s.leaveOut(g, &p.inner[i])
	}
}

// isFull reports whether a function and what stands in it are no stubs, whatever the rest of its file says: a scan is
// sure of it, or it does much, says nowhere that work is left, and has no function in it. A test may do much and ask
// for nothing.
func (p *part) isFull(g *grammar, text []byte) bool {
	switch {
	case p.kind != functionPart:
		return false
	case !g.MayHold(text):
		return true
	}
	l, head := layouts[g.Name], text
	if l.parens { // the header says whether it is a test
		head, _, _ = bytes.Cut(text, []byte("{"))
	}
	return p.code >= leastSubstance && !mayTest.Match(head) && !l.holdsMore(text) && !language.SaysLeft(text)
}

var mayTest = language.Lazy(`[tT]est|TEST|[sS]pec\b|\b(it|describe)\b`)
