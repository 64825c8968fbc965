package evidence

import "bytes"

// headerDefinition is the widest definition with a line in its header, decorators included; nil if there is none.
// Citing only such a line cites the definition.
func (m *model) headerDefinition(line int) *definition {
	if !m.grammar.IsCode() {
		return nil
	}
	for _, d := range m.definitions {
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

func (m *model) hasToken(line int) bool {
	s := m.text.span(line, line)
	return m.trimEnd(s.start, s.end) > s.start
}

// widenHeader extends a single line in a function's header to the function. For a class, only the unit's change is
// looked for in all of it.
func (p *place) widenHeader() {
	p.unitLines = lineRange{p.first, p.last}
	if p.model == nil || p.first != p.last || p.last > p.text.count() {
		return
	}
	d := p.model.headerDefinition(p.first)
	if d == nil {
		return
	}
	p.unitLines.first, p.unitLines.last = p.model.linesOf(d)
	if d.kind == function {
		p.first, p.last = p.unitLines.first, p.unitLines.last
	}
}
