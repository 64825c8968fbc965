package evidence

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

const (
	// maxNesting bounds how deep brackets may nest. A parser recurses or
	// backtracks over them; hand-written files stay below 100.
	maxNesting = 1500
	// checkEvery is after how many steps it is asked whether to go on.
	checkEvery = 512
	// maxErrors bounds how many syntax errors of a file are looked at; beyond it the whole file counts as one.
	maxErrors = 5000
)

// maxMarks bounds how many nodes of a file are looked at: five times what code of 2 MiB has.
const maxMarks = 300_000

var errMarks = syntax.Unreadable(fmt.Sprintf("it holds more than %d statements, comments and marks", maxMarks))

// stretch is the half-open range of bytes [start, end).
type stretch struct{ start, end int }

// touches reports whether e shares a byte with s, or is empty and stands in it.
func (e stretch) touches(s stretch) bool {
	return e.start < s.end && (e.end > s.start || e.start == s.start)
}

// capture is one match of the query, as plain values: its node and what is
// needed of its fields. A field that is not there is the zero stretch.
type capture struct {
	kind string
	stretch
	name, body, receiver, bound stretch
	// located: Locate found the parts; expression: the body is an expression in the place of a block;
	// title: the name is a string.
	located, expression, title bool
	// skips: the test that this is does not run.
	skips bool
	// member: it may stand in an object literal.
	member bool
	// field is the field that the name of a binding stands in, "" for a default export.
	field string
	// effect is what the body does.
	effect effect
	// header is what stands before the body; nil where the language asks nothing of it.
	header *header
}

// parsed is everything that the engine takes from a parse.
type parsed struct {
	captures []capture
	// errors are the stretches that the grammar could not read, sorted; a missing token is an empty stretch.
	errors []stretch
	// broken are the nodes that errors stand in, as far as the grammar lost its way.
	broken []stretch
}

// parse reads src with the grammar. The error is unreadable where the content
// is at fault, else ctx's.
func (g *grammar) parse(ctx context.Context, src []byte) (parsed, error) {
	if err := shallow(src); err != nil {
		return parsed{}, err
	}
	if g.Grammar == nil {
		return g.read(src)
	}
	c, err := g.compiled()
	if err != nil {
		return parsed{}, err
	}
	readable := g.Readable(src)
	tree, err := g.parseTree(ctx, c, readable)
	if err != nil {
		return parsed{}, err
	}
	var s parsed
	if s.captures, err = runQuery(ctx, g, c, tree, src, readable); err != nil {
		return parsed{}, err
	}
	if g.Annotated {
		s.captures = append(s.captures, blanked(src, readable)...)
	}
	if tree.Root().HasError() {
		s.errors, s.broken = errorsIn(tree, len(src))
	}
	return s, nil
}

// read reads src with the language's own reader. The error is unreadable.
func (g *grammar) read(src []byte) (parsed, error) {
	var s parsed
	marks, errors := g.Read(src)
	if len(marks) > maxMarks {
		return s, errMarks
	}
	for _, m := range marks {
		s.captures = append(s.captures, capture{kind: m.Capture, stretch: stretchOf(m.Span)})
	}
	for _, e := range errors {
		s.errors = append(s.errors, stretchOf(e))
	}
	return s, nil
}

// blanked returns what was blanked of a source to make it readable, as decorators, a word each.
func blanked(src, readable []byte) []capture {
	var found []capture
	if bytes.Equal(src, readable) {
		return nil
	}
	for i := 0; i < len(src); i++ {
		begin := i
		for i < len(src) && src[i] != ' ' && readable[i] == ' ' {
			i++
		}
		if i > begin {
			found = append(found, capture{kind: "decorator", stretch: stretch{begin, i}})
		}
	}
	return found
}

