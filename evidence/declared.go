package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
)

// declarationReason says why verified lines are not the code that an item asks for: they only declare an interface,
// hold data, or are a test double; "" if they may be.
func (p *place) declarationReason() string {
	item := strings.ToLower(parser.WithoutType(p.Item))
	if p.model == nil || p.Kind == KindTest || fits("declaration words", item) {
		return ""
	}
	base := path.Base(p.entry.Path)
	switch {
	case strings.HasSuffix(base, ".pyi"), strings.HasSuffix(base, ".d.ts"):
		return "a file of declarations has no code, and the item asks for code"
	case slices.Contains([]string{".json", ".toml", ".yaml", ".yml"}, path.Ext(base)) &&
		fits("call with brackets", item):
		return "data is no code, and the item asks for a function"
	}
	span := p.text.span(p.first, p.last)
	switch {
	case p.model.onlyDeclares(span):
		return "it only declares an interface, and the item asks for code that implements it"
	case holdsDoubles(p.entry.Path) && p.model.holdsOnly(span, p.model.isDouble):
		return "it is a test double, and the item asks for the real code"
	}
	return ""
}

func (m *model) onlyDeclares(s stretch) bool {
	return !strings.Contains(strings.ReplaceAll(m.withoutComments(s), "=>", ""), "=") &&
		m.holdsOnly(s, func(d *definition) bool {
			return d.kind != function && d.start >= s.start && fits("interface header", m.headerText(d))
		}) &&
		!slices.ContainsFunc(m.definitions, func(d *definition) bool {
			return d.kind == function && d.body >= 0 && d.status == sound && d.outer < s.end && d.end > s.start
		})
}

// isDouble reports whether a definition, its owner or an enclosing definition is named as a test double.
func (m *model) isDouble(d *definition) bool {
	for o := d; o != nil; o = o.parent {
		if fits("double name", o.name) {
			return true
		}
	}
	return fits("double name", d.owner)
}

// holdsOnly reports whether all code of a stretch belongs to definitions with a property.
func (m *model) holdsOnly(s stretch, is func(*definition) bool) bool {
	end, found := s.start, false
	outside := func(to int) bool {
		return slices.ContainsFunc(m.kinds[end:max(end, to)], func(k kind) bool { return k&kindMask == real })
	}
	for _, d := range m.definitions {
		if d.outer >= s.end || d.end <= end {
			continue
		}
		if !is(d) || outside(min(d.outer, s.end)) {
			return false
		}
		end, found = min(d.end, s.end), true
	}
	return found && !outside(s.end)
}
