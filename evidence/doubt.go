package evidence

import "slices"

type certainty uint8

const (
	certain   certainty = iota
	nearError           // on a line with a syntax error
	inError             // in a syntax error or beside it: there the grammar may take code for text
)

// markUncertain marks the uncertain bytes of a file. Definitions that were read whole are certain, and so are the
// neighbours of an error that hold a definition or are the body of one.
func (m *model) markUncertain(neighbours []stretch) {
	errors := slices.Concat(m.errors, m.errorNodes)
	if len(errors) == 0 {
		return
	}
	slices.SortFunc(errors, byStart)
	var whole []stretch
	for _, d := range m.definitions {
		if (len(whole) == 0 || d.end > whole[len(whole)-1].end) && m.isReadWhole(d, errors) {
			whole = append(whole, stretch{d.outer, d.end})
		}
	}
	for _, s := range neighbours {
		if len(within(whole, stretch{s.start + 1, s.end})) == 0 && !m.isBody(s) {
			errors = append(errors, s)
		}
	}
	lines := make([]stretch, len(errors))
	for i, s := range errors {
		lines[i] = m.text.span(m.text.line(s.start), m.text.line(max(s.start, s.end-1)))
		errors[i].start = min(s.start, max(m.trimEnd(0, s.end)-1, 0))
	}
	m.certainties = make([]certainty, len(m.kinds))
	m.markCertainty(lines, nearError)
	m.markCertainty(errors, inError)
	for _, s := range whole {
		clear(m.certainties[s.start:s.end])
	}
}

func (m *model) markCertainty(list []stretch, as certainty) {
	slices.SortFunc(list, byStart)
	at := 0
	for _, s := range list {
		for at = max(at, s.start); at < s.end; at++ {
			m.certainties[at] = as
		}
	}
}

// isReadWhole reports whether no error begins in a definition, or after it on its line. An error that begins with it
// and ends after it encloses it.
func (m *model) isReadWhole(d *definition, errors []stretch) bool {
	return !slices.ContainsFunc(within(errors, stretch{d.start, m.text.span(1, m.text.line(d.end-1)).end}),
		func(e stretch) bool { return e.start > d.start || e.end <= d.end })
}

func (m *model) isBody(s stretch) bool {
	for d := m.lastBefore(s.start); d != nil; d = d.parent {
		if d.start < s.start && s.start <= d.body && d.bodyEnd <= s.end && s.end <= d.end {
			return true
		}
	}
	return false
}

// isOrphan reports whether the surroundings of a definition are unreadable: an error stands between it and its parent,
// or its own form says so.
func (m *model) isOrphan(d *definition) bool {
	if len(m.errors) > 0 && m.headerFacts(d, 1).MatchAny(m.grammar.Orphans) {
		return true
	}
	outer := stretch{0, len(m.kinds)}
	if d.parent != nil {
		outer = stretch{d.parent.start, d.parent.end}
	}
	return slices.ContainsFunc(m.errorNodes, func(b stretch) bool {
		return b.start <= d.start && d.end <= b.end && outer.start <= b.start && b.end <= outer.end
	})
}

// isBroken reports whether a syntax error touches a definition or its adjacent bytes. A grammar of indented lines reads
// a missing body without an error; in a file with errors, the body may have been lost.
func (m *model) isBroken(d *definition) bool {
	if d.body > 0 && m.text.bytes[d.body-1] == ':' && len(m.errors) > 0 && d.ownKinds&^setOf(comment) == 0 &&
		d.hollow == nil {
		return true
	}
	if d.parent != nil {
		// A header that holds a definition and an error is not really one.
		if header := (stretch{d.parent.outer, d.parent.body}); d.outer < header.end &&
			m.errorTouches(header) {
			return true
		}
	}
	edges := stretch{max(m.trimEnd(0, d.outer)-1, 0), m.nextToken(d.end)}
	return m.errorTouches(stretch{d.outer, d.end}) || len(m.overlapping(m.errors, edges)) > 0 ||
		len(m.overlapping(m.errorNodes, edges)) > 0
}

// nextToken returns the end of the first byte from at on that is neither blank nor comment.
func (m *model) nextToken(at int) int {
	for at < len(m.kinds) && m.isSpace(at) {
		at++
	}
	return min(at+1, len(m.kinds))
}

// errorTouches reports whether a stretch holds a byte in or beside a syntax error.
func (m *model) errorTouches(s stretch) bool {
	for i := s.start; i < s.end && m.certainties != nil; i++ {
		if m.certainties[i] == inError && m.kinds[i]&kindMask != blank {
			return true
		}
	}
	return false
}

// hasCertainCode reports whether a stretch holds real code that is neither in nor beside a syntax error.
func (m *model) hasCertainCode(s stretch) bool {
	for i := s.start; i < s.end; i++ {
		if m.certainties[i] == certain && m.isLoose(stretch{i, i + 1}) {
			return true
		}
	}
	return false
}
