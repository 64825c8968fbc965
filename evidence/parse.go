package evidence

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

const (
	// maxNesting bounds how deep brackets may nest, since parsers recurse. Hand-written files stay below 100.
	maxNesting = 1500
	// checkEvery is the number of steps between checks of the context.
	checkEvery = 512
	// maxErrors bounds the syntax errors of a file; beyond it the whole file counts as one.
	maxErrors = 5000
)

// maxMarks bounds the matched nodes of a file: five times what code of 2 MiB has.
const maxMarks = 300_000

var errMarks = syntax.Unreadable(fmt.Sprintf("it holds more than %d statements, comments and marks", maxMarks))

// stretch is the half-open range of bytes [start, end).
type stretch struct{ start, end int }

// touches reports whether e shares a byte with s, or is empty and inside it.
func (e stretch) touches(s stretch) bool {
	return e.start < s.end && (e.end > s.start || e.start == s.start)
}

// bodyFilter selects the definitions whose bodies are judged; nil selects none.
type bodyFilter func(*syntax.Node) bool

func everyBody(*syntax.Node) bool { return true }

// capture is one match of the tags, with the parts of a definition.
type capture struct {
	kind string
	stretch
	lang.Parts
	// object is the variable or callee that its object literal is given to.
	object lang.Span
	// field is the field of a binding's name, "" for a default export.
	field string
	traits
}

// traits are what a definition has from its capture.
type traits struct {
	header *lang.Facts
	// signature is that of a function whose body is to be followed.
	signature *signature
	// isMember: it may stand in an object literal; inside a function it is an option there, not part of an interface.
	isMember bool
	// holdsMethods: it is a type whose functions are its methods.
	holdsMethods bool
}

type parseResult struct {
	tree     *syntax.Tree // nil without a grammar
	reader   *reader      // nil without a grammar
	captures []capture
	// errors are the unreadable stretches, sorted; a missing token is an empty one.
	errors     []stretch
	errorNodes []stretch
	// besideErrors are the nodes before and after an error, which may be misread too.
	besideErrors []stretch
	strings      []stretch // string literals
}

// parse parses a file; its tree may be cached. It judges only the bodies that wants selects. The error is Unreadable if
// the content is at fault, else ctx's.
func (g *grammar) parse(ctx context.Context, cache *Cache, f Source, wants bodyFilter) (parseResult, error) {
	src := g.Plain(f.Bytes)
	if err := checkNesting(src); err != nil {
		return parseResult{}, err
	}
	if g.Grammar == nil {
		return g.read(src)
	}
	c, err := g.compiled()
	if err != nil {
		return parseResult{}, err
	}
	tree, err := cache.tree(ctx, g, f)
	if err != nil {
		return parseResult{}, err
	}
	readable := g.Parsable(src)
	s := parseResult{tree: tree}
	if s.reader, err = runQuery(ctx, g, c, tree, src, readable, wants); err != nil {
		return parseResult{}, err
	}
	s.reader.flow.HoldsTests = holdsDoubles(f.Path)
	s.captures, s.strings = append(s.reader.found, blankedWords(src, readable)...), s.reader.strings
	if tree.Root().HasError() && !g.Is("dialects") {
		s.errorsIn(tree, src)
	}
	return s, nil
}

// read reads src with the language's tokens. The error is Unreadable.
func (g *grammar) read(src []byte) (parseResult, error) {
	var s parseResult
	marks, ok := g.Marks(src)
	if !ok || len(marks) > maxMarks {
		return s, errMarks
	}
	for _, m := range marks {
		s.captures = append(s.captures, capture{kind: m.Capture, stretch: stretchOf(m.Span)})
	}
	if at := g.SyntaxErrorAt(src); at >= 0 {
		s.errors = []stretch{{at, len(src)}}
	}
	return s, nil
}

// blankedWords returns the words that Parsable blanked, as decorators, or as the content of a page.
func blankedWords(src, readable []byte) []capture {
	var found []capture
	if bytes.Equal(src, readable) {
		return nil
	}
	kind := "decorator"
	if lang.IsPage(src) {
		kind = "content"
	}
	for i := 0; i < len(src); i++ {
		begin := i
		for i < len(src) && src[i] != ' ' && readable[i] == ' ' {
			i++
		}
		if i > begin {
			found = append(found, capture{kind: kind, stretch: stretch{begin, i}})
		}
	}
	return found
}

// errorsIn finds unreadable stretches. Parts of an error node that were read whole, like a function before a surplus
// bracket, do not count.
func (p *parseResult) errorsIn(tree *syntax.Tree, src []byte) {
	tree.Walk(func(n *syntax.Node, _ int) bool {
		at := stretch{n.Start(), n.End()}
		if n == tree.Root() {
			at = stretch{0, len(src)}
		}
		if isBroken(n) {
			p.errors = append(p.errors, at)
		}
		if n.IsError() && (!n.IsLeaf() || n == tree.Root()) {
			p.errorNodes = append(p.errorNodes, at)
		}
		if n.IsError() || isBroken(n) {
			p.besideErrors = append(p.besideErrors, neighbours(n, src)...)
		}
		return n.HasError() && len(p.errors) <= maxErrors
	})
	if len(p.errors) > maxErrors {
		p.errors = []stretch{{0, len(src)}}
		return
	}
	slices.SortFunc(p.errors, byStart)
	p.errors = withWhole(p.errors, p.errorNodes)
}

// neighbours returns the node that ends on the line where n begins, and the next one after n, with comments on the
// line. Brackets do not count.
func neighbours(n *syntax.Node, src []byte) (found []stretch) {
	onLine := func(from, to int) bool { return bytes.IndexByte(src[from:max(from, to)], '\n') < 0 }
	start := n.Start() + facts.LeadingBlanks(src[n.Start():])
	if before := n.Before(); before != nil && before.IsNamed() && onLine(before.End(), start) {
		found = append(found, stretch{before.Start(), before.End()})
	}
	for next := n.After(); next != nil; next = next.After() {
		comment := next.IsExtra() && !next.IsError()
		if next.IsNamed() && (!comment || onLine(n.End(), next.Start())) {
			found = append(found, stretch{next.Start(), next.End()})
		}
		if !comment {
			break
		}
	}
	return found
}

// isBroken reports whether a node is a syntax error: a missing token, a loose token in an error, or an empty error.
func isBroken(n *syntax.Node) bool {
	if n.IsMissing() {
		return n.Type() != "\n" // an optional line end
	}
	return n.IsLeaf() && (n.IsError() || n.Parent() != nil && n.Parent().IsError() && !n.IsExtra())
}

// withWhole adds the error nodes without loose tokens.
func withWhole(found, whole []stretch) []stretch {
	for _, w := range whole {
		i, _ := slices.BinarySearchFunc(found, w, byStart)
		if i == len(found) || found[i].start >= w.end {
			found = slices.Insert(found, i, w)
		}
	}
	return found
}

func byStart(a, b stretch) int { return cmp.Or(a.start-b.start, b.end-a.end) }

// checkNesting returns an error if brackets nest too deep, strings and comments included.
func checkNesting(src []byte) error {
	depth := 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			if depth++; depth > maxNesting {
				return syntax.Unreadable(fmt.Sprintf("its brackets nest deeper than %d", maxNesting))
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return nil
}

// tree parses src, exclusively if the grammar needs that.
func (g *grammar) tree(ctx context.Context, src []byte) (*syntax.Tree, error) {
	c, err := g.compiled()
	if err != nil {
		return nil, err
	}
	defer g.LockParser()()
	return c.grammar.Parse(ctx, g.Parsable(src))
}
