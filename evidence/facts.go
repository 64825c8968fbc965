package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// header is what the nodes before a definition's body say.
type header struct {
	words        []string // modifiers and key words
	bases, takes []string // the names of its bases, and of the types of its parameters, "" where one has none
	constructor  bool
}

// inheritance are the kinds of nodes that name what a type is derived from.
var inheritance = strings.Fields(`superclass super_interfaces extends_interfaces permits interfaces base_list base_clause
	class_interface_clause class_heritage extends_clause argument_list delegation_specifier delegation_specifiers
	inheritance_specifier type_inheritance_clause derives_clause base_class_clause`)

// headerOf reads the header of a definition. body is where it ends, the zero stretch for one without.
func headerOf(n *syntax.Node, body stretch, src []byte) *header {
	h := &header{constructor: strings.Contains(n.Type(), "constructor")}
	for c := range n.Children() {
		if body != (stretch{}) && c.Start() >= body.start {
			break
		}
		kind := c.Type()
		switch {
		case !c.IsNamed(), strings.Contains(kind, "modifier"), strings.HasSuffix(kind, "_class_specifier"):
			h.addWords(c, src)
		case slices.Contains(inheritance, kind):
			h.bases = append(h.bases, namesIn(c.Content(src))...)
		default:
			h.addParameters(c, src)
		}
	}
	return h
}

// addWords notes the words of a node; those of an annotation among modifiers are none.
func (h *header) addWords(n *syntax.Node, src []byte) {
	if strings.Contains(n.Type(), "annotation") || strings.Contains(n.Type(), "attribute") {
		return
	}
	for c := range n.Children() {
		h.addWords(c, src)
	}
	if word := n.Content(src); n.IsLeaf() && keyword.MatchString(word) {
		h.words = append(h.words, word)
	}
}

var keyword = language.Lazy(`^[a-z_]+$`)

// addParameters notes the types of the parameters in a node, which may hold several, or be one.
func (h *header) addParameters(n *syntax.Node, src []byte) {
	switch kind := n.Type(); {
	case strings.HasPrefix(kind, "type_"):
	case strings.HasSuffix(kind, "parameter"):
		h.takes = append(h.takes, typeOf(n, src))
	case strings.HasSuffix(kind, "parameters"), strings.HasSuffix(kind, "parameter_list"), strings.HasSuffix(kind, "declarator"), strings.HasSuffix(kind, "_constructor"):
		for _, c := range n.NamedChildren() {
			if kind := c.Type(); !strings.HasSuffix(kind, "comment") && kind != "receiver" {
				h.addParameters(c, src)
			}
		}
	}
}

// typeOf returns the name of the type of a parameter, "" where none is declared.
func typeOf(parameter *syntax.Node, src []byte) string {
	at := parameter.Field("type")
	for _, c := range parameter.NamedChildren() {
		if at == nil && strings.HasSuffix(c.Type(), "type") {
			at = c
		}
	}
	if at == nil {
		return ""
	}
	return language.TypeName(at.Content(src))
}

// namesIn returns the names in a list of types, without what is generic or qualifies them, and without key words.
func namesIn(types string) []string {
	var names []string
	types = language.Without(language.WithoutArguments(types), '[', ']')
	for _, name := range strings.FieldsFunc(types, func(r rune) bool { return strings.ContainsRune(" \t\r\n,():=&|", r) }) {
		switch name {
		case "extends", "implements", "permits", "with", "derives", "public", "protected", "private", "virtual":
		default:
			names = append(names, language.TypeName(name))
		}
	}
	return names
}

// facts are what is asked of a definition to learn whether it is complete though empty.
func (m *model) facts(d *definition, of language.Definition) *language.Facts {
	f := m.headerFacts(d)
	idle := d.nature == function && !of.NotImplemented && !of.Marked && !slices.Contains(f.Words, "constructor")
	for _, fact := range []struct {
		word  string
		holds bool
	}{
		{"empty", of.Empty}, {"unwritten", of.NotImplemented}, {"marked", of.Marked}, {"described", of.Described}, {"idle", idle},
		{"teardown", language.IsTeardown(d.name)}, {"delegated", language.LeftToSubclasses(of)},
		{"deliberate", language.IsDeliberate(of.Body)}, {"documented", language.DocumentsNothing(of)},
	} {
		if fact.holds {
			f.Words = append(f.Words, fact.word)
		}
	}
	return f
}

// headerFacts are those that do not depend on the body.
func (m *model) headerFacts(d *definition) *language.Facts {
	f := &language.Facts{Name: d.name, File: path.Base(m.path)}
	for _, decorator := range m.decoratorsOf(d) {
		name, _, _ := strings.Cut(strings.TrimLeft(decorator, "@#[ \t"), "(")
		f.Decorators = append(f.Decorators, name[strings.LastIndexAny(strings.TrimSpace(name), ".\\: ")+1:])
	}
	add := func(word string, holds bool) {
		if holds {
			f.Words = append(f.Words, word)
		}
	}
	if h := d.header; h != nil {
		f.Words, f.Bases, f.Takes = slices.Clone(h.words), h.bases, h.takes
		add("constructor", h.constructor)
	}
	add("type", d.nature == class)
	add("function", d.nature == function)
	add("parameters", len(f.Takes) > 0)
	add("bases", len(f.Bases) > 0)
	add("decorated", len(f.Decorators) > 0)
	add("owned", d.owner != "")
	if d.parent >= 0 {
		f.In = m.headerFacts(&m.definitions[d.parent])
	}
	return f
}
