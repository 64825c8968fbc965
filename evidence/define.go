package evidence

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

func (m *model) define(captures []capture) {
	ends, begins := make(map[int]int, len(m.decorators)), make(map[int]int, len(m.decorators))
	for _, d := range m.decorators {
		ends[d.end], begins[d.start] = d.start, d.end
	}
	for _, c := range captures {
		d, ok := m.definitionOf(c)
		if !ok {
			continue
		}
		d.outer = m.outerStart(d.start, ends)
		for end, ok := begins[d.start]; ok; end, ok = begins[d.start] {
			d.start = m.nextToken(end) - 1 // some grammars include decorators
		}
		d.last = m.trimEnd(d.start, d.end)
		m.definitions = append(m.definitions, d)
	}
	slices.SortStableFunc(m.definitions, func(a, b *definition) int { return cmp.Or(a.outer-b.outer, b.end-a.end) })
	m.definitions = slices.CompactFunc(m.definitions, func(a, b *definition) bool {
		return a.start == b.start && a.end == b.end
	})
}

func (m *model) definitionOf(c capture) (*definition, bool) {
	d := &definition{traits: c.traits, start: c.start, end: c.end, body: -1, nameAt: c.name.start, name: m.of(c.name)}
	if d.isSkipped {
		d.ownKinds = setOf(skips)
	}
	if c.receiver != (stretch{}) {
		d.owner = m.grammar.Owner(m.of(c.receiver))
	}
	if d.header == nil {
		d.header = &lang.Facts{}
	}
	d.object = m.of(c.object)
	switch c.kind {
	case "function":
		d.kind = function
	case "class":
		d.kind = class
	case "type", "interface":
		d.kind = other
	case "binding", "binding.class":
		if d.kind = function; c.kind == "binding.class" {
			d.kind = class
		}
		if c.field == "" { // a default export
			d.name, d.nameAt = "default", c.start
		} else if m.of(c.name) != "" {
			d.name = m.grammar.BoundSymbol(c.field, m.of(c.name))
		}
	default:
		return d, false
	}
	switch {
	case c.isExpression:
		d.valueReason, d.value = m.valueStub(c), c.body
	case c.isLocated:
		if d.kind != other && c.body != (stretch{}) {
			d.body, d.bodyEnd = c.body.start, c.body.end
		}
	case c.body != stretch{} && m.text.bytes[c.body.start] == '{': // an expression in the place of a block has substance
		d.body, d.bodyEnd = c.body.start, c.body.end
	}
	return d, d.name != ""
}

// valueStub says why an expression that is the body of a test has no substance.
func (m *model) valueStub(c capture) StubReason {
	if c.kind != "function" || c.body.end-c.body.start > maxMessage {
		return ""
	}
	switch m.grammar.EffectOf(m.of(c.body)) {
	case lang.Vacuous:
		return vacuousTest
	case lang.Skipping:
		return skippedTest
	}
	return ""
}

// toLineEnd extends a stretch by the blanks and comments after it on its line.
func (m *model) toLineEnd(s stretch) stretch {
	for s.end < len(m.kinds) && m.text.bytes[s.end] != '\n' && m.kinds[s.end] <= comment {
		s.end++
	}
	return s
}

func (m *model) outerStart(at int, decorators map[int]int) int {
	for {
		end := m.trimEnd(0, at)
		if begin, ok := decorators[end]; ok {
			at = begin
			continue
		}
		word := end
		for word > 0 && strings.IndexByte(lowercase, m.text.bytes[word-1]) >= 0 {
			word--
		}
		if !slices.Contains(m.grammar.Modifiers, string(m.text.bytes[word:end])) ||
			bytes.IndexByte(m.text.bytes[end:at], '\n') >= 0 {
			return at // a word on its own line is a statement: Ruby's private
		}
		at = word
	}
}

// trimEnd returns the end of the last byte of [start, end) that is neither blank nor comment.
func (m *model) trimEnd(start, end int) int {
	for end > start && m.isSpace(end-1) {
		end--
	}
	return end
}

func (m *model) setParents() {
	var open *definition
	for i, d := range m.definitions {
		for open != nil && open.end < d.end {
			open = open.parent
		}
		d.index, d.parent, d.symbol = i, open, d.name
		if d.owner != "" {
			d.symbol = d.owner + "." + d.name
		}
		outer := open
		for outer != nil && outer.isTitled && !d.isTitled {
			outer = outer.parent
		}
		if outer != nil {
			d.symbol = outer.symbol + "." + d.symbol
		}
		open = d
	}
}
