package weaker

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/syntax"
)

// A source is read into statements of tokens and expressions: the same few shapes for every language. The syntax tree
// says what belongs together, the marks and words in it what that is.

// sort is what a token is.
type sortOf uint8

const (
	word sortOf = iota + 1
	number
	text // a literal in quotes, whole
	mark // an operator or a bracket
)

// token is a word, a number, a text or a mark.
type token struct {
	sort       sortOf
	named      bool // by the grammar: it is no keyword
	text       string
	start, end int
}

// block is a list of statements; its bytes are [start, end).
type block struct {
	start, end int
	tokens     []token
	statements []*statement
}

// statement is one statement of a block: its tokens, those of the blocks in it too, and its clauses.
type statement struct {
	start, end int
	tokens     []token
	blocks     []*block
	clauses    []clause
}

// part is a part of a node: a token, a block, or a node that is still to be read.
type part struct {
	token
	block *block
	node  *syntax.Node
	// read is what its node was read as, where it is asked for again: twice at each depth would never end.
	read *expr
}

// source reads one outline.
type source struct {
	*evidence.Outline
	tokens []token
	// blocks are all that were read, those of one statement behind one another.
	blocks []*block
	// infix: a name between two operands is an operator, and a call has brackets: a shouldBe b. arrow: -> names a member.
	infix, arrow bool
	depth        int
}

// lower returns the statements of a source, and what reads others of it.
func lower(o *evidence.Outline) (*block, *source) {
	s := &source{Outline: o, infix: isListed("infix languages", o.Language),
		arrow: isListed("arrow languages", o.Language)}
	s.gather(o.Tree.Root(), map[string]string{})
	return s.block(o.Tree.Root()), s
}

// gather notes the tokens of a node. texts are theirs, each once: units keep some of them.
func (s *source) gather(n *syntax.Node, texts map[string]string) {
	kind := n.Type()
	t := token{named: n.IsNamed(), start: n.Start(), end: n.End()}
	switch {
	case isRemark(n):
		return
	case t.named && isText(kind):
		t.sort = text
	case isListed("whole words", kind), !t.named && !n.IsLeaf(): // not in, is not
		t.sort = word
	case !n.IsLeaf():
		for c := range n.Children() {
			s.gather(c, texts)
		}
		return
	}
	source := bytes.TrimSpace(s.Source[t.start:t.end])
	if len(source) == 0 || s.Language == "lua" && string(source) == "end" { // its function is a block
		return
	}
	if t.text = texts[string(source)]; t.text == "" {
		t.text = flat(string(source))
		if t.sort == text {
			t.text = string(source)
		}
		texts[string(source)] = t.text
	}
	switch c := t.text[0]; {
	case t.sort != 0:
	case c >= '0' && c <= '9':
		t.sort = number
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '`' || c >= 0x80,
		strings.IndexByte("$@#:", c) >= 0 && len(t.text) > 1 && isWordByte(t.text[len(t.text)-1]):
		t.sort = word
	default:
		t.sort = mark
	}
	s.tokens = append(s.tokens, t)
}

func isRemark(n *syntax.Node) bool {
	kind := n.Type()
	return strings.Contains(kind, "comment") || kind == "\n" || kind == "heredoc_body" || kind == "type_annotation"
}

// part is a node as it is read: one token, where it has no more.
func (s *source) part(n *syntax.Node) part {
	if all := s.between(n.Start(), n.End()); len(all) == 1 && all[0].end == n.End() {
		return part{token: all[0]}
	}
	return part{node: n}
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

// isText reports whether a named node of this kind is a literal in quotes.
func isText(kind string) bool {
	return slices.ContainsFunc(listed("texts"), func(part string) bool { return strings.Contains(kind, part) }) &&
		!strings.HasSuffix(kind, "_type") && !strings.HasSuffix(kind, "_content") && kind != "string_expression"
}

// between are the tokens of a stretch.
func (s *source) between(start, end int) []token {
	from := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].start >= start })
	to := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].start >= end })
	return s.tokens[from:max(from, to)]
}

// block reads the statements that a node holds.
func (s *source) block(n *syntax.Node) *block {
	from := n
	for c := range n.Children() {
		if isListed("inner blocks", c.Type()) {
			from = c
		}
	}
	return s.blockOf(n.Start(), n.End(), from.NamedChildren())
}

func (s *source) blockOf(start, end int, nodes []*syntax.Node) *block {
	b := &block{start: start, end: end, tokens: s.between(start, end)}
	for _, n := range nodes {
		if !isRemark(n) {
			b.statements = append(b.statements, s.statement(n))
		}
	}
	s.blocks = append(s.blocks, b)
	return b
}

