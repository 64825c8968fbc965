package evidence

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var selfNames = []string{"self", "this", "cls", "Self", "$this", "static"}

type signature struct {
	facts.Reader
	file     *reader
	fn       *flow.Function
	capture  capture
	isWanted bool
}

func (s *signature) readParameters() {
	n := s.fn.Node
	s.fn.SelfNames = selfNames
	slots := 0 // parameters, with names or without
	if receiver := n.Field("receiver"); receiver != nil {
		names := s.Parameters(receiver)
		s.fn.IsMethod, s.fn.SelfNames = true, append(slices.Clone(selfNames), names...)
		if len(names) == 0 {
			slots++
		}
	}
	for _, list := range s.lists(n, s.capture.Body.Start, s.capture.Name.End, 6) {
		if fits("implicit params", s.Text(list)) {
			continue // filled in by the compiler
		}
		parameters := list.NamedChildren()
		if len(parameters) == 0 || list.Type() == "parameter" {
			parameters = []*syntax.Node{list}
		}
		for _, p := range parameters {
			if bytes.HasSuffix(bytes.TrimRight(s.Src[:p.Start()], " \t\r\n"), []byte("=")) {
				continue // the default value of the parameter before it
			}
			names, text := s.Parameters(p), s.Text(p)
			if len(names) == 0 && list.Type() == "arguments" {
				names = []string{""} // a pattern without a name
			}
			s.fn.Params = append(s.fn.Params, names...)
			if endsWith(p.Type(), parameterEndings) && text != "void" && !strings.HasSuffix(text, "self") &&
				!slices.Contains(names, "this") {
				slots++
			}
		}
	}
	s.fn.Params = slices.DeleteFunc(s.fn.Params, func(p string) bool {
		return slices.Contains(selfNames, strings.Trim(p, "& "))
	})
	unused := paramsBeside(s.fn.Params, s.fn.Header, "unused")
	for _, p := range s.fn.Params {
		if p != "" && !strings.HasPrefix(p, "_") && !slices.Contains(unused, p) {
			s.fn.NamedParams++
		}
	}
	s.fn.HasOnlyNamelessParams = slots > 0 && s.fn.NamedParams == 0
}

// methodHolders are words in the kinds of nodes whose functions are methods.
var methodHolders = strings.Fields("class impl trait struct object interface extension enum")

// lists returns the lists of parameters before a body (f(a)(b) has two), or single parameters. With patterns of calls,
// they follow the name.
func (s *signature) lists(n *syntax.Node, body, name, depth int) (found []*syntax.Node) {
	for c := range n.Children() {
		if kind := c.Type(); c.Start() < body && (c.IsField("parameters") || c.IsField("parameter") || kind == "parameter" ||
			kind == "parameter_list" || strings.HasSuffix(kind, "parameters") && !strings.HasPrefix(kind, "type_") ||
			kind == "arguments" && c.Start()-name < 2 && c.Start() >= name) && !c.IsField("receiver") && !c.IsField("result") {
			found = append(found, c)
		}
	}
	for c := range n.Children() {
		if len(found) == 0 && depth > 0 && c.IsNamed() && c.End() <= body {
			found = s.lists(c, body, name, depth-1)
		}
	}
	return found
}

// namesResult reports whether results have names, so that a bare return returns them.
func namesResult(n *syntax.Node) bool {
	result := n.Field("result")
	return result != nil && result.Type() == "parameter_list"
}

func declaresResult(n *syntax.Node, src []byte, body lang.Span) bool {
	for _, name := range []string{"return_type", "result", "returns", "type"} {
		if f := n.Field(name); f != nil && f.Start() < body.Start {
			return !isVoid(string(src[f.Start():f.End()]))
		}
	}
	header := string(src[n.Start():max(n.Start(), body.Start)])
	if i := strings.LastIndex(header, "->"); i >= 0 {
		return !isVoid(header[i+2:])
	}
	if i := strings.LastIndex(header, "):"); i >= 0 {
		result, _, _ := strings.Cut(header[i+2:], "#") // a comment of Python
		return !isVoid(result)
	}
	return false
}

func isVoid(result string) bool {
	result = strings.Trim(result, " \t\r\n:{=>-(")
	switch strings.TrimSuffix(strings.TrimSpace(result), ")") {
	case "", "void", "def", "None", "Unit", "nil", "Void", "undefined", "never", "Never", "Nothing", "Promise<void>",
		"Task", "ValueTask", "auto", "Any", "any", "unknown", "static", "self", "!":
		return true
	}
	return false
}

// readName reads the names by which a function can be called. A method of a JavaScript object is not called by its
// class.
func (s *signature) readName(d *definition) {
	n := s.fn.Node
	s.fn.Header = string(s.Src[n.Start():max(n.Start(), s.capture.Body.Start)])
	s.fn.IsMethod = d.isMember
	outer := d.parent
	for outer != nil && outer.kind != function && !outer.holdsMethods {
		outer = outer.parent
	}
	if outer != nil && outer.holdsMethods {
		s.addOwner(outer.name)
	}
	s.addOwner(d.object)
	if n.Type() == "method_definition" && !strings.HasPrefix(s.Text(n), "static ") {
		s.fn.Owners = nil
	}
	if d.isTitled || slices.ContainsFunc(n.NamedChildren(), isExplicit) {
		return // it is never called by name
	}
	if inner := n.Field("name"); inner != nil && s.capture.kind == "binding" { // a function expression
		s.fn.InnerName = s.Text(inner)
	}
	s.fn.Name = d.name
	if i := strings.LastIndexAny(d.name, ".:"); i >= 0 {
		s.addOwner(strings.TrimRight(d.name[:i], ".:"))
		s.fn.Name = d.name[i+1:]
	}
	s.addOwner(d.owner)
}

// isExplicit reports whether a member is called only through an interface.
func isExplicit(n *syntax.Node) bool { return n.Type() == "explicit_interface_specifier" }

func (s *signature) addOwner(owner string) {
	if owner != "" {
		s.fn.Owners, s.fn.IsMethod = append(s.fn.Owners, owner), true
	}
}

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
	body := stretchOf(c.Body)
	d := &definition{traits: c.traits, isTitled: c.IsTitle, isSkipped: c.IsSkipped, start: c.start, end: c.end, body: -1,
		nameAt: c.Name.Start, name: m.of(stretchOf(c.Name)), object: m.of(stretchOf(c.object))}
	if d.isSkipped {
		d.ownKinds = setOf(skips)
	}
	if c.Receiver != (lang.Span{}) {
		d.owner = m.grammar.Owner(m.of(stretchOf(c.Receiver)))
	}
	if d.header == nil {
		d.header = &lang.Facts{}
	}
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
		} else if d.name != "" {
			d.name = m.grammar.BoundSymbol(c.field, d.name)
		}
	default:
		return d, false
	}
	switch {
	case c.IsExpression:
		d.valueReason, d.value = m.valueStub(c.kind, body), body
	case body == stretch{}, c.IsByField && m.text.bytes[body.start] != '{': // an expression has substance
	case c.IsByField, d.kind != other:
		d.body, d.bodyEnd = body.start, body.end
	}
	return d, d.name != ""
}

// valueStub says why an expression that is the body of a test has no substance.
func (m *model) valueStub(kind string, value stretch) StubReason {
	if kind != "function" || value.end-value.start > maxMessage {
		return ""
	}
	switch m.grammar.EffectOf(m.of(value)) {
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
