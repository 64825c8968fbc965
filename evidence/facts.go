package evidence

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var baseKinds = strings.Fields(`superclass super_interfaces extends_interfaces permits interfaces base_list
	base_clause class_interface_clause class_heritage extends_clause argument_list delegation_specifier
	delegation_specifiers inheritance_specifier type_inheritance_clause derives_clause base_class_clause`)

// initialiserKinds are the kinds of nodes in a constructor's header that do its work.
var initialiserKinds = strings.Fields("field_initializer_list constructor_initializer constructor_delegation_call")

// header gathers the facts in the nodes before a body: words, bases, and parameters by type or name.
type header struct{ lang.Facts }

// headerOf reads the header of a definition. It ends at body, if there is one.
func headerOf(n *syntax.Node, body lang.Span, src []byte) *lang.Facts {
	h := header{}
	for _, kind := range []string{"constructor", "destructor", "accessor"} {
		h.Add(kind, strings.Contains(n.Type(), kind))
	}
	h.Add("untyped", n.Field("declarator") != nil && n.Field("type") == nil)
	for c := range n.Children() {
		if body != (lang.Span{}) && c.Start() >= body.Start {
			break
		}
		kind := c.Type()
		switch {
		case c.IsField("receiver"), c.IsField("result"), c.IsField("return_type"):
		case kind == ".":
			h.Add("extension", true)
		case !c.IsNamed(), isModifier(c, src):
			h.addWords(c, src)
		case c.IsField("trait"), slices.Contains(baseKinds, kind):
			h.Bases = append(h.Bases, namesIn(c.Content(src))...)
		default:
			h.Add("initialises", slices.Contains(initialiserKinds, kind))
			h.addParameters(c, src)
		}
	}
	h.Add("result", declaresResult(n, src, body))
	return &h.Facts
}

func isModifier(n *syntax.Node, src []byte) bool {
	kind := n.Type()
	return strings.Contains(kind, "modifier") || kind == "storage_class_specifier" ||
		strings.HasPrefix(kind, "virtual") || n.IsLeaf() && kind == n.Content(src)
}

func (h *header) addWords(n *syntax.Node, src []byte) {
	if strings.Contains(n.Type(), "annotation") || strings.Contains(n.Type(), "attribute") {
		return
	}
	for c := range n.Children() {
		h.addWords(c, src)
	}
	if word := n.Content(src); n.IsLeaf() && strings.Trim(word, lowercase) == "" && word != "" {
		h.Words = append(h.Words, word)
	}
}

const lowercase = "abcdefghijklmnopqrstuvwxyz_"

func (h *header) addParameters(n *syntax.Node, src []byte) {
	switch kind := n.Type(); {
	case strings.HasPrefix(kind, "type_"):
		h.Add("generic", strings.HasPrefix(kind, "type_parameter"))
	case endsWith(kind, parameterEndings):
		h.parameter(n, src)
	case isModifier(n, src):
		h.addWords(n, src)
	case endsWith(kind, listEndings):
		for _, c := range n.NamedChildren() {
			switch kind := c.Type(); {
			case strings.HasSuffix(kind, "comment") || kind == "receiver":
			case kind == "identifier" && strings.HasSuffix(n.Type(), "parameters"):
				h.Parameters = append(h.Parameters, c.Content(src))
			default:
				h.addParameters(c, src)
			}
		}
	}
}

var (
	// parameterEndings end the kinds of nodes that are parameters of one type.
	parameterEndings = []string{"parameter", "parameter_declaration", "parameter_with_optional_type"}
	// listEndings end the kinds of nodes that hold parameters.
	listEndings = []string{"parameters", "parameter_list", "declarator", "_constructor"}
)

func endsWith(kind string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(kind, end) })
}

func (h *header) parameter(n *syntax.Node, src []byte) {
	name := typeOf(n, src)
	if n.Content(src) == "void" {
		return
	}
	h.Parameters = append(h.Parameters, name)
	for c := range n.Children() {
		h.Add("promotes", slices.Contains(propertyKinds, c.Type()))
	}
}

