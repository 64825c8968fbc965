package lang

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// Tag is a pattern of tags.scm. It is matched here, not by tree-sitter: that compiles one such pattern as long as a
// whole commit may take.
type Tag struct {
	// Capture says what the node is, Kind is its kind. IsToken: Kind is the text of an anonymous token.
	Capture, Kind string
	IsToken       bool
	isDefinition  bool
	children      []*part
	predicates    []predicate
}

// part is a child in a pattern, by its field, its kind, or both. It may be captured.
type part struct {
	field, absentField string // absentField: the node must not have it
	captures           []string
	kind               string // "_" for any named node
	token              string // "_" for any
	// It is the first or last named child; it may be missing.
	isFirst, isLast, isOptional bool
	children                    []*part
	alternatives                []*part // the first that matches counts
}

// predicate is a condition on the text of a capture, or an action.
type predicate struct {
	name, capture string
	words         []string
	pattern       Pattern
}

// Tags reads the patterns of a tags.scm, which must be valid: a test has tree-sitter read them too.
func Tags(text string) ([]*Tag, error) {
	isComment := func(token string) bool { return token[0] == ';' }
	r := tagReader{slices.DeleteFunc(tagTokens.FindAllString(text), isComment)}
	var all []*Tag
	for len(r.tokens) > 0 {
		t, err := r.tag()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

var tagTokens = Lazy(`;[^\n]*|"(?:[^"\\]|\\.)*"|[()\[\].?]|[@#]?[\w!?._-]+:?`)

type tagReader struct{ tokens []string }

func (r *tagReader) next() (token string) {
	if len(r.tokens) > 0 {
		token, r.tokens = r.tokens[0], r.tokens[1:]
	}
	return token
}

// accept consumes the next token if it is the given one.
func (r *tagReader) accept(token string) bool {
	isNext := len(r.tokens) > 0 && r.tokens[0] == token
	if isNext {
		r.tokens = r.tokens[1:]
	}
	return isNext
}

// tag reads a pattern, alone or in brackets with its predicates.
func (r *tagReader) tag() (*Tag, error) {
	grouped := len(r.tokens) > 1 && r.tokens[0] == "(" && r.tokens[1] == "("
	if grouped {
		r.next()
	}
	p := r.part()
	t := &Tag{children: p.children, Kind: cmp.Or(p.kind, p.token), IsToken: p.token != ""}
	if len(p.captures) > 0 {
		t.Capture = p.captures[0]
	}
	for grouped && !r.accept(")") {
		if len(r.tokens) == 0 {
			return nil, fmt.Errorf("a pattern of %s does not end", t.Kind)
		}
		r.accept("(")
		w := predicate{name: r.next(), capture: r.next()}
		for !r.accept(")") && len(r.tokens) > 0 {
			w.words = append(w.words, unquoted(r.next()))
		}
		if strings.HasSuffix(w.name, "match?") {
			w.pattern = Lazy(w.words[0])
		}
		t.predicates = append(t.predicates, w)
	}
	capture, defines := strings.CutPrefix(t.Capture, "definition.")
	t.Capture, t.isDefinition = capture, defines || capture == "owner" || strings.HasPrefix(capture, "test")
	if t.Kind == "" || t.Capture == "" {
		return nil, fmt.Errorf("a pattern is no node with a capture: %q", t.Kind+" @"+t.Capture)
	}
	return t, nil
}

func unquoted(token string) string {
	if text, err := strconv.Unquote(token); err == nil {
		return text
	}
	return token
}

func (r *tagReader) part() *part {
	p := &part{}
	token := r.next()
	if strings.HasSuffix(token, ":") {
		p.field, token = token[:len(token)-1], r.next()
	}
	switch {
	case token == "": // the text ends
	case token == "[":
		for !r.accept("]") && len(r.tokens) > 0 {
			p.alternatives = append(p.alternatives, r.part())
		}
	case token == "(":
		p.kind = r.next()
		for !r.accept(")") && len(r.tokens) > 0 {
			anchored := r.accept(".")
			if anchored && len(p.children) > 0 {
				p.children[len(p.children)-1].isLast = true
				continue
			}
			below := r.part()
			below.isFirst = anchored
			p.children = append(p.children, below)
		}
	case token[0] == '!':
		p.absentField, p.isOptional = token[1:], true
		return p
	default:
		p.token = unquoted(token)
	}
	p.isOptional = r.accept("?")
	for len(r.tokens) > 0 && r.tokens[0][0] == '@' {
		p.captures = append(p.captures, r.next()[1:])
	}
	return p
}

type captures map[string]*syntax.Node

// Match finds the parts of a node of the pattern's kind; ok is false if it does not match.
func (t *Tag) Match(n *syntax.Node, src []byte) (parts Parts, ok bool) {
	if t.children == nil && t.predicates == nil && !t.isDefinition {
		return parts, true
	}
	nodes := captures{t.Capture: n}
	if !matchAll(t.children, n, nodes) {
		return parts, false
	}
	for _, w := range t.predicates {
		if !w.holds(nodes, src) {
			return parts, false
		}
	}
	if !t.isDefinition {
		return parts, true
	}
	if parts, ok = nodes.parts(n, src); t.Capture != "function" && t.Capture != "owner" && nodes["receiver"] == nil {
		parts.Receiver = Span{} // for other captures only the last name counts
	}
	parts.IsSkipped = t.Capture == "test.skipped"
	if t.Capture == "type" || t.Capture == "interface" {
		parts.Body = Span{}
	}
	return parts, ok
}

func matchAll(parts []*part, n *syntax.Node, nodes captures) bool {
	var c *syntax.Node
	for _, p := range parts {
		if p.absentField != "" {
			if n.Field(p.absentField) != nil {
				return false
			}
			continue
		}
		next := n.Child(0)
		if c != nil {
			next = c.NextSibling()
		}
		if p.isLast {
			next = n.LastNamedChild()
		}
		if p.isLast && p.isFirst && n.NamedChildCount() != 1 {
			return false
		}
		for next != nil && !p.match(next, nodes) {
			past := p.isLast || p.isFirst && next.IsNamed() && !next.IsExtra()
			if next = next.NextSibling(); past {
				next = nil
			}
		}
		if next == nil && !p.isOptional {
			return false
		}
		if next != nil {
			c = next
		}
	}
	return true
}

// match reports whether a child matches the part, and adds its captures.
func (p *part) match(c *syntax.Node, nodes captures) bool {
	if p.field != "" && !c.IsField(p.field) {
		return false
	}
	switch {
	case p.alternatives != nil:
		if !slices.ContainsFunc(p.alternatives, func(e *part) bool { return e.match(c, nodes) }) {
			return false
		}
	case p.token != "":
		if c.IsExtra() || p.token != "_" && (c.IsNamed() || p.token != c.Type()) {
			return false
		}
	case !c.IsNamed(), p.kind != "_" && p.kind != c.Type(), c.IsExtra(),
		!matchAll(p.children, c, nodes):
		return false
	}
	for _, capture := range p.captures {
		nodes[capture] = c
	}
	return true
}

// holds reports whether a predicate holds. «#through!» replaces a capture by the innermost node that its fields lead
// to.
func (w predicate) holds(nodes captures, src []byte) bool {
	n := nodes[strings.TrimPrefix(w.capture, "@")]
	if n == nil {
		return strings.HasPrefix(w.name, "#not-") || w.name == "#through!"
	}
	text := src[n.Start():n.End()]
	switch w.name {
	case "#any-of?", "#eq?":
		return slices.Contains(w.words, string(text))
	case "#not-eq?":
		return !slices.Contains(w.words, string(text))
	case "#match?":
		return w.pattern.Match(text)
	}
	for again := true; again; {
		again = false
		for _, field := range w.words {
			if inner := n.Field(field); inner != nil {
				n, again = inner, true
				break
			}
		}
	}
	nodes[strings.TrimPrefix(w.capture, "@")] = n
	return true
}

// parts returns the parts of a definition. Without a @name they are its fields.
func (nodes captures) parts(n *syntax.Node, src []byte) (parts Parts, ok bool) {
	parts.Body, parts.Receiver = At(nodes["body"]), At(nodes["receiver"])
	if to := nodes["receiver.end"]; to != nil {
		parts.Receiver.End = to.End()
	}
	if value := nodes["value"]; value != nil {
		parts.Body, parts.IsExpression = At(value), true
	}
	if after := nodes["after"]; after != nil {
		parts.Body = Span{after.End(), max(after.End(), n.End())}
	}
	if title := nodes["test.title"]; title != nil {
		parts.Name, parts.IsTitle = titleSpan(src, At(title), parts.Body.Start), true
		return parts, parts.Name != Span{}
	}
	name := nodes["name"]
	if nodes["owner"] != nil {
		return parts, true
	}
	if name == nil {
		parts = Parts{Name: At(n.Field("name")), Body: parts.Body, Receiver: At(n.Field("receiver"))}
		if parts.IsByField = parts.Body == (Span{}); parts.IsByField {
			parts.Body = At(n.Field("body"))
		}
		return parts, true
	}
	qualifier := Span{}
	if parts.Name, qualifier = nameSpans(src, name); parts.Receiver == (Span{}) {
		parts.Receiver = qualifier
	}
	quoted := parts.Name.Start > name.Start() && src[name.Start()] == '"'
	parts.IsTitle = nodes["function"] != nil && quoted
	return parts, parts.Name != Span{}
}

// titleSpan returns the span of a title's text; for «@test adds {», the text between the mark and the body.
func titleSpan(src []byte, title Span, body int) Span {
	if src[title.Start] != '@' {
		return Quoted(src, title)
	}
	begin := SkipWord(src, title.Start+1)
	begin += leadingBlanks(src[begin:])
	written := Span{begin, begin + len(bytes.TrimRight(src[begin:max(begin, body)], " \t"))}
	if quoted := Quoted(src, written); quoted != (Span{}) {
		return quoted
	}
	return written
}

// nameSpans returns the spans of the last name in a node and of its qualifier: B and a:: for a::B<T>.
func nameSpans(src []byte, n *syntax.Node) (name, qualifier Span) {
	s := At(n)
	if quoted := Quoted(src, s); quoted != (Span{}) && src[s.Start] != '`' {
		return quoted, qualifier
	}
	for s.Start < s.End && (bytes.IndexByte([]byte(" \t\r\n"), src[s.Start]) >= 0 ||
		src[s.Start] == ':' && s.Start+1 < s.End && IsWordByte(src[s.Start+1])) {
		s.Start++
	}
	if n.IsLeaf() || src[s.Start] == '(' || src[s.Start] == '[' {
		return s, qualifier
	}
	begin := s.Start
	if bytes.ContainsAny(src[s.Start:s.End], "[\"") {
		return Span{}, qualifier // it is computed
	}
	if i := bytes.IndexAny(src[s.Start:s.End], "<("); i > 0 {
		s.End = s.Start + i
	}
	if i := bytes.LastIndexAny(src[s.Start:s.End], ".:"); i >= 0 && i+1 < s.End-s.Start {
		s.Start += i + 1
		qualifier = Span{begin, s.Start}
	}
	return s, qualifier
}
