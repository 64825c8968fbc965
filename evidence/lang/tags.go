package lang

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// Tag is a pattern of tags.scm: a node of a kind that holds others, and what it is. tree-sitter's own engine is not
// used for it: compiling one such pattern takes it as long as a whole commit may take.
type Tag struct {
	// Capture says what the node is, Kind is that of the node; Token: it is written as it is.
	Capture, Kind string
	Token         bool
	defines       bool
	below         []*part
	where         []predicate
}

// part is what a node of a pattern holds: a child by its field, its kind, or both, which may be captured.
type part struct {
	field, absent string // absent: the field that is not there
	captures      []string
	kinds         []string // "_" for any that has a name
	tokens        []string // "_" for any
	// It is the first or the last that has a name; it may be missing.
	first, last, maybe bool
	below              []*part
	either             []*part // it is the first of these that is there
}

// predicate is what is asked of the text of a capture, or done with it.
type predicate struct {
	name, capture string
	words         []string
	match         Pattern
}

// Tags reads the patterns of a tags.scm, which must be valid: a test has tree-sitter read them as well.
func Tags(text string) ([]*Tag, error) {
	r := tagReader{tokens: tagTokens.FindAllString(text, -1)}
	var all []*Tag
	for r.drop(); len(r.tokens) > 0; r.drop() {
		t, err := r.tag()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

var tagTokens = regexp.MustCompile(`;[^\n]*|"(?:[^"\\]|\\.)*"|[()\[\].?]|[@#]?[\w!?._-]+:?`)

// tagReader reads the tokens of a tags.scm.
type tagReader struct{ tokens []string }

// drop passes over comments.
func (r *tagReader) drop() {
	for len(r.tokens) > 0 && r.tokens[0][0] == ';' {
		r.tokens = r.tokens[1:]
	}
}

// next takes the next token, "" at the end.
func (r *tagReader) next() (token string) {
	if r.drop(); len(r.tokens) > 0 {
		token, r.tokens = r.tokens[0], r.tokens[1:]
	}
	return token
}

// is takes the next token where it is that one.
func (r *tagReader) is(token string) bool {
	if r.drop(); len(r.tokens) == 0 || r.tokens[0] != token {
		return false
	}
	r.tokens = r.tokens[1:]
	return true
}

// tag reads a pattern, alone or in brackets with its predicates.
func (r *tagReader) tag() (*Tag, error) {
	grouped := len(r.tokens) > 1 && r.tokens[0] == "(" && r.tokens[1] == "("
	if grouped {
		r.next()
	}
	p := r.part()
	t := &Tag{below: p.below}
	if len(p.captures) > 0 {
		t.Capture = p.captures[0]
	}
	switch {
	case len(p.kinds) == 1:
		t.Kind = p.kinds[0]
	case len(p.tokens) == 1:
		t.Kind, t.Token = p.tokens[0], true
	}
	for grouped && !r.is(")") {
		if len(r.tokens) == 0 {
			return nil, fmt.Errorf("a pattern of %s does not end", t.Kind)
		}
		r.is("(")
		w := predicate{name: r.next(), capture: r.next()}
		for !r.is(")") && len(r.tokens) > 0 {
			w.words = append(w.words, unquoted(r.next()))
		}
		if strings.HasSuffix(w.name, "match?") {
			w.match = Lazy(w.words[0])
		}
		t.where = append(t.where, w)
	}
	capture, defines := strings.CutPrefix(t.Capture, "definition.")
	t.Capture, t.defines = capture, defines || capture == "owner" || strings.HasPrefix(capture, "test")
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

// part reads a node with what it holds and its capture.
func (r *tagReader) part() *part {
	p := &part{}
	token := r.next()
	if strings.HasSuffix(token, ":") {
		p.field, token = token[:len(token)-1], r.next()
	}
	switch {
	case token == "": // the text ends
	case token == "[":
		for !r.is("]") && len(r.tokens) > 0 {
			p.either = append(p.either, r.part())
		}
	case token == "(":
		p.kinds = []string{r.next()}
		for !r.is(")") && len(r.tokens) > 0 {
			anchored := r.is(".")
			if anchored && len(p.below) > 0 {
				p.below[len(p.below)-1].last = true
				continue
			}
			below := r.part()
			below.first = anchored
			p.below = append(p.below, below)
		}
	case token[0] == '!':
		p.absent, p.maybe = token[1:], true
		return p
	default:
		p.tokens = []string{unquoted(token)}
	}
	p.maybe = r.is("?")
	for r.drop(); len(r.tokens) > 0 && r.tokens[0][0] == '@'; r.drop() {
		p.captures = append(p.captures, r.next()[1:])
	}
	return p
}

// found are the nodes that a pattern captures.
type found map[string]*syntax.Node

// Match finds the parts of a node of the pattern's kind; ok is false for one that is none of it.
func (t *Tag) Match(n *syntax.Node, src []byte) (parts Parts, ok bool) {
	if t.below == nil && t.where == nil && !t.defines {
		return parts, true
	}
	all := found{t.Capture: n}
	if !matchAll(t.below, n, all) {
		return parts, false
	}
	for _, w := range t.where {
		if !w.holds(all, src) {
			return parts, false
		}
	}
	if !t.defines {
		return parts, true
	}
	if parts, ok = all.parts(n, src); t.Capture != "function" && t.Capture != "owner" && all["receiver"] == nil {
		parts.Receiver = Span{} // of others only the last name counts
	}
	parts.Skips = t.Capture == "test.skipped"
	if t.Capture == "type" || t.Capture == "interface" {
		parts.Body = Span{}
	}
	return parts, ok
}

// matchAll finds children of a node that are the parts, in their order.
func matchAll(parts []*part, n *syntax.Node, all found) bool {
	var c *syntax.Node
	for _, p := range parts {
		if p.absent != "" {
			if n.Field(p.absent) != nil {
				return false
			}
			continue
		}
		next := n.Child(0)
		if c != nil {
			next = c.NextSibling()
		}
		if p.last {
			next = n.LastNamedChild()
		}
		if p.last && p.first && n.NamedChildCount() != 1 {
			return false
		}
		for next != nil && !p.match(next, all) {
			past := p.last || p.first && next.IsNamed() && !next.IsExtra()
			if next = next.NextSibling(); past {
				next = nil
			}
		}
		if next == nil && !p.maybe {
			return false
		}
		if next != nil {
			c = next
		}
	}
	return true
}

// match reports whether a child is the part, and notes what is captured of it.
func (p *part) match(c *syntax.Node, all found) bool {
	if p.field != "" && !c.IsField(p.field) {
		return false
	}
	switch {
	case p.either != nil:
		if !slices.ContainsFunc(p.either, func(e *part) bool { return e.match(c, all) }) {
			return false
		}
	case p.tokens != nil:
		if c.IsExtra() || p.tokens[0] != "_" && (c.IsNamed() || p.tokens[0] != c.Type()) {
			return false
		}
	case !c.IsNamed(), p.kinds[0] != "_" && p.kinds[0] != c.Type(), c.IsExtra(),
		!matchAll(p.below, c, all):
		return false
	}
	for _, capture := range p.captures {
		all[capture] = c
	}
	return true
}

// holds reports whether a predicate is true of what is captured. «#through!» takes a capture to what it holds in
// fields.
func (w predicate) holds(all found, src []byte) bool {
	n := all[strings.TrimPrefix(w.capture, "@")]
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
		return w.match.Match(text)
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
	all[strings.TrimPrefix(w.capture, "@")] = n
	return true
}

// parts are what is captured of a definition. Without a @name they are its fields.
func (all found) parts(n *syntax.Node, src []byte) (parts Parts, ok bool) {
	parts.Body, parts.Receiver = At(all["body"]), At(all["receiver"])
	if to := all["receiver.end"]; to != nil {
		parts.Receiver.End = to.End()
	}
	if value := all["value"]; value != nil {
		parts.Body, parts.Expression = At(value), true
	}
	if after := all["after"]; after != nil {
		parts.Body = Span{after.End(), max(after.End(), n.End())}
	}
	if title := all["test.title"]; title != nil {
		parts.Name, parts.Title = titleOf(src, At(title), parts.Body.Start), true
		return parts, parts.Name != Span{}
	}
	name := all["name"]
	if all["owner"] != nil {
		return parts, true
	}
	if name == nil {
		body := parts.Body
		if parts = fields(n); body != (Span{}) {
			parts.Body = body
		}
		parts.ByField = body == (Span{})
		return parts, true
	}
	qualifier := Span{}
	if parts.Name, qualifier = nameIn(src, name); parts.Receiver == (Span{}) {
		parts.Receiver = qualifier
	}
	quoted := parts.Name.Start > name.Start() && src[name.Start()] == '"'
	parts.Title = all["function"] != nil && quoted
	return parts, parts.Name != Span{}
}

// titleOf is where the text of a title stands; of «@test adds {» what stands between the mark and the body.
func titleOf(src []byte, title Span, body int) Span {
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

// nameIn is where the last name stands in a node, and what qualifies it: B in a::B<T>, and a::.
func nameIn(src []byte, n *syntax.Node) (name, qualifier Span) {
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