// runQuery returns every match of the query below root that says something.
func runQuery(ctx context.Context, g *grammar, c *compiled, tree *syntax.Tree, src, readable []byte) ([]capture, error) {
	r := reader{grammar: g, roles: c.roles, words: c.words, src: src, readable: readable, ends: map[int]bool{}}
	r.headers = slices.ContainsFunc(g.Complete, func(w language.Word) bool { return len(w.When) > 0 })
	found := 0
	for n := range tree.Nodes() {
		kind := c.marks.of(n)
		if kind == "" {
			continue
		}
		if found++; found > maxMarks {
			return nil, errMarks
		}
		if found%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.read(kind, n)
	}
	return r.bind(), nil
}

// reader turns matches into captures.
type reader struct {
	grammar  *grammar
	roles    []language.Role
	words    map[string]language.Role
	src      []byte
	readable []byte
	found    []capture
	// ends are where values end; bindings waits for all of them.
	ends     map[int]bool
	starts   []int // where values start, sorted
	bindings []binding
	headers  bool
}

// binding is a match that may give a value its name.
type binding struct {
	capture
	node  *syntax.Node
	value string // field
}

func (r *reader) read(kind string, n *syntax.Node) {
	if kind == "ask" {
		if n.Start() == n.End() {
			return // a missing token
		}
		if kind = r.grammar.Capture(n, r.src); kind == "" {
			return
		}
	}
	start := n.Start()
	c := capture{kind: kind, stretch: stretch{start: start + leadingBlanks(r.src[start:])}}
	if !r.mayMatter(kind, r.src[c.start:]) {
		return // most statements, and cheaply told
	}
	c.end = max(c.start, n.End())
	if effect := r.probe(kind, c.stretch); effect != "" {
		c.kind = effect
		r.found = append(r.found, c)
		return
	}
	switch kind {
	case "function", "function.member", "class", "type", "scope":
		c.kind, c.member = strings.TrimSuffix(kind, ".member"), kind == "function.member"
		if !r.locate(kind, n, &c) {
			return
		}
		if r.headers {
			c.header = headerOf(n, c.body, r.src)
		}
		if c.kind == "function" {
			c.effect = r.effectOf(n, c, c.expression)
		}
	case "value", "value.class":
		c.body = field(n, "body")
		if r.headers {
			c.header = headerOf(n, c.body, r.src)
		}
		if kind == "value" {
			c.effect = r.effectOf(n, c, c.body.start < c.body.end && r.src[c.body.start] != '{')
		}
		r.ends[c.end] = true
		r.starts = append(r.starts, c.start)
	case "throw":
		if !r.saysUndone(n, c.stretch) {
			return
		}
		c.kind = "undone"
	case "expression":
		if r.titled(n, &c) {
			c.effect = r.effectOf(n, c, c.expression)
			break
		}
		if c.kind = r.bare(n); c.kind == "" {
			return
		}
	default:
		if sort, fields, ok := strings.Cut(kind, "."); ok {
			value := fields
			if sort != "default" {
				c.field, value, _ = strings.Cut(fields, ".")
			}
			c.kind, c.member = "binding", sort == "member"
			r.bindings = append(r.bindings, binding{c, n, value})
			return
		}
	}
	r.found = append(r.found, c)
}

// saysUndone reports whether a statement does nothing but say that the work is not done.
func (r *reader) saysUndone(n *syntax.Node, s stretch) bool {
	text := r.src[s.start:s.end]
	if len(text) <= maxPlaceholder && untested.Match(text) {
		return true
	}
	if len(text) > maxMessage || !language.MayMark(text) && string(text) != "???" {
		return false // most, and cheaply told
	}
	j := &judgement{grammar: r.grammar, roles: r.roles, src: r.src, whole: s, locals: map[string]value{}, left: maxJudged}
	return sureThrow.Match(text) && j.statement(n, false) != acts && j.unmade
}

