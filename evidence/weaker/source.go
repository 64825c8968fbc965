package weaker

import (
	"bytes"
	_ "embed"
	"slices"
	"sort"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// A source is read into statements of tokens and expressions, the same shapes for every language. The syntax tree gives
// the structure, marks and words the meaning.

type tokenKind uint8

const (
	word tokenKind = iota + 1
	number
	text // a literal in quotes, whole
	mark // an operator or a bracket
)

type token struct {
	kind       tokenKind
	isNamed    bool // not a keyword of the grammar
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

// part is a part of a node: a token, a block, or a node that is not read yet.
type part struct {
	token
	block *block
	node  *syntax.Node
	// expr caches the expression of its node: reading it twice at each depth would take exponential time.
	expr *expr
}

type source struct {
	*evidence.Outline
	tokens []token
	// blocks are all blocks read so far, in order of their statements.
	blocks []*block
	// hasInfixCalls: a name between two operands is an operator: a shouldBe b. hasArrowMembers: -> selects a member.
	hasInfixCalls, hasArrowMembers bool
	depth                          int
}

func parse(o *evidence.Outline) (*block, *source) {
	s := &source{Outline: o, hasInfixCalls: isListed("infix languages", o.Language),
		hasArrowMembers: isListed("arrow languages", o.Language)}
	s.gatherTokens(o.Tree.Root(), map[string]string{})
	return s.block(o.Tree.Root()), s
}

// gatherTokens notes the tokens of a node. texts holds each text once: units keep some of them.
func (s *source) gatherTokens(n *syntax.Node, texts map[string]string) {
	kind := n.Type()
	t := token{isNamed: n.IsNamed(), start: n.Start(), end: n.End()}
	switch {
	case isComment(n):
		return
	case t.isNamed && isText(kind):
		t.kind = text
	case isListed("whole words", kind), !t.isNamed && !n.IsLeaf(): // not in, is not
		t.kind = word
	case !n.IsLeaf():
		for c := range n.Children() {
			s.gatherTokens(c, texts)
		}
		return
	}
	source := bytes.TrimSpace(s.Source[t.start:t.end])
	if len(source) == 0 || s.Language == "lua" && string(source) == "end" { // it closes a block
		return
	}
	if t.text = texts[string(source)]; t.text == "" {
		t.text = flat(string(source))
		if t.kind == text {
			t.text = string(source)
		}
		texts[string(source)] = t.text
	}
	switch c := t.text[0]; {
	case t.kind != 0:
	case c >= '0' && c <= '9':
		t.kind = number
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '`' || c >= 0x80,
		strings.IndexByte("$@#:", c) >= 0 && len(t.text) > 1 && lang.IsWordByte(t.text[len(t.text)-1]):
		t.kind = word
	default:
		t.kind = mark
	}
	s.tokens = append(s.tokens, t)
}

func isComment(n *syntax.Node) bool {
	kind := n.Type()
	return strings.Contains(kind, "comment") || kind == "\n" || kind == "heredoc_body" || kind == "type_annotation"
}

// part returns a node as a part: a token, if it has only one.
func (s *source) part(n *syntax.Node) part {
	if all := s.tokensIn(n.Start(), n.End()); len(all) == 1 && all[0].end == n.End() {
		return part{token: all[0]}
	}
	return part{node: n}
}

// isText reports whether a named node of this kind is a quoted literal.
func isText(kind string) bool {
	return slices.ContainsFunc(wordList("texts"), func(part string) bool { return strings.Contains(kind, part) }) &&
		!strings.HasSuffix(kind, "_type") && !strings.HasSuffix(kind, "_content") && kind != "string_expression"
}

func (s *source) tokensIn(start, end int) []token {
	from := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].start >= start })
	to := sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].start >= end })
	return s.tokens[from:max(from, to)]
}

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
	b := &block{start: start, end: end, tokens: s.tokensIn(start, end)}
	for _, n := range nodes {
		if !isComment(n) {
			b.statements = append(b.statements, s.statement(n))
		}
	}
	s.blocks = append(s.blocks, b)
	return b
}

func (s *source) statement(n *syntax.Node) *statement {
	of := &statement{start: n.Start(), end: n.End(), tokens: s.tokensIn(n.Start(), n.End())}
	from := len(s.blocks)
	of.clauses = s.clauses(n)
	for _, b := range slices.Backward(s.blocks[from:]) { // inner blocks precede outer ones
		if len(of.blocks) == 0 || b.end <= of.blocks[0].start {
			of.blocks = slices.Insert(of.blocks, 0, b)
		}
	}
	return of
}

func (s *source) parts(n *syntax.Node) (all []part) {
	kind := n.Type()
	mixed, open := isListed("mixed", kind), isListed("open mixed", kind)
	control := slices.ContainsFunc(wordList("controls"), func(p string) bool { return strings.HasPrefix(kind, p) })
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
		if len(s.tokensIn(c.Start(), c.End())) == 0 {
			continue // a comment
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

// isLone reports whether a child of a control statement is a statement without a block.
func isLone(n *syntax.Node) bool {
	kind := n.Type()
	return strings.HasSuffix(kind, "_statement") && !strings.HasPrefix(kind, "if_") &&
		!n.IsField("condition") && !n.IsField("initializer")
}

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
		for _, part := range split(head) {
			if e := s.fold(part); e.shape != list || e.text != "" {
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
		case p.text == "{", p.text == "}": // around matchers
		default:
			head = append(head, p)
		}
	}
	flush()
	return all
}

func (s *source) beginsClause(n *syntax.Node) bool {
	all := s.tokensIn(n.Start(), n.End())
	return len(all) > 0 && s.isKeyword(part{token: all[0]})
}

func (s *source) isKeyword(p part) bool {
	return p.kind == word && isListed("keywords", p.text) && (!p.isNamed || isListed("named keywords", p.text) ||
		s.Language == "elixir")
}

func (s *source) isMember(p part) bool {
	return p.kind == mark && (isListed("members", p.text) || p.text == "->" && s.hasArrowMembers)
}

func isStop(p part) bool {
	switch p.text {
	case ";", ",", ":", "end", "then":
		return p.kind == mark || p.kind == word
	}
	return false
}

// withoutStops returns parts without the marks that end a statement.
func withoutStops(parts []part) []part {
	last := len(parts) - 1
	for last >= 0 && isStop(parts[last]) && (last == 0 || parts[last-1].text != ".") {
		last--
	}
	return parts[:last+1]
}

var (
	//go:embed words.txt
	wordsText string
	//go:embed patterns.txt
	patternsText string

	wordLists          = lang.WordLists{Text: &wordsText}
	wordList, isListed = wordLists.List, wordLists.Has
	patterns           = lang.Patterns{Text: &patternsText}
	fits, regexpOf     = patterns.Fits, patterns.Named
)

// wordsIn returns the names in a text with more than one letter, numbersIn its numbers, quotedIn its quoted texts.
func wordsIn(text string) []string   { return regexpOf("identifiers").FindAllString(text) }
func numbersIn(text string) []string { return regexpOf("numerals").FindAllString(text) }
func quotedIn(text string) []string  { return regexpOf("quotations").FindAllString(text) }