var propertyKinds = strings.Fields("accessibility_modifier readonly visibility_modifier override_modifier")

// typeOf returns the name of a parameter's type, or its text if it declares none.
func typeOf(parameter *syntax.Node, src []byte) string {
	at := parameter.Field("type")
	for _, c := range parameter.NamedChildren() {
		if at == nil && strings.HasSuffix(c.Type(), "type") {
			at = c
		}
	}
	if at == nil {
		return strings.Join(strings.Fields(parameter.Content(src)), " ")
	}
	return lang.TypeName(at.Content(src))
}

// namesIn returns the names in a list of types without type arguments, qualifiers and keywords.
func namesIn(types string) []string {
	var names []string
	types = lang.WithoutBrackets(lang.WithoutArguments(strings.TrimLeft(types, "< ")), '[', ']')
	between := func(r rune) bool { return strings.ContainsRune(" \t\r\n,():=&|", r) }
	for _, name := range strings.FieldsFunc(types, between) {
		switch name {
		case "extends", "implements", "permits", "with", "derives", "public", "protected", "private", "virtual":
		default:
			names = append(names, lang.TypeName(name))
		}
	}
	return names
}

// facts returns the facts that decide whether a definition is complete though empty. Slow facts are computed only if
// the language uses them.
func (m *model) facts(d *definition) *lang.Facts {
	f := m.headerFacts(d, maxOuterFacts)
	body := ""
	switch { // a body that holds a stub has no text of its own
	case d.kind != function || d.hollow != nil:
	case d.body >= 0:
		body = m.of(stretch{d.body, d.bodyEnd})
	default:
		body = m.of(d.value)
	}
	asks := m.grammar.factsUsed
	unwritten := d.ownKinds.has(notImplemented) || d.effect.Outcome == flow.SaysNotDone
	marked := m.hasMarker(d) || d.effect.Outcome == flow.ReturnsConstant && d.reason == placeholderReturn
	bare := d.ownKinds&^setOf(bracket, comment) == 0 && d.value == (stretch{}) && d.effect.Outcome != flow.ReturnsConstant
	f.Add("empty", bare && d.hollow == nil && !d.effect.HasBareReturn)
	f.Add("unwritten", unwritten)
	f.Add("todo", asks["todo"] && fits("todo marker", body))
	f.Add("marked", marked)
	f.Add("described", d.ownKinds.has(docstring) && d.ownKinds&^setOf(docstring, bracket, comment) == 0 && d.hollow == nil)
	f.Add("unit", body == "Unit" || body == "()")
	f.Add("endless", d.effect.LoopsForever)
	f.Add("nameless", d.effect.isNameless)
	f.Add("idle", d.kind == function && !unwritten && !marked && !slices.Contains(f.Words, "constructor"))
	f.Add("teardown", lang.InList("teardown", strings.ToLower(d.name)))
	member := d.kind == function && m.isMember(d)
	f.Add("delegated", unwritten && member && lang.LeftToSubclasses(body, d.name, d.parent.name))
	f.Add("streams", asks["streams"] && member && m.isOfStream(d))
	f.Add("deliberate", asks["deliberate"] && strings.ContainsAny(body, "#/*-\"'") && lang.IsDeliberate(body))
	f.Add("documented", asks["documented"] && lang.DocumentsNothing(m.above(d)))
	f.Add("left", asks["left"] && lang.LeavesToOthers(body+"\n"+m.above(d)))
	f.Add("basic", lang.IsAbstractName(f.Owner))
	f.Add("variant", asks["variant"] && lang.IsVariant(m.text.bytes, d.outer))
	f.Add("again", asks["again"] && len(m.namesakes(d)) > 1)
	f.Add("extended", asks["extended"] && m.isExtended(f.Owner))
	f.Add("declared", asks["declared"] && m.hasDeclaration(d))
	return f
}