// leadingBlanks counts the blanks that a text begins with: some grammars count those before a token to it.
func leadingBlanks(text []byte) int {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// locate finds the parts of a definition.
func (r *reader) locate(kind string, n *syntax.Node, c *capture) bool {
	parts, ok := r.grammar.Locate(kind, n, r.src)
	if ok {
		r.place(parts, c)
	}
	return ok
}

// titled reports whether an expression is a test that is named by its title, and finds its parts.
func (r *reader) titled(n *syntax.Node, c *capture) bool {
	if !language.HasPrefix(r.src, c.start, r.grammar.Titles...) {
		return false
	}
	parts, ok := r.grammar.Titled(n, r.src)
	if ok {
		c.kind = "function"
		r.place(parts, c)
		c.title = true
	}
	return ok
}

// place notes the parts of a definition that its language has found.
func (r *reader) place(parts language.Parts, c *capture) {
	c.located, c.expression, c.title, c.skips = !parts.ByField, parts.Expression, parts.Title, parts.Skips
	if parts.Title {
		r.probeAlone(stretchOf(parts.Body))
	}
	c.name, c.body, c.receiver = stretchOf(parts.Name), stretchOf(parts.Body), stretchOf(parts.Receiver)
	if parts.Whole != (language.Span{}) {
		c.stretch = stretchOf(parts.Whole)
	}
}

func stretchOf(s language.Span) stretch { return stretch{s.Start, s.End} }

// probe returns what a statement does, as the kind of a capture; "" for most.
func (r *reader) probe(kind string, s stretch) string {
	switch kind {
	case "throw", "expression", "probe":
	default:
		return ""
	}
	if s.end-s.start > maxMessage || !language.HasPrefix(r.src[s.start:], 0, r.grammar.Probes...) {
		return ""
	}
	switch r.grammar.Probe(string(r.src[s.start:s.end])) {
	case language.Vacuous:
		return "vacuous"
	case language.Skipping:
		return "skips"
	case language.Idle:
		return "dropped"
	}
	return ""
}

// bind adds the bindings that have a value at their end.
func (r *reader) bind() []capture {
	for _, b := range r.bindings {
		if b.field != "" && !r.ends[b.end] && !r.holdsValue(b.stretch) {
			continue
		}
		if b.field != "" {
			b.name = field(b.node, b.field)
		}
		b.bound = r.unwrap(b)
		r.found = append(r.found, b.capture)
	}
	return r.found
}

// probeAlone looks at a test of one word: skip, in Ruby.
func (r *reader) probeAlone(body stretch) {
	text := strings.TrimSpace(string(r.src[body.start:body.end]))
	word := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "do"), "end"))
	if len(text) > maxPlaceholder || !isWord(word) {
		return
	}
	at := body.start + bytes.Index(r.src[body.start:body.end], []byte(word))
	if kind := r.probe("probe", stretch{at, at + len(word)}); kind != "" {
		r.found = append(r.found, capture{kind: kind, stretch: stretch{at, at + len(word)}})
	}
}

// holdsValue reports whether a value starts in a stretch.
func (r *reader) holdsValue(s stretch) bool {
	i, _ := slices.BinarySearch(r.starts, s.start)
	return i < len(r.starts) && r.starts[i] < s.end
}

// maxWraps bounds how many brackets, assertions and calls may stand around a value.
const maxWraps = 8

// unwrap returns the value of a binding without what is written around it:
// brackets, assertions of its type, and calls whose first argument is a function
// of the binding's own name, memo(function Login() {…}).
func (r *reader) unwrap(b binding) stretch {
	n := b.node.Field(b.value)
	called := false
	for range maxWraps {
		if n == nil {
			return stretch{}
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
			at := stretch{n.Start(), n.End()}
			if called && !r.sharesName(b, field(n, "name")) {
				return stretch{}
			}
			return at
		}
	}
	return stretch{}
}

// sharesName reports whether a function's own name begins as the binding's does; a default export has none.
func (r *reader) sharesName(b binding, own stretch) bool {
	return own != stretch{} && bytes.HasPrefix(r.src[own.start:own.end], r.src[b.name.start:b.name.end])
}

// mayMatter reports whether a statement begins as those of its kind do that are looked at.
func (r *reader) mayMatter(kind string, rest []byte) bool {
	switch kind {
	case "throw":
		return true
	case "probe":
		return language.HasPrefix(rest, 0, r.grammar.Probes...)
	case "expression":
		return mayBeBare(rest) || language.HasPrefix(rest, 0, r.grammar.Probes...) || language.HasPrefix(rest, 0, r.grammar.Titles...)
	}
	return true
}

