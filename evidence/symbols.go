package evidence

import (
	"iter"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// linesOf returns the lines of a definition, with decorators and modifiers.
func (m *model) linesOf(d *definition) (first, last int) {
	return m.text.line(d.outer), m.text.line(max(d.start, d.last-1))
}

// outermost are the outermost definitions with a property that overlap a stretch.
func (m *model) outermost(s stretch, is func(*definition) bool) iter.Seq[*definition] {
	return func(yield func(*definition) bool) {
		end := 0
		for _, d := range m.definitions {
			if d.outer >= s.end || d.last <= s.start || d.end <= end || !is(d) {
				continue
			}
			if end = d.end; !yield(d) {
				return
			}
		}
	}
}

func isFunction(d *definition) bool { return d.kind == function }

// findSymbol returns the definitions with exactly this qualified name, else those whose qualified name ends with it.
func (m *model) findSymbol(symbol string) []*definition {
	symbol = plainSymbol(symbol)
	var exact, suffix []*definition
	for _, d := range m.definitions {
		switch {
		case d.isTitled:
		case d.symbol == symbol:
			exact = append(exact, d)
		case strings.HasSuffix("."+d.symbol, "."+strings.TrimPrefix(symbol, ".")):
			suffix = append(suffix, d)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return suffix
}

// plainSymbol writes a method's name as Type.Method.
func plainSymbol(symbol string) string {
	return symbolReplacer.Replace(strings.TrimSuffix(symbol, "()"))
}

var symbolReplacer = strings.NewReplacer("(*", "", ")", "", "(", "", "::", ".", "#", ".")

// chooseDefinition returns the definition of a symbol that overlaps the lines, else the nearest; nil if there is none.
// An unknown qualifier (an object literal, a module) is ignored if the lines agree.
func (m *model) chooseDefinition(symbol string, first, last int) *definition {
	symbol = plainSymbol(symbol)
	best, distance := m.nearest(m.findSymbol(symbol), first, last)
	for _, name := range []string{"." + symbol, symbol[strings.LastIndex(symbol, ".")+1:]} {
		found, far := m.nearest(m.findSymbol(name), first, last)
		if found != nil && far == 0 && (best == nil || distance > 0 && strings.HasPrefix(name, ".")) {
			return found
		}
	}
	return best
}

func (m *model) nearest(candidates []*definition, first, last int) (best *definition, distance int) {
	for _, d := range candidates {
		from, to := m.linesOf(d)
		if far := max(from-last, first-to, 0); best == nil || far < distance {
			best, distance = d, far
		}
	}
	return best, distance
}

// anchor returns the symbol of the innermost definition around the lines, if the symbol is unique; else "". A comment
// directly above a definition belongs to it.
func (m *model) anchor(first, last int) string {
	first, last = m.text.trim(first, last)
	if first > last {
		return ""
	}
	var inner *definition
	for _, d := range m.definitions {
		if from, to := m.linesOf(d); m.commentStart(from) <= first && last <= to {
			inner = d
		}
	}
	if inner == nil || inner.isTitled || !isAnchor(inner.symbol) || len(m.findSymbol(inner.symbol)) != 1 {
		return ""
	}
	return inner.symbol
}

// commentStart returns the first line of the comments directly above a line.
func (m *model) commentStart(line int) int {
	for line > 1 {
		above := m.text.span(line-1, line-1)
		at := m.trimEnd(above.start, above.end)
		if at > above.start || strings.TrimSpace(m.text.at(line-1)) == "" {
			return line
		}
		line--
	}
	return line
}

// isAnchor reports whether a symbol can follow '#' in a report line.
func isAnchor(symbol string) bool {
	isOther := func(r rune) bool { return !lang.IsNameRune(r) && r != '.' }
	return symbol != "" && !strings.ContainsFunc(symbol, isOther)
}
