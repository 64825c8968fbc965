package evidence

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// header is what the nodes before a definition's body say.
type header struct {
	// words are modifiers and key words, and what of language.Facts a header tells.
	words []string
	// bases are the names of its bases; takes those of the types of its parameters, or their own where they have none.
	bases, takes []string
}

// inheritance are the kinds of nodes that name what a type is derived from.
var inheritance = strings.Fields(`superclass super_interfaces extends_interfaces permits interfaces base_list
	base_clause class_interface_clause class_heritage extends_clause argument_list delegation_specifier
	delegation_specifiers inheritance_specifier type_inheritance_clause derives_clause base_class_clause`)

// initialising are the kinds of nodes by which the header of a constructor does the work.
var initialising = strings.Fields("field_initializer_list constructor_initializer constructor_delegation_call")

// headerOf reads the header of a definition. body is where it ends, the zero stretch for one without.
func headerOf(n *syntax.Node, body stretch, src []byte) (h header) {
	for _, kind := range []string{"constructor", "destructor", "accessor"} {
		h.note(kind, strings.Contains(n.Type(), kind))
	}
	for c := range n.Children() {
		if body != (stretch{}) && c.Start() >= body.start {
			break
		}
		kind := c.Type()
		switch {
		case c.IsField("receiver"):
		case c.IsField("result"), c.IsField("return_type"):
			h.note("result", true)
		case kind == ".":
			h.note("extension", true)
		case !c.IsNamed(), isModifier(c, src):
			h.addWords(c, src)
		case c.IsField("trait"), slices.Contains(inheritance, kind):
			h.bases = append(h.bases, namesIn(c.Content(src))...)
		default:
			h.note("initialises", slices.Contains(initialising, kind))
			h.addParameters(c, src)
		}
	}
	return h
}

func (h *header) note(word string, holds bool) {
	if holds {
		h.words = append(h.words, word)
	}
}

// isModifier reports whether a node is a modifier, or a key word that the grammar has a name for.
func isModifier(n *syntax.Node, src []byte) bool {
	kind := n.Type()
	return strings.Contains(kind, "modifier") || kind == "storage_class_specifier" ||
		strings.HasPrefix(kind, "virtual") || n.IsLeaf() && kind == n.Content(src)
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
		h.note("generic", strings.HasPrefix(kind, "type_parameter"))
	case parametrical.MatchString(kind):
		h.parameter(n, src)
	case isModifier(n, src):
		h.addWords(n, src)
	case listing.MatchString(kind):
		for _, c := range n.NamedChildren() {
			switch kind := c.Type(); {
			case strings.HasSuffix(kind, "comment") || kind == "receiver":
			case kind == "identifier" && strings.HasSuffix(n.Type(), "parameters"):
				h.takes = append(h.takes, c.Content(src))
			default:
				h.addParameters(c, src)
			}
		}
	}
}

// parametrical are the kinds of nodes that are one parameter, or several of a type.
var parametrical = language.Lazy(`parameter(_declaration|_with_optional_type)?$`)

// listing are the kinds of nodes that parameters stand in.
var listing = language.Lazy(`(parameters|parameter_list|declarator|_constructor)$`)

// parameter notes the type of a parameter, and what it may be besides.
func (h *header) parameter(n *syntax.Node, src []byte) {
	name := typeOf(n, src)
	if n.Content(src) == "void" {
		return
	}
	h.takes = append(h.takes, name)
	for c := range n.Children() {
		h.note("promotes", slices.Contains(promoting, c.Type()))
	}
}

// promoting are the kinds of nodes by which a parameter declares a property.
var promoting = strings.Fields("accessibility_modifier readonly visibility_modifier override_modifier")

// typeOf returns the name of the type of a parameter, or what is written where none is declared.
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
	return language.TypeName(at.Content(src))
}

// namesIn returns the names in a list of types, without what is generic or qualifies them, and without key words.
func namesIn(types string) []string {
	var names []string
	types = language.Without(language.WithoutArguments(strings.TrimLeft(types, "< ")), '[', ']')
	between := func(r rune) bool { return strings.ContainsRune(" \t\r\n,():=&|", r) }
	for _, name := range strings.FieldsFunc(types, between) {
		switch name {
		case "extends", "implements", "permits", "with", "derives", "public", "protected", "private", "virtual":
		default:
			names = append(names, language.TypeName(name))
		}
	}
	return names
}

