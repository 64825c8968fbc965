package evidence

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

func runQuery(
	ctx context.Context, g *grammar, c *compiled, tree *syntax.Tree, src, readable []byte, wants bodyFilter,
) (*reader, error) {
	r := &reader{
		compiled: c, grammar: g, src: src, readable: readable, wants: wants, owners: map[lang.Span]lang.Span{},
		flow: flow.File{Language: &g.Language, Src: src, Functions: map[string]*flow.Function{}},
	}
	found := 0
	for i := range tree.Nodes() {
		n := &tree.Nodes()[i]
		tags := c.tagsOf(n)
		if n.Symbol() < len(c.literals) && c.literals[n.Symbol()] {
			r.strings = append(r.strings, stretch{n.Start(), n.End()})
		}
		if tags == nil {
			continue
		}
		if found++; found > maxMarks {
			return nil, errMarks
		}
		if found%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, t := range tags {
			parts, ok := t.Match(n, src)
			if ok && t.Capture == "owner" {
				r.owners[parts.Body] = parts.Receiver
			} else if ok {
				r.read(t.Capture, n, parts)
				break
			}
		}
	}
	return r, nil
}

type reader struct {
	*compiled
	grammar   *grammar
	src       []byte
	readable  []byte
	wants     bodyFilter
	wantedEnd int // the end of wanted functions; nested ones are wanted too
	found     []capture
	strings   []stretch // string literals
	flow      flow.File
	doubles   []string                // names of test doubles in the file; nil until needed
	owners    map[lang.Span]lang.Span // the owners of methods, by body
}

func (r *reader) read(kind string, n *syntax.Node, parts lang.Parts) {
	if n.Start() == n.End() {
		return // a missing token
	}
	start := n.Start()
	c := capture{kind: kind, stretch: stretch{start: start + facts.LeadingBlanks(r.src[start:])}}
	if !r.isCandidate(kind, r.src[c.start:]) {
		return // quick check
	}
	c.end = max(c.start, n.End())
	if effect := r.probe(kind, c.stretch); effect != "" {
		c.kind = effect
		r.found = append(r.found, c)
		return
	}
	switch kind {
	case "function", "method", "test", "test.skipped", "class", "type", "interface":
		c.kind, c.isMember = strings.TrimSuffix(kind, ".skipped"), kind == "method"
		if c.kind == "method" || c.kind == "test" {
			c.kind = "function"
		}
		if !r.locate(n, parts, &c) {
			return
		}
		c.object = r.objectOf(n, c.isMember)
		r.judge(n, &c)
	case "value", "value.class":
		return // what is bound to a name is read with the name
	case "throw":
		if !r.isWanted(n) || !r.saysUndone(n, c.stretch) {
			return
		}
		c.kind = "undone"
	case "expression":
		if c.kind = r.idleKind(n); c.kind == "" {
			return
		}
	default:
		if sort, fields, ok := strings.Cut(kind, "."); ok {
			value := fields
			if sort != "default" {
				c.field, value, _ = strings.Cut(fields, ".")
				c.Name = lang.At(n.Field(c.field))
			}
			c.kind, c.isMember = "binding", sort == "member"
			if !r.readValue(n.Field(value), &c) {
				return
			}
			c.object = r.objectOf(n, c.isMember)
		}
	}
	r.found = append(r.found, c)
}

// objectOf is the name of the variable that a member's object literal is assigned to, frozen or not, or of the callee
// that gets it.
func (r *reader) objectOf(n *syntax.Node, member bool) lang.Span {
	up := func(kinds ...string) bool {
		p := n.Parent()
		if p == nil || !slices.Contains(kinds, p.Type()) {
			return false
		}
		n = p
		return true
	}
	up("pair")
	if !member || !up("object") {
		return lang.Span{}
	}
	isDirect := true
	for up("pair", "object", "as_expression", "satisfies_expression") {
		isDirect = false
	}
	if up("arguments") {
		called := lang.At(n.Parent().Field("function"))
		if string(r.src[called.Start:called.End]) != "Object.freeze" {
			return called
		}
		up("call_expression")
	}
	if isDirect && up("variable_declarator") {
		return lang.At(n.Field("name"))
	}
	return lang.Span{}
}

func (r *reader) judge(n *syntax.Node, c *capture) {
	c.header = headerOf(n, c.Body, r.src)
	if c.kind == "function" || c.kind == "binding" {
		c.signature = r.signatureOf(n, *c)
	}
	c.holdsMethods = slices.ContainsFunc(methodHolders, func(word string) bool { return strings.Contains(n.Type(), word) })
}

func (r *reader) isWanted(n *syntax.Node) bool {
	return r.wants != nil && (n.End() <= r.wantedEnd || r.wants(n))
}

// saysUndone reports whether a statement only says that the work is not done.
func (r *reader) saysUndone(n *syntax.Node, s stretch) bool {
	text := r.src[s.start:s.end]
	if len(text) <= maxPlaceholder && patternOf("test without block").Match(text) {
		return true
	}
	if len(text) > maxMessage || !patternOf("marker word").Match(text) && string(text) != "???" {
		return false // quick check
	}
	reads := r.facts()
	return patternOf("certain throw").Match(text) && r.flow.SaysUndone(reads.Statement(n))
}

