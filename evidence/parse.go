package evidence

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
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

// blob is a source: its path, the name of its bytes, "" for none, and the bytes.
type blob struct {
	path, id string
	src      []byte
}

// asksOf says of the node of a definition whether it is asked what its body does. nil asks of none.
type asksOf func(*syntax.Node) bool

// ofAll asks what each body does.
func ofAll(*syntax.Node) bool { return true }

// capture is one match of the query, as plain values: its node and what is
// needed of its fields. A field that is not there is the zero stretch.
type capture struct {
	kind string
	stretch
	name, body, receiver, bound stretch
	// object is the name that the object literal is given to in which it stands directly.
	object stretch
	// located: Locate found the parts; expression: the body is an expression in the place of a block;
	// title: the name is a string.
	located, expression, title bool
	// skips: the test that this is does not run.
	skips bool
	// member: it may stand in an object literal.
	member bool
	// field is the field that the name of a binding stands in, "" for a default export.
	field string
	// effect is what the body does, nil where nobody asks.
	effect *effect
	// header is what stands before the body.
	header *lang.Facts
}

// parsed is everything that the engine takes from a parse.
type parsed struct {
	tree     *syntax.Tree // nil where tokens read the language
	captures []capture
	// errors are the stretches that the grammar could not read, sorted; a missing token is an empty stretch.
	errors []stretch
	// broken are the nodes that errors stand in, as far as the grammar lost its way.
	broken []stretch
	// beside are the nodes right before and after an error: of those, too, the grammar may have lost its way.
	beside []stretch
	// literals are what of strings and texts may span lines.
	literals []stretch
}

// parse reads the source of a blob with the grammar, its tree from the cache where it has an id there. Captures tell
// what those bodies do that asks wants to know of. The error is unreadable where the content is at fault, else ctx's.
func (g *grammar) parse(ctx context.Context, cache *Cache, b blob, asks asksOf) (parsed, error) {
	src := g.Plain(b.src)
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
	tree, err := cache.tree(ctx, g, b)
	if err != nil {
		return parsed{}, err
	}
	readable := g.Parsable(src)
	s := parsed{tree: tree}
	if s.captures, err = runQuery(ctx, g, c, tree, src, readable, asks); err != nil {
		return parsed{}, err
	}
	for n := range tree.Nodes() {
		if n.Symbol() < len(c.literals) && c.literals[n.Symbol()] {
			s.literals = append(s.literals, stretch{n.Start(), n.End()})
		}
	}
	s.captures = append(s.captures, blanked(src, readable)...)
	if tree.Root().HasError() {
		s.errorsIn(tree, src)
	}
	return s, nil
}

// read reads src with the language's tokens. The error is unreadable.
func (g *grammar) read(src []byte) (parsed, error) {
	var s parsed
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

// errorsIn finds what could not be read. Of an error node, the parts that
// were read whole (a function before the bracket that is too many, say) are no
// error; only what is loose in it is.
func (p *parsed) errorsIn(tree *syntax.Tree, src []byte) {
	tree.Walk(func(n *syntax.Node, _ int) bool {
		at := stretch{n.Start(), n.End()}
		if n == tree.Root() {
			at = stretch{0, len(src)}
		}
		if isBroken(n) {
			p.errors = append(p.errors, at)
		}
		if n.IsError() && (!n.IsLeaf() || n == tree.Root()) {
			p.broken = append(p.broken, at)
		}
		if n.IsError() || isBroken(n) {
			p.beside = append(p.beside, beside(n, src)...)
		}
		return n.HasError() && len(p.errors) <= maxErrors
	})
	if len(p.errors) > maxErrors {
		p.errors = []stretch{{0, len(src)}}
		return
	}
	slices.SortFunc(p.errors, byStart)
	p.errors = withWhole(p.errors, p.broken)
}

// beside returns the node that ends on the line where n begins, and the one that comes after n, with the comments on
// its line before that. A bracket is none.
func beside(n *syntax.Node, src []byte) (found []stretch) {
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

// shallow says why a source is not parsed whose brackets nest too deep, read without regard to strings and comments.
func shallow(src []byte) error {
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

// tree parses src, alone where the grammar needs that.
func (g *grammar) tree(ctx context.Context, src []byte) (*syntax.Tree, error) {
	c, err := g.compiled()
	if err != nil {
		return nil, err
	}
	defer g.LockParser()()
	return c.grammar.Parse(ctx, g.Parsable(src))
}