// facts are what is asked of a definition to learn whether it is complete though empty. Those that take time are
// found where the language asks for them alone.
func (m *model) facts(d *definition) *language.Facts {
	f := m.headerFacts(d, mostAround)
	body := ""
	switch { // one that holds a stub has no words of its own
	case d.nature != function || d.hollow >= 0:
	case d.body >= 0:
		body = m.of(stretch{d.body, d.bodyEnd})
	default:
		body = m.of(d.value)
	}
	asks := m.grammar.asks
	unwritten := d.own.has(notImplemented) || d.effect.outcome == says
	marked := m.marked(d) || d.effect.outcome == gives && d.reason == PlaceholderReturn
	add := func(word string, holds bool) {
		if holds {
			f.Words = append(f.Words, word)
		}
	}
	bare := d.own&^setOf(bracket, comment) == 0 && d.value == (stretch{}) && d.effect.outcome != gives
	add("empty", bare && d.hollow < 0 && !d.effect.returned)
	add("unwritten", unwritten)
	add("todo", asks["todo"] && toWrite.MatchString(body))
	add("marked", marked)
	add("described", d.own.has(docstring) && d.own&^setOf(docstring, bracket, comment) == 0 && d.hollow < 0)
	add("unit", body == "Unit" || body == "()")
	add("endless", d.effect.endless)
	add("nameless", d.effect.nameless)
	add("idle", d.nature == function && !unwritten && !marked && !slices.Contains(f.Words, "constructor"))
	add("teardown", language.IsTeardown(d.name))
	member := d.nature == function && m.isMember(d)
	add("delegated", unwritten && member && language.LeftToSubclasses(body, m.definitions[d.parent].name))
	add("streams", asks["streams"] && member && m.isOfStream(d))
	add("deliberate", asks["deliberate"] && language.IsDeliberate(body))
	before := m.text.bytes[:d.outer]
	add("documented", asks["documented"] && language.DocumentsNothing(before))
	add("left", asks["left"] && language.LeavesToOthers(body+"\n"+language.LinesAbove(before, "#")))
	add("basic", language.IsAbstractName(f.Owner))
	add("extended", asks["extended"] && m.isExtended(f.Owner))
	add("variant", asks["variant"] && language.IsVariant(m.text.bytes, d.outer))
	add("again", asks["again"] && len(m.namesakes(d)) > 1)
	add("hidden", asks["hidden"] && f.Fit([]string{"constructor parameters !nameless"}) && m.isHidden(d))
	if asks["required"] {
		known, requires := m.requires(d)
		add("required", requires)
		add("unknown", !known)
	}
	return f
}

// toWrite is how a body says that its work is to come, whoever may replace it.
var toWrite = language.Lazy(`\b(TODO|FIXME)\b|\btodo!|\?\?\?`)

// mostAround is how many of the definitions around one its facts are asked for.
const mostAround = 3

