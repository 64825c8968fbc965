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

type effect struct {
	flow.Summary
	isNameless  bool     // it has parameters, and none has a name
	hasResult   bool     // its header declares a result
	doubt       string   // says why it may not work, see flow.Effect
	futility    string   // says why a part of it cannot matter, see flow.File
	staysInside bool     // nothing that it calls is outside of its program
	swallows    bool     // the failures of all that it does are swallowed, and it gives one answer or none
	testDoubt   string   // says why this test cannot fail, "" if it may, or is no test
	onlyStores  bool     // it only stores its parameters in its object
	unread      []string // the parameters that it never names again
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
	if len(r.roles) == 0 || c.Body == (lang.Span{}) || r.wants == nil {
		return nil
	}
	s := &signature{Reader: r.facts(), file: r, capture: c, isWanted: r.isWanted(n)}
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
func (s *signature) Read() {
	r, fn, n, body, expression := s.file, s.fn, s.fn.Node, s.capture.Body, s.capture.IsExpression
	s.readParameters()
	fn.IsExpression, fn.BoolParams = expression, paramsBeside(fn.Params, fn.Header, "bool")
	body.End = max(body.Start, min(body.End, n.End())) // some grammars include a comment
	fn.HasResult = declaresResult(n, r.src, body)
	declared := n.Type() == "function_declaration" || n.Type() == "function_item" // these declare their results
	fn.ReturnsLast = r.grammar.Is("tail") && (fn.HasResult || !declared) || expression
	parts, parent := statements(n, body)
	text := r.src[body.Start:body.End]
	fn.Span, fn.Body = body, &facts.Term{Span: body}
	fn.IsTooLong = len(text) > maxFollowed || len(parts) == 0 || parent.HasError() || slices.Contains(fn.Params, "")
	switch {
	case expression && len(parts) == 0 && facts.IsNull(strings.TrimSpace(string(text))):
		fn.Body.Op, fn.Body.Parts = facts.Block, []*facts.Term{{Op: facts.Empty}} // an anonymous token
	case r.readable != nil && hasBlankedCode(text, r.readable[body.Start:body.End]), len(parts) == 0 && hasLooseCode(text),
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

func statements(n *syntax.Node, body lang.Span) ([]*syntax.Node, *syntax.Node) {
	for range maxWraps * 4 {
		var inner *syntax.Node
		for _, child := range n.NamedChildren() {
			if child.Start() <= body.Start && body.End <= child.End() {
				inner = child
				break
			}
			if child.Start() >= body.End {
				break
			}
		}
		if inner == nil {
			break
		}
		if lang.At(inner) == body {
			return []*syntax.Node{inner}, inner
		}
		n = inner
	}
	var parts []*syntax.Node
	for _, child := range n.NamedChildren() {
		if child.Start() >= body.Start && child.End() <= body.End {
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

// followFunctions judges the wanted functions of a file: what they do, and whether their parameters reach a result.
func (r *reader) followFunctions(m *model) {
	for _, d := range m.definitions {
		if s := d.signature; s != nil {
			s.readName(d)
			fn := s.fn
			if _, several := r.flow.Functions[fn.Name]; several || d.isTitled {
				fn = nil
			}
			r.flow.Functions[s.fn.Name] = fn
			if d.object != "" {
				r.flow.Functions[d.object+"."+s.fn.Name] = s.fn
			}
		}
	}
	hollow := map[*flow.Function]bool{}
	for _, d := range m.definitions {
		if d.signature == nil || !d.signature.isWanted {
			continue
		}
		e, fn := &d.effect, d.signature.fn
		var followed flow.Effect
		if e.Summary, followed = r.flow.Analyze(fn); e.Outcome == flow.DoesNothing && e.HasBareReturn &&
			namesResult(fn.Node) {
			e.Outcome, e.ReturnsNull = flow.ReturnsConstant, true
		}
		fn.IsTest = m.looksTest(d)
		e.testDoubt = r.testDoubt(fn)
		e.isNameless, e.hasResult = fn.HasOnlyNamelessParams, e.Outcome != flow.DoesWork && fn.HasResult
		if d.isTitled || fn.IsTooLong || e.Outcome != flow.DoesWork && e.Outcome != flow.ReturnsConstant {
			continue
		}
		e.futility, e.swallows = r.flow.Futility(fn)
		e.staysInside, e.unread = r.flow.StaysInside(fn), m.unreadParams(d, fn)
		e.onlyStores = (followed.Stores || followed.SetsConstants) && !followed.Acts && !followed.ReturnsValue
		doubt := followed.Doubt(fn.Name, fn.NamedParams)
		if isConstant := followed.Flag == strings.ToUpper(followed.Flag); e.futility == "" && isConstant &&
			strings.HasPrefix(doubt, flow.BehindFlag) {
			e.futility = doubt // whatever its parameters are: no other file sets a constant
		}
		if e.doubt = doubt; doubt == "" || doubt == flow.OnlyPassesThrough || doubt == flow.EchoesUndone {
			e.doubt = cmp.Or(r.inputDoubt(m, fn), doubt)
		}
		if e.doubt == "" && patternOf("empty handler").Match(r.src[fn.Span.Start:fn.Span.End]) {
			e.doubt = flow.EmptyHandler
		}
		if doubt == "" || e.doubt != doubt {
			continue
		}
		for _, helper := range followed.Helpers {
			hollow[helper] = true
		}
	}
	for _, d := range m.definitions {
		e, s := &d.effect, d.signature
		if d.signature = nil; s != nil && s.isWanted && hollow[s.fn] && e.doubt == "" &&
			(e.Outcome == flow.DoesWork || e.Outcome == flow.ReturnsConstant) {
			e.doubt = "does nothing with its parameters"
		}
	}
}

// unreadParams lists the parameters that a function never names after it declares them. One or two letters, an
// underscore before the name, or a name of what frameworks hand over may say that it is only there for the callers.
func (m *model) unreadParams(d *definition, fn *flow.Function) (names []string) {
	text := strings.ReplaceAll(m.withoutComments(stretch{d.start, d.end}), "$", " ")
	hasWord := func(word string) bool { return lang.HasWord(text, word) }
	if fn.NamedParams == 0 || strings.EqualFold(fn.Name, "main") || strings.HasPrefix(fn.Name, "__") ||
		fits("property params", fn.Header) || slices.ContainsFunc(implicitInput, hasWord) {
		return nil
	}
	for _, p := range fn.Params {
		name := strings.Trim(p, "$&*")
		if len(name) > 2 && name[0] != '_' && !lang.InList("handed", name) &&
			!lang.HasWord(strings.Replace(text, name, "", 1), name) {
			names = append(names, name)
		}
	}
	return names
}

// inputDoubt doubts a function that returns something, and whose code names neither a parameter nor its object, nor
// calls what may be a method of it. The parameters of main and of a special method are prescribed.
func (r *reader) inputDoubt(m *model, fn *flow.Function) string {
	if fn.NamedParams == 0 || strings.EqualFold(fn.Name, "main") || strings.HasPrefix(fn.Name, "__") ||
		lang.HasListedWord("chance", fn.Name) ||
		slices.Contains([]facts.Op{facts.Unknown, facts.Raise}, fn.Body.Single().Op) {
		return ""
	}
	text := strings.ReplaceAll(m.withoutComments(stretchOf(fn.Span)), "$", " ")
	hasWord := func(word string) bool { return lang.HasWord(text, strings.Trim(word, "$&*")) }
	returns := fn.IsExpression || fn.ReturnsLast && fn.HasResult || fits("returns a value", text)
	switch {
	case !returns || strings.Contains(text, "@"):
	case r.dropsMember(fn, text):
		return flow.DropsValue
	case !slices.ContainsFunc(slices.Concat(fn.Params, fn.SelfNames, implicitInput), hasWord) && !(fn.IsMethod &&
		r.grammar.Is("unqualified") && fits("bare call", string(r.src[fn.Body.Span.Start:fn.Body.Span.End]))):
		return flow.IgnoresInput
	}
	return ""
}

// dropsMember reports whether a body reads a member into a name that it does not use, and always returns a constant.
func (r *reader) dropsMember(fn *flow.Function, text string) bool {
	parts := fn.Body.Single().Parts
	if len(parts) == 0 || strings.Count(text, "return") > 1 {
		return false
	}
	last := parts[len(parts)-1]
	if last.Op != facts.Return || len(last.Parts) != 1 ||
		!lang.IsConstant(string(r.src[last.Parts[0].Span.Start:last.Parts[0].Span.End])) {
		return false
	}
	return slices.ContainsFunc(parts, func(t *facts.Term) bool {
		t = t.Single()
		return t.Op == facts.Declare && len(t.Parts) == 2 && t.Parts[1].Single().Op == facts.Member &&
			!lang.HasWord(text[t.Span.End-fn.Span.Start:], t.Parts[0].Text)
	})
}

// implicitInput are words that read what no parameter names.
var implicitInput = strings.Fields("super yield args arguments func_get_args get_defined_vars compact locals binding")

// paramsBeside returns the parameters next to a word in the header that begins or ends with another: bool, UNUSED.
func paramsBeside(params []string, header, with string) (all []string) {
	words := strings.FieldsFunc(header, func(r rune) bool { return r < 0x80 && !lang.IsWordByte(byte(r)) })
	for i, word := range words {
		if !slices.Contains(params, word) {
			continue
		}
		for _, neighbour := range words[max(0, i-1):min(len(words), i+2)] {
			if neighbour = strings.ToLower(neighbour); strings.HasPrefix(neighbour, with) || strings.HasSuffix(neighbour, with) {
				all = append(all, word)
			}
		}
	}
	return all
}