// mayBeBare reports whether a statement begins as a string literal or an ellipsis does.
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

// bare tells what a statement of one expression is that does nothing: a docstring, an ellipsis, or "".
func (r *reader) bare(n *syntax.Node) string {
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

// evaluates reports whether a string runs code.
func evaluates(literal *syntax.Node) bool {
	return slices.ContainsFunc(literal.NamedChildren(), func(c *syntax.Node) bool {
		kind := c.Type()
		return strings.Contains(kind, "interpol") || strings.Contains(kind, "expression") || strings.Contains(kind, "substitution")
	})
}

func field(n *syntax.Node, name string) stretch {
	child := n.Field(name)
	if child == nil {
		return stretch{}
	}
	return stretch{child.Start(), child.End()}
}

// errorsIn returns what could not be read. Of an error node, the parts that
// were read whole (a function before the bracket that is too many, say) are no
// error; only what is loose in it is. whole are the error nodes that have parts.
func errorsIn(tree *syntax.Tree, size int) (found, whole []stretch) {
	tree.Walk(func(n *syntax.Node, _ int) bool {
		at := stretch{n.Start(), n.End()}
		if n == tree.Root() {
			at = stretch{0, size}
		}
		if isBroken(n) {
			found = append(found, at)
		}
		if n.IsError() && (!n.IsLeaf() || n == tree.Root()) {
			whole = append(whole, at)
		}
		return n.HasError() && len(found) <= maxErrors
	})
	if len(found) > maxErrors {
		return []stretch{{0, size}}, whole
	}
	slices.SortFunc(found, byStart)
	return withWhole(found, whole), whole
}

// isBroken reports whether a node is itself a syntax error: a missing token, one
// that stands loose in an error, or an error without parts.
func isBroken(n *syntax.Node) bool {
	if n.IsMissing() {
		return n.Type() != "\n" // an end of line that may be left out
	}
	return n.IsLeaf() && (n.IsError() || n.Parent() != nil && n.Parent().IsError() && !n.IsExtra())
}

// withWhole adds the error nodes in which nothing loose was found.
func withWhole(found, whole []stretch) []stretch {
	for _, w := range whole {
		i, _ := slices.BinarySearchFunc(found, w, byStart)
		if i == len(found) || found[i].start >= w.end {
			found = slices.Insert(found, i, w)
		}
	}
	return found
}

func byStart(a, b stretch) int {
	if a.start != b.start {
		return a.start - b.start
	}
	return b.end - a.end
}

// shallow says why a source is not parsed whose brackets nest too deep.
func shallow(src []byte) error {
	if nesting(src) > maxNesting {
		return syntax.Unreadable(fmt.Sprintf("its brackets nest deeper than %d", maxNesting))
	}
	return nil
}

// nesting returns how deep the brackets of src nest, read without regard to strings and comments.
func nesting(src []byte) int {
	depth, deepest := 0, 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

// inText reports whether a byte of src stands in a literal that may span lines.
// It parses src once more; only lines that hold nothing but brackets ask for it.
func (g *grammar) inText(ctx context.Context, src []byte, at int) (bool, error) {
	if g.Grammar == nil {
		return false, nil // its @content are no brackets
	}
	c, err := g.compiled()
	if err != nil {
		return false, err
	}
	tree, err := g.parseTree(ctx, c, g.Readable(src))
	if err != nil {
		return false, err
	}
	for n := range tree.At(at) {
		if slices.Contains(g.Strings, n.Type()) {
			return true, nil
		}
	}
	return false, nil
}

// parseTree parses src, alone where the grammar needs that.
func (g *grammar) parseTree(ctx context.Context, c *compiled, src []byte) (*syntax.Tree, error) {
	defer g.Alone()()
	return c.grammar.Parse(ctx, src)
}