// maxOuterFacts is how many enclosing definitions have facts.
const maxOuterFacts = 3

// headerFacts are the facts that do not depend on the body, with those of enclosing definitions.
func (m *model) headerFacts(d *definition, depth int) *lang.Facts {
	f := &lang.Facts{Name: d.name, Owner: d.owner, Object: d.object, File: path.Base(m.path)}
	f.Folders = strings.Split(path.Dir(m.path), "/")
	for _, decorator := range m.decoratorsOf(d) {
		decorator = strings.TrimLeft(decorator, "@#[ \t")
		written := strings.ReplaceAll(strings.Join(strings.Fields(decorator), ""), "/", ".") // a glob does not cross slashes
		name, _, _ := strings.Cut(decorator, "(")
		name = name[strings.LastIndexAny(strings.TrimSpace(name), ".\\: ")+1:]
		f.Decorators = append(f.Decorators, name, written)
	}
	if d.parent != nil {
		parent := d.parent
		if depth > 0 {
			f.Outer = m.headerFacts(parent, depth-1)
		}
		if f.Owner == "" && parent.kind == class {
			f.Owner = parent.name
		}
	}
	f.Words, f.Bases, f.Parameters = slices.Clone(d.header.Words), d.header.Bases, d.header.Parameters
	if f.Outer != nil && f.Has("accessor") {
		f.Words, f.Owner, f.Outer = append(f.Words, f.Outer.Words...), f.Outer.Owner, f.Outer.Outer
	}
	if m.grammar.factsUsed["header"] {
		before, _, _ := strings.Cut(m.headerText(d), "//")
		f.Header = strings.FieldsFunc(strings.ToLower(before), func(r rune) bool { return !lang.IsNameRune(r) })
	}
	f.Add("type", d.kind == class)
	f.Add("function", d.kind == function)
	named := f.Owner == d.name || d.parent != nil && d.parent.name == d.name
	f.Add("constructor", named && d.kind == function && f.Has("untyped"))
	first, _ := utf8.DecodeRuneInString(d.name)
	f.Add("exported", unicode.IsUpper(first))
	f.Add("parameters", len(f.Parameters) > 0)
	f.Add("single", len(f.Parameters) == 1)
	f.Add("bases", len(f.Bases) > 0)
	f.Add("decorated", len(f.Decorators) > 0)
	f.Add("owned", d.owner != "")
	f.Add("inner", d.parent != nil)
	f.Add("titled", d.isTitled)
	f.Add("double", lang.NamesTestDouble(d.name[strings.LastIndexByte(d.name, '.')+1:]))
	return f
}

func (m *model) headerText(d *definition) string {
	if d.body >= 0 {
		return m.of(stretch{d.outer, d.body})
	}
	return m.of(stretch{d.outer, d.end})
}

func (m *model) isMember(d *definition) bool {
	return d.parent != nil && d.parent.kind == class
}

func (m *model) above(d *definition) string {
	var all []string
	for _, c := range m.overlapping(m.comments, stretch{m.trimEnd(0, d.outer), d.outer}) {
		all = append(all, m.of(c))
	}
	return strings.Join(all, "\n")
}

func (m *model) isExtended(base string) bool {
	return bytes.Contains(m.text.bytes, []byte(base+":extend")) ||
		slices.ContainsFunc(m.definitions, func(d *definition) bool {
			return d.name != base && slices.Contains(d.header.Bases, base)
		})
}

// hasDeclaration reports whether another type of the file, such as a protocol, declares the member or its property
// without a body.
func (m *model) hasDeclaration(d *definition) bool {
	if d.parent != nil && slices.Contains(d.header.Words, "accessor") {
		d = d.parent
	}
	return slices.ContainsFunc(m.namesakes(d), func(o *definition) bool {
		return o.body < 0 && o.value == stretch{} && o.parent != nil && o.parent != d.parent
	})
}