func (r *reader) locate(n *syntax.Node, parts lang.Parts, c *capture) bool {
	parts, ok := r.grammar.Locate(n, r.src, parts)
	if !ok {
		return false
	}
	if parent := n.Parent(); parts.Receiver == (lang.Span{}) && parent != nil {
		parts.Receiver = r.owners[lang.At(parent)]
	}
	c.Parts = parts
	if parts.IsTitle {
		r.probeWord(stretchOf(parts.Body))
	}
	if parts.Whole != (lang.Span{}) {
		c.stretch = stretchOf(parts.Whole)
	}
	return true
}

func stretchOf(s lang.Span) stretch { return stretch{s.Start, s.End} }

// probe returns the effect of a statement as the kind of a capture; "" for most.
func (r *reader) probe(kind string, s stretch) string {
	switch kind {
	case "throw", "expression", "probe":
	default:
		return ""
	}
	if s.end-s.start > maxMessage || !lang.HasPrefix(r.src[s.start:], 0, r.grammar.Probes...) {
		return ""
	}
	return string(r.grammar.EffectOf(string(r.src[s.start:s.end])))
}

// probeWord probes a test of one word: skip, in Ruby.
func (r *reader) probeWord(body stretch) {
	text := strings.TrimSpace(string(r.src[body.start:body.end]))
	word := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(text, "do"), "end"), "{} \t\r\n")
	if len(text) > maxPlaceholder || !facts.IsWord(word) {
		return
	}
	at := body.start + bytes.Index(r.src[body.start:body.end], []byte(word))
	if kind := r.probe("probe", stretch{at, at + len(word)}); kind != "" {
		r.found = append(r.found, capture{kind: kind, stretch: stretch{at, at + len(word)}})
	}
}

// maxWraps bounds the brackets, assertions and calls around a value.
const maxWraps = 8

// readValue reads the function or class that is bound to a name, without brackets, type assertions, and calls whose
// first argument is a function of that name, memo(function Login() {…}). It returns false if the value is another.
func (r *reader) readValue(n *syntax.Node, c *capture) bool {
	called := false
	for range maxWraps {
		if n == nil {
			return false
		}
		switch n.Type() {
		case "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression":
			n = n.NamedChild(0)
		case "type_assertion":
			n = n.LastNamedChild()
		case "call_expression":
			called = true
			if n = n.Field("arguments"); n != nil {
				n = n.NamedChild(0)
			}
		default:
			tags := r.tagsOf(n)
			if tags == nil || !strings.HasPrefix(tags[0].Capture, "value") ||
				called && !r.sharesName(c.Name, lang.At(n.Field("name"))) {
				return false
			}
			c.kind += strings.TrimPrefix(tags[0].Capture, "value")
			c.Body, c.IsByField = lang.At(n.Field("body")), true
			c.IsExpression = c.Body.Start < c.Body.End && r.src[c.Body.Start] != '{'
			r.judge(n, c)
			return true
		}
	}
	return false
}

// sharesName reports whether a function's inner name begins with the binding's; a default export has none.
func (r *reader) sharesName(name, inner lang.Span) bool {
	return inner != lang.Span{} && bytes.HasPrefix(r.src[inner.Start:inner.End], r.src[name.Start:name.End])
}

// isCandidate reports whether a statement may have an effect of its kind, by its beginning.
func (r *reader) isCandidate(kind string, rest []byte) bool {
	if kind != "probe" && kind != "expression" {
		return true
	}
	return kind == "expression" && mayBeBare(rest) || lang.HasPrefix(rest, 0, r.grammar.Probes...)
}

// mayBeBare reports whether a statement begins like a string literal or an ellipsis.
func mayBeBare(statement []byte) bool {
	if bytes.HasPrefix(statement, []byte("(...)")) {
		return true
	}
	for i := range min(len(statement), 4) {
		switch b := statement[i]; {
		case b == '"' || b == '\'' || b == '`':
			return true
		case b == '.':
			return i == 0
		case b|0x20 < 'a' || b|0x20 > 'z':
			return false
		}
	}
	return false
}

// idleKind returns the kind of an idle statement of one expression: a docstring, an ellipsis, or "".
func (r *reader) idleKind(n *syntax.Node) string {
	if n.NamedChildCount() != 1 {
		return ""
	}
	child := n.NamedChild(0)
	kind := child.Type()
	if kind == "parenthesized_expression" && child.NamedChildCount() == 1 && child.NamedChild(0).Type() == "ellipsis" {
		return "ellipsis"
	}
	switch {
	case kind == "ellipsis":
		return kind
	case slices.Contains(r.grammar.Strings, kind) && !evaluates(child):
		return "docstring"
	}
	return ""
}

func evaluates(literal *syntax.Node) bool {
	return slices.ContainsFunc(literal.NamedChildren(), func(c *syntax.Node) bool {
		kind := c.Type()
		return strings.Contains(kind, "interpol") || strings.Contains(kind, "expression") ||
			strings.Contains(kind, "substitution")
	})
}