// headerFacts are those that do not depend on the body, with those of as many definitions around it.
func (m *model) headerFacts(d *definition, around int) *language.Facts {
	f := &language.Facts{Name: d.name, Owner: d.owner, File: path.Base(m.path)}
	f.Folders = strings.Split(path.Dir(m.path), "/")
	for _, decorator := range m.decoratorsOf(d) {
		decorator = strings.TrimLeft(decorator, "@#[ \t")
		written := strings.ReplaceAll(strings.Join(strings.Fields(decorator), ""), "/", ".") // which a glob would stop at
		name, _, _ := strings.Cut(decorator, "(")
		name = name[strings.LastIndexAny(strings.TrimSpace(name), ".\\: ")+1:]
		f.Decorators = append(f.Decorators, name, written)
	}
	if d.parent >= 0 {
		parent := &m.definitions[d.parent]
		if around > 0 {
			f.In = m.headerFacts(parent, around-1)
		}
		if f.Owner == "" && parent.nature == class {
			f.Owner = parent.name
		}
	}
	add := func(word string, holds bool) {
		if holds {
			f.Words = append(f.Words, word)
		}
	}
	f.Words, f.Bases, f.Takes = slices.Clone(d.header.words), d.header.bases, d.header.takes
	if f.In != nil && f.Has("accessor") {
		f.Words, f.Owner, f.In = append(f.Words, f.In.Words...), f.In.Owner, f.In.In
	}
	if m.grammar.asks["header"] {
		before, _, _ := strings.Cut(m.headerText(d), "//")
		f.Header = strings.FieldsFunc(strings.ToLower(before), func(r rune) bool { return !isNameRune(r) })
	}
	add("type", d.nature == class)
	add("function", d.nature == function)
	named := f.Owner == d.name || d.parent >= 0 && m.definitions[d.parent].name == d.name
	add("constructor", named && m.grammar.Constructs && d.nature == function)
	first, _ := utf8.DecodeRuneInString(d.name)
	add("exported", unicode.IsUpper(first))
	add("parameters", len(f.Takes) > 0)
	add("single", len(f.Takes) == 1)
	add("bases", len(f.Bases) > 0)
	add("decorated", len(f.Decorators) > 0)
	add("owned", d.owner != "")
	add("inner", d.parent >= 0)
	add("titled", d.title)
	add("double", language.StandsIn(d.name[strings.LastIndexByte(d.name, '.')+1:]))
	return f
}

// headerText is the text of a definition before its body, decorators and modifiers included.
func (m *model) headerText(d *definition) string {
	if d.body >= 0 {
		return m.of(stretch{d.outer, d.body})
	}
	return m.of(stretch{d.outer, d.end})
}

// isMember reports whether a definition stands in a class.
func (m *model) isMember(d *definition) bool {
	return d.parent >= 0 && m.definitions[d.parent].nature == class
}

// isExtended reports whether the file derives something from what has this name: class A < Base, A extends Base, or
// Base:extend("A") as Lua has it.
func (m *model) isExtended(base string) bool {
	if m.extended == nil {
		m.extended = map[string]bool{}
		for _, found := range deriving.FindAllString(string(m.text.bytes)) {
			name, call, _ := strings.Cut(found, ":")
			if call == "" || strings.ContainsAny(name, "< ") {
				name = found[strings.LastIndexAny(found, "< \t\n:")+1:]
			}
			m.extended[name] = true
		}
	}
	return m.extended[base]
}

// deriving is how something is derived from another, up to the name of that or beyond it.
var deriving = language.Lazy(`<[ \t:]*\w+|\bextends[ \t:]+\w+|[\w.]+:(extend *\{|(extend|subclass|inherit)\()`)

// isHidden reports whether the label above a member is private or protected; a class begins private.
func (m *model) isHidden(d *definition) bool {
	if !m.isMember(d) {
		return false
	}
	if m.labels == nil {
		m.labels = append([][]int{}, access.FindAllIndex(m.text.bytes)...)
	}
	around := &m.definitions[d.parent]
	after, _ := slices.BinarySearchFunc(m.labels, d.outer, func(label []int, at int) int { return label[0] - at })
	if after == 0 || m.labels[after-1][0] < around.start {
		return slices.Contains(around.header.words, "class")
	}
	return m.text.bytes[m.labels[after-1][0]+len("pu")] != 'b'
}

// access is a label that says who may use the members below it.
var access = language.Lazy(`\b(public|private|protected):`)

// requires reports whether a member stands in the extension of a protocol that is known, and has to have the member.
func (m *model) requires(d *definition) (known, requires bool) {
	at := d.parent
	for at >= 0 && m.definitions[at].nature != class {
		at = m.definitions[at].parent
	}
	if at < 0 {
		return true, false
	}
	for _, i := range m.namesakes(&m.definitions[at]) {
		p := &m.definitions[i]
		if !slices.Contains(p.header.words, "protocol") {
			continue
		}
		text := m.of(stretch{p.start, p.end})
		return true, strings.Contains(text, "func "+d.name) || strings.Contains(text, "var "+d.name) ||
			d.name == "init" || d.name == "get" || d.name == "set"
	}
	return false, false
}
