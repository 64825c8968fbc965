package evidence

import "bytes"

// headedAt is the widest definition whose header a line is of, decorators included; nil for none. Whoever cites such a
// line alone cites the definition.
func (m *model) headedAt(line int) *definition {
	if !m.grammar.IsCode() {
		return nil
	}
	for i := range m.definitions {
		d := &m.definitions[i]
		from, to := m.linesOf(d)
		if from > line {
			return nil
		}
		if line <= to && line <= m.headerEnd(d) && m.hasToken(line) {
			return d
		}
	}
	return nil
}

// headerEnd is the last line of a definition's header.
func (m *model) headerEnd(d *definition) int {
	named := m.text.line(max(d.start, d.nameAt))
	if d.body < 0 {
		return named
	}
	at := m.text.line(d.body)
	if d.body < len(m.text.bytes) && m.text.bytes[d.body] == '{' &&
		len(bytes.TrimSpace(m.text.bytes[m.text.span(at, at).start:d.body])) > 0 {
		return max(named, at)
	}
	return max(named, at-1)
}

// hasToken reports whether a line holds more than blanks and comments.
func (m *model) hasToken(line int) bool {
	s := m.text.span(line, line)
	return m.trimEnd(s.start, s.end) > s.start
}

// widen lets a single line on a definition's header stand for the definition. What a class holds speaks for itself: its
// header stands for the class only where the unit's change is asked about.
func (p *place) widen() {
	p.changed = lineRange{p.first, p.last}
	if p.model == nil || p.first != p.last || p.last > p.text.count() {
		return
	}
	d := p.model.headedAt(p.first)
	if d == nil {
		return
	}
	p.changed.first, p.changed.last = p.model.linesOf(d)
	if d.kind == function {
		p.first, p.last = p.changed.first, p.changed.last
	}
}
