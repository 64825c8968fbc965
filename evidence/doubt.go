package evidence

import "slices"

// doubt says how sure it is what a byte is.
type doubt uint8

const (
	sure   doubt = iota
	near         // on a line with a syntax error
	unread       // in a syntax error or beside it: a grammar that lost its way takes code for text there
)

// noteDoubt notes what of a file is neither something nor nothing. What was read whole is sure: definitions in errors,
// and, beside an error, what holds a definition or is the body of one.
func (m *model) noteDoubt(beside []stretch) {
	errors := slices.Concat(m.errors, m.broken)
	if len(errors) == 0 {
		return
	}
	slices.SortFunc(errors, byStart)
	var whole []stretch
	for i := range m.definitions {
		d := &m.definitions[i]
		if (len(whole) == 0 || d.end > whole[len(whole)-1].end) && m.wasReadWhole(d, errors) {
			whole = append(whole, stretch{d.outer, d.end})
		}
	}
	for _, s := range beside {
		if len(within(whole, stretch{s.start + 1, s.end})) == 0 && !m.isBody(s) {
			errors = append(errors, s)
		}
	}
	lines := make([]stretch, len(errors))
	for i, s := range errors {
		lines[i] = m.text.span(m.text.line(s.start), m.text.line(max(s.start, s.end-1)))
		errors[i].start = min(s.start, max(m.trimEnd(0, s.end)-1, 0))
	}
	m.doubt = make([]doubt, len(m.kinds))
	m.mark(lines, near)
	m.mark(errors, unread)
	for _, s := range whole {
		clear(m.doubt[s.start:s.end])
	}
}

// mark marks stretches, each byte once.
func (m *model) mark(list []stretch, as doubt) {
	slices.SortFunc(list, byStart)
	at := 0
	for _, s := range list {
		for at = max(at, s.start); at < s.end; at++ {
			m.doubt[at] = as
		}
	}
}

// wasReadWhole reports whether no error begins in a definition, or after it on its line. One that begins
// with it, and goes beyond it, is around it.
func (m *model) wasReadWhole(d *definition, errors []stretch) bool {
	return !slices.ContainsFunc(within(errors, stretch{d.start, m.text.span(1, m.text.line(d.end-1)).end}),
		func(e stretch) bool { return e.start > d.start || e.end <= d.end })
}

// isBody reports whether a stretch is the body of a definition, however its brackets count.
func (m *model) isBody(s stretch) bool {
	after, _ := slices.BinarySearchFunc(m.definitions, s.start, func(d definition, at int) int { return d.outer - at })
	for i := after - 1; i >= 0; i = m.definitions[i].parent {
		d := &m.definitions[i]
		if d.start < s.start && s.start <= d.body && d.bodyEnd <= s.end && s.end <= d.end {
			return true
		}
	}
	return false
}

// isOrphan reports whether what is around a definition could not be read: a syntax
// error stands between it and what encloses it, or it says itself that something is missing.
func (m *model) isOrphan(d *definition) bool {
	if len(m.errors) > 0 && m.headerFacts(d, 1).MatchAny(m.grammar.Orphans) {
		return true
	}
	around := stretch{0, len(m.kinds)}
	if d.parent >= 0 {
		around = stretch{m.definitions[d.parent].start, m.definitions[d.parent].end}
	}
	return slices.ContainsFunc(m.broken, func(b stretch) bool {
		return b.start <= d.start && d.end <= b.end && around.start <= b.start && b.end <= around.end
	})
}

// isBroken reports whether a syntax error touches a definition, or the bytes before and after
// it, where a parser may have gone wrong. A grammar of indented lines reads a
// missing body without an error; in a file that has one it may have lost a body that is there.
func (m *model) isBroken(d *definition) bool {
	if d.body > 0 && m.text.bytes[d.body-1] == ':' && len(m.errors) > 0 && d.own&^setOf(comment) == 0 && d.hollow < 0 {
		return true
	}
	if d.parent >= 0 {
		// A header that holds a definition and an error is none, but was painted as one.
		if header := (stretch{m.definitions[d.parent].outer, m.definitions[d.parent].body}); d.outer < header.end &&
			m.errorTouches(header) {
			return true
		}
	}
	edges := stretch{max(m.trimEnd(0, d.outer)-1, 0), m.nextToken(d.end)}
	return m.errorTouches(stretch{d.outer, d.end}) || len(m.overlapping(m.errors, edges)) > 0 ||
		len(m.overlapping(m.broken, edges)) > 0
}

// nextToken returns the end of the first byte after at that is neither blank nor comment.
func (m *model) nextToken(at int) int {
	for at < len(m.kinds) && m.isSpace(at) {
		at++
	}
	return min(at+1, len(m.kinds))
}

// errorTouches reports whether a stretch holds something that stands in a syntax error or beside one.
func (m *model) errorTouches(s stretch) bool {
	for i := s.start; i < s.end && m.doubt != nil; i++ {
		if m.doubt[i] == unread && m.kinds[i]&kindMask != blank {
			return true
		}
	}
	return false
}

// hasRealBeside reports whether real code stands in a span, and neither in a syntax error nor beside one.
func (m *model) hasRealBeside(s stretch) bool {
	for i := s.start; i < s.end; i++ {
		if m.doubt[i] == sure && m.isLoose(stretch{i, i + 1}) {
			return true
		}
	}
	return false
}
