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

type effect struct {
	flow.Summary
	// isNameless: it has parameters, and none has a name.
	isNameless bool
	// hasResult: its header declares a result.
	hasResult bool
	// doubt says why it may not work, see flow.Effect.
	doubt string
	// futility says why a part of it cannot matter, see flow.File.
	futility string
	// staysInside: nothing that it calls is outside of its program.
	staysInside bool
	// swallows: the failures of all that it does are swallowed, and it gives one answer or none.
	swallows bool
	// testDoubt says why this test cannot fail, "" if it may, or is no test.
	testDoubt string
	// onlyStores: it only stores its parameters in its object.
	onlyStores bool
}

const (
	// maxFollowed bounds the bodies that are followed, in bytes: hollow bodies are short.
	maxFollowed = 2500
	// maxRead bounds the bodies that are read, in bytes, maxJudged their nodes; larger ones count as working.
	maxRead   = 20_000
	maxJudged = 600
)

// signatureOf returns the signature of a function, by which its body can be followed. n is its node, or that of the
// value that is bound to its name.
func (r *reader) signatureOf(n *syntax.Node, c capture) *signature {
	if len(r.roles) == 0 || c.body == (stretch{}) || r.wants == nil {
		return nil
	}
	s := &signature{Reader: r.facts(), file: r, node: n, capture: c, isWanted: r.isWanted(n)}
	if s.isWanted {
		r.wantedEnd = max(r.wantedEnd, n.End())
	}
	s.fn = &flow.Function{Node: n, Reader: s}
	return s
}

func (r *reader) facts() facts.Reader {
	return facts.Reader{Roles: r.roles, Words: r.grammar.Words, Src: r.src, NodesLeft: maxJudged}
}

// Read reads the function when it is followed.
func (s *signature) Read(fn *flow.Function) {
	r, n, body, expression := s.file, s.node, s.capture.body, s.capture.isExpression
	s.readParameters(n, body, s.capture.name)
	fn.IsExpression, fn.BoolParams = expression, paramsBeside(fn.Params, fn.Header, "bool")
	body.end = max(body.start, min(body.end, n.End())) // some grammars include a comment
	fn.HasResult = declaresResult(n, r.src, body)
	declared := n.Type() == "function_declaration" || n.Type() == "function_item" // these declare their results
	fn.ReturnsLast = r.grammar.Is("tail") && (fn.HasResult || !declared) || expression
	parts, parent := statements(n, body)
	text := r.src[body.start:body.end]
	fn.Span = lang.Span{Start: body.start, End: body.end}
	fn.Body = &facts.Term{Span: fn.Span}
	fn.IsTooLong = len(text) > maxFollowed || len(parts) == 0 || parent.HasError() || slices.Contains(fn.Params, "")
	switch {
	case expression && len(parts) == 0 && facts.IsNull(strings.TrimSpace(string(text))):
		fn.Body = &facts.Term{Op: facts.Block, Span: fn.Span,
			Parts: []*facts.Term{{Op: facts.Empty}}} // an anonymous token
	case r.readable != nil && hasBlankedCode(text, r.readable[body.start:body.end]), len(parts) == 0 && hasLooseCode(text),
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

// hasBlankedCode reports whether Parsable blanked more of a body than semicolons and Unicode blanks.
func hasBlankedCode(body, readable []byte) bool {
	return !bytes.Equal(body, readable) && !bytes.Equal(withoutBlankable(body), withoutBlankable(readable))
}

func withoutBlankable(body []byte) []byte {
	for _, blank := range []string{";", "\u2028", "\u200e", "\u200f", "unsafe"} {
		body = bytes.ReplaceAll(body, []byte(blank), bytes.Repeat([]byte{' '}, len(blank)))
	}
	return body
}

// hasLooseCode reports whether a body without nodes holds more than brackets and comments.
func hasLooseCode(body []byte) bool {
	text := bytes.TrimSpace(bytes.Trim(bytes.TrimSpace(body), "{}"))
	return len(text) > 0 && !bytes.HasPrefix(text, []byte("return")) && bytes.IndexByte(text, '\n') < 0 &&
		lang.IsWordByte(text[0])
}
