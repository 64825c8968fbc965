package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/syntax"
)

// A source is lowered to statements of tokens: the same few shapes for every language. The tree says where statements,
// blocks, literals and comments begin and end; what stands between them is read by one parser of expressions (expr.go).

// sort is what a token is.
type sort uint8

const (
	word sort = iota + 1
	number
	text    // a literal in quotes, whole
	mark    // an operator or a bracket
	generic // type arguments, whole
	braces  // a block of statements
)

// token is one token of a statement.
type token struct {
	sort       sort
	first      bool // it is the first of its line
	text       string
	start, end int
	block      *block
}

// block is a list of statements; its bytes are [start, end).
type block struct {
	start, end int
	statements []*statement
}

// statement is one statement of a block, with the blocks in it as tokens.
type statement struct {
	start, end int
	tokens     []token
	clauses    []clause // made when they are first asked for
	parsed     bool
}

// lowering makes statements of one outline.
type lowering struct {
	*evidence.Outline
	// texts are those of the tokens, each once: units keep some of them.
	texts map[string]string
	// braced: the grammar keeps the braces of a block outside of the node of its statements.
	braced bool
	blocks []*block
}

// lower returns the statements of a source, and all of its blocks by where they begin.
func lower(o *evidence.Outline) (*block, []*block) {
	l := newLowering(o)
	l.braced = o.Language == "kotlin" || o.Language == "swift"
	root := l.block(o.Tree.Root())
	return root, l.blocks
}

func newLowering(o *evidence.Outline) *lowering {
	return &lowering{Outline: o, texts: map[string]string{}}
}

func (l *lowering) block(n *syntax.Node) *block {
	b := &block{start: n.Start(), end: n.End()}
	from := n
	for c := range n.Children() {
		if isListed("inner blocks", c.Type()) && n.Type() != "class_body" && !isRoot(n) {
			from = c
		}
	}
	for c := range from.Children() {
		if c.IsNamed() && !isComment(c) {
			b.statements = append(b.statements, l.statement(c))
		}
	}
	return b
}

// braces is a block as a token.
func (l *lowering) braces(b *block) token {
	l.blocks = append(l.blocks, b)
	return token{sort: braces, start: b.start, end: b.end, block: b}
}

func isRoot(n *syntax.Node) bool { return n.Parent() == nil }

func isComment(n *syntax.Node) bool { return strings.Contains(n.Type(), "comment") }

func (l *lowering) statement(n *syntax.Node) *statement {
	return &statement{start: n.Start(), end: n.End(), tokens: l.tokens(n, nil)}
}

// tokens appends the tokens of a node.
func (l *lowering) tokens(n *syntax.Node, out []token) []token {
	kind := n.Type()
	switch {
	case isComment(n) || kind == "\n" || kind == "heredoc_body":
		return out
	case n.IsNamed() && isText(kind):
		return append(out, l.token(text, n))
	case isListed("generics", kind):
		return append(out, l.token(generic, n))
	case isListed("whole words", kind):
		return append(out, l.token(word, n))
	case n.IsLeaf():
		return l.leaf(n, out)
	case isListed("blocks", kind) && !isRoot(n):
		return append(out, l.braces(l.block(n)))
	case isListed("mixed", kind):
		return l.mixed(n, out)
	}
	control := hasPrefix(kind, listed("controls"))
	for c := n.Child(0); c != nil; c = c.NextSibling() {
		switch {
		case l.braced && c.Type() == "{" && isBraced(c.NextSibling()):
			inner := &block{start: c.Start(), end: c.End()}
			if next := c.NextSibling(); next.Type() == "statements" {
				inner.statements, c = l.block(next).statements, next
			}
			if end := c.NextSibling(); end != nil {
				inner.end, c = end.End(), end
			}
			out = append(out, l.braces(inner))
		case control && isLone(c):
			out = append(out, l.braces(&block{start: c.Start(), end: c.End(), statements: []*statement{l.statement(c)}}))
		default:
			out = l.tokens(c, out)
		}
	}
	return out
}

func isBraced(n *syntax.Node) bool { return n != nil && (n.Type() == "statements" || n.Type() == "}") }

// isLone reports whether a child of a control statement is a statement that stands without a block.
func isLone(n *syntax.Node) bool {
	kind := n.Type()
	return n.IsNamed() && !isListed("blocks", kind) && strings.HasSuffix(kind, "_statement") &&
		!strings.HasPrefix(kind, "if_") && !n.IsField("condition") && !n.IsField("initializer")
}

// mixed appends the tokens of a node whose statements follow tokens of its own.
func (l *lowering) mixed(n *syntax.Node, out []token) []token {
	var body *block
	open := isListed("open mixed", n.Type())
	flush := func() {
		if body != nil {
			out, body = append(out, l.braces(body)), nil
		}
	}
	for c := range n.Children() {
		kind := c.Type()
		switch {
		case isComment(c):
		case c.IsLeaf() && !c.IsNamed():
			flush()
			out = l.leaf(c, out)
			open = open || isListed("opens mixed", kind)
		case isListed("blocks", kind) || !open || kind == "rescue" || kind == "else" || kind == "ensure" || !c.IsNamed():
			flush()
			out = l.tokens(c, out)
		default:
			if body == nil {
				body = &block{start: c.Start()}
			}
			body.end = c.End()
			body.statements = append(body.statements, l.statement(c))
		}
	}
	flush()
	return out
}

func (l *lowering) token(s sort, n *syntax.Node) token {
	at := n.Start()
	for at > 0 && (l.Source[at-1] == ' ' || l.Source[at-1] == '\t' || l.Source[at-1] == '\r') {
		at--
	}
	first := at > 0 && l.Source[at-1] == '\n'
	text, known := l.texts[string(l.Source[n.Start():n.End()])]
	if !known {
		text = n.Content(l.Source)
		l.texts[text] = text
	}
	return token{sort: s, first: first, text: text, start: n.Start(), end: n.End()}
}

func (l *lowering) leaf(n *syntax.Node, out []token) []token {
	t := l.token(mark, n)
	t.text = strings.TrimSpace(t.text)
	if t.text == "" || t.text == "end" && l.Language == "lua" { // its function is a block
		return out
	}
	switch c := t.text[0]; {
	case c >= '0' && c <= '9':
		t.sort = number
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '`' || c >= 0x80,
		(c == '$' || c == '@' || c == '#' || c == ':') && len(t.text) > 1 && isWordByte(t.text[len(t.text)-1]):
		t.sort = word
	}
	return append(out, t)
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

// isText reports whether a named node of this kind is a literal in quotes.
func isText(kind string) bool {
	for _, part := range listed("texts") {
		if strings.Contains(kind, part) {
			return !strings.HasSuffix(kind, "_type") && !strings.HasSuffix(kind, "_content") && kind != "string_expression"
		}
	}
	return false
}

func hasPrefix(s string, of []string) bool {
	return slices.ContainsFunc(of, func(p string) bool { return strings.HasPrefix(s, p) })
}