func (s *source) statement(n *syntax.Node) *statement {
	of := &statement{start: n.Start(), end: n.End(), tokens: s.between(n.Start(), n.End())}
	from := len(s.blocks)
	of.clauses = s.clauses(n)
	for _, b := range slices.Backward(s.blocks[from:]) { // what stands in a block comes before it
		if len(of.blocks) == 0 || b.end <= of.blocks[0].start {
			of.blocks = slices.Insert(of.blocks, 0, b)
		}
	}
	return of
}

// parts are the children of a node.
func (s *source) parts(n *syntax.Node) (all []part) {
	kind := n.Type()
	mixed, open := isListed("mixed", kind), isListed("open mixed", kind)
	control := hasPrefix(kind, listed("controls"))
	var loose []*syntax.Node // statements that follow tokens of the node
	flush := func() {
		if len(loose) > 0 {
			all = append(all, part{block: s.blockOf(loose[0].Start(), loose[len(loose)-1].End(), loose)})
			loose = nil
		}
	}
	for c := range n.Children() {
		kind := c.Type()
		isBlock := c.IsNamed() && isListed("blocks", kind)
		if len(s.between(c.Start(), c.End())) == 0 {
			continue // a remark
		} else if mixed && open && c.IsNamed() && !isBlock && !isListed("ends of mixed", kind) {
			loose = append(loose, c)
			continue
		}
		flush()
		switch {
		case isBlock:
			all = append(all, part{block: s.block(c)})
		case !c.IsNamed():
			open = open || mixed && isListed("opens mixed", kind)
			all = append(all, s.part(c))
		case control && isLone(c):
			all = append(all, part{block: s.blockOf(c.Start(), c.End(), []*syntax.Node{c})})
		case isListed("suffixes", kind):
			all = append(all, s.parts(c)...)
		default:
			all = append(all, s.part(c))
		}
	}
	flush()
	return all
}

// isLone reports whether a child of a control statement is a statement that stands without a block.
func isLone(n *syntax.Node) bool {
	kind := n.Type()
	return strings.HasSuffix(kind, "_statement") && !strings.HasPrefix(kind, "if_") &&
		!n.IsField("condition") && !n.IsField("initializer")
}

func hasPrefix(s string, of []string) bool {
	return slices.ContainsFunc(of, func(p string) bool { return strings.HasPrefix(s, p) })
}

// clauses splits a statement into its clauses.
func (s *source) clauses(n *syntax.Node) (all []clause) {
	if s.depth > maxDepth {
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	parts := []part{s.part(n)}
	for len(parts) == 1 && parts[0].node != nil {
		parts = withoutStops(s.parts(parts[0].node))
	}
	c, head := clause{}, []part(nil)
	flush := func() {
		for _, of := range split(head) {
			if e := s.fold(of); e.shape != list || e.text != "" {
				c.head = append(c.head, e)
			} else {
				c.head = append(c.head, e.parts...)
			}
		}
		if c.keyword != "" || len(c.head) > 0 {
			all = append(all, c)
		}
		c, head = clause{}, nil
	}
	for len(parts) > 0 {
		p := parts[0]
		parts = parts[1:]
		switch {
		case s.isKeyword(p):
			flush()
			c.keyword = p.text
		case p.node != nil && len(all)+len(c.keyword) > 0 && s.beginsClause(p.node):
			parts = append(s.parts(p.node), parts...)
		case p.block != nil && c.keyword != "":
			c.block = p.block
			flush()
		case p.text == "{", p.text == "}": // around what is asked for one after the other
		default:
			head = append(head, p)
		}
	}
	flush()
	return all
}

// beginsClause reports whether a node begins with a keyword.
func (s *source) beginsClause(n *syntax.Node) bool {
	all := s.between(n.Start(), n.End())
	return len(all) > 0 && s.isKeyword(part{token: all[0]})
}

// isKeyword reports whether a part begins a clause.
func (s *source) isKeyword(p part) bool {
	return p.sort == word && isListed("keywords", p.text) && (!p.named || isListed("named keywords", p.text) ||
		s.Language == "elixir")
}

func (s *source) isMember(p part) bool {
	return p.sort == mark && (isListed("members", p.text) || p.text == "->" && s.arrow)
}

func isStop(p part) bool {
	switch p.text {
	case ";", ",", ":", "end", "then":
		return p.sort == mark || p.sort == word
	}
	return false
}

// withoutStops are parts without the marks that end a statement.
func withoutStops(parts []part) []part {
	last := len(parts) - 1
	for last >= 0 && isStop(parts[last]) && (last == 0 || parts[last-1].text != ".") {
		last--
	}
	return parts[:last+1]
}
