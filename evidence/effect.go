package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// effect is the judgement of one body.
type effect struct {
	flow.Summary
	// nameless: it has parameters, and none of them has a name.
	nameless bool
	// result: its header declares that it gives something back.
	result bool
	// doubt says why what seems to work may not; see flow.Effect. fn is what flow follows, while the file is read.
	doubt string
	fn    *flow.Function
	// untested says why the test that this is cannot fail, "" where it may, or is none.
	untested string
	// stores: all that it does is to keep what it is given in its object.
	stores bool
}

const (
	// maxFollowed is the longest body that is followed, in bytes: what does nothing with its parameters is short.
	maxFollowed = 2500
	// maxRead is the longest body that is read, in bytes, and maxJudged bounds its nodes; one that needs more does
	// something.
	maxRead   = 20_000
	maxJudged = 600
)

// effectOf judges the body of a definition. n is its node, or that of the value that a name is bound to.
func (r *reader) effectOf(n *syntax.Node, c capture, expression bool) *effect {
	if len(r.roles) == 0 || c.body == (stretch{}) || r.asks == nil {
		return nil
	}
	if r.flow.Functions == nil {
		r.flow.Language, r.flow.Src, r.flow.Functions = &r.grammar.Language, r.src, map[string]*flow.Function{}
	}
	s := &signature{Reader: r.facts(), file: r, grammar: r.grammar, node: n, at: c, expression: expression}
	s.fn = &flow.Function{Node: n, Reader: s}
	s.callAs(n, c)
	if _, several := r.flow.Functions[s.fn.Name]; several || c.title {
		r.flow.Functions[s.fn.Name] = nil
	} else {
		r.flow.Functions[s.fn.Name] = s.fn
	}
	if !r.isAsked(n) {
		return nil
	}
	r.asked = max(r.asked, n.End())
	return &effect{fn: s.fn}
}

// facts reads terms of the file.
func (r *reader) facts() facts.Reader {
	return facts.Reader{Roles: r.roles, Words: r.words, Src: r.src, NodesLeft: maxJudged}
}

// Read reads the function for those who follow it.
func (s *signature) Read(fn *flow.Function) {
	r, n, body, expression := s.file, s.node, s.at.body, s.expression
	s.header(n, body, s.at.name)
	fn.IsExpression, fn.BoolParams = expression, marked(fn.Params, fn.Header, "bool")
	body.end = max(body.start, min(body.end, n.End())) // a language may count a comment to it
	fn.HasResult = declaresResult(n, r.src, body)
	declared := n.Type() == "function_declaration" || n.Type() == "function_item" // each says what it gives back
	fn.ReturnsLast = r.grammar.Is("tail") && (fn.HasResult || !declared) || expression
	parts, around := statements(n, body)
	text := r.src[body.start:body.end]
	fn.Span = lang.Span{Start: body.start, End: body.end}
	fn.Body = &facts.Term{Span: fn.Span}
	fn.IsTooLong = len(text) > maxFollowed || len(parts) == 0 || around.HasError() || slices.Contains(fn.Params, "")
	switch {
	case expression && len(parts) == 0 && facts.IsNull(strings.TrimSpace(string(text))):
		fn.Body = &facts.Term{Op: facts.Block, Span: fn.Span,
			Parts: []*facts.Term{{Op: facts.Empty}}} // a token without a name
	case r.readable != nil && isBlanked(text, r.readable[body.start:body.end]), len(parts) == 0 && hasLoose(text),
		len(text) > maxRead:
		fn.IsTooLong = true // it may do anything
	default:
		t := s.Statements(parts)
		if fn.IsTooLong = fn.IsTooLong || s.NodesLeft < 0; s.NodesLeft < 0 || expression && len(t.Parts) == 0 {
			return
		}
		if in := t.Single(); !expression && in.Op == facts.Closure && in.Span == fn.Span { // the block of a test with a title
			t = &facts.Term{Op: facts.Block, Parts: in.Parts}
		}
		fn.Body, t.Span = t, fn.Span
	}
}

// statements returns the nodes that make up a body, and the node around them.
func statements(n *syntax.Node, body stretch) ([]*syntax.Node, *syntax.Node) {
	for range maxWraps * 4 {
		var inner *syntax.Node
		for _, child := range n.NamedChildren() {
			at := stretch{child.Start(), child.End()}
			if at.start <= body.start && body.end <= at.end {
				inner = child
				break
			}
			if at.start >= body.end {
				break
			}
		}
		if inner == nil {
			break
		}
		if inner.Start() == body.start && inner.End() == body.end {
			return []*syntax.Node{inner}, inner
		}
		n = inner
	}
	var parts []*syntax.Node
	for _, child := range n.NamedChildren() {
		if child.Start() >= body.start && child.End() <= body.end {
			parts = append(parts, child)
		}
	}
	return parts, n
}

// isBlanked reports whether the grammar was given less of a body than it holds, its semicolons and the blanks of
// Unicode aside. Most bodies are given as they are, which is told without a copy.
func isBlanked(body, readable []byte) bool {
	return !bytes.Equal(body, readable) && !bytes.Equal(withoutEnds(body), withoutEnds(readable))
}

// withoutEnds is a body without its semicolons and the blanks of Unicode, which may be blanked for a grammar.
func withoutEnds(body []byte) []byte {
	for _, blank := range []string{";", "\u2028", "\u200e", "\u200f"} {
		body = bytes.ReplaceAll(body, []byte(blank), bytes.Repeat([]byte{' '}, len(blank)))
	}
	return body
}

// hasLoose reports whether a body in which the grammar sees nothing holds more than brackets and comments.
func hasLoose(body []byte) bool {
	text := bytes.TrimSpace(bytes.Trim(bytes.TrimSpace(body), "{}"))
	return len(text) > 0 && !bytes.HasPrefix(text, []byte("return")) && bytes.IndexByte(text, '\n') < 0 &&
		lang.IsWordByte(text[0])
}
