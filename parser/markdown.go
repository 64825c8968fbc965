package parser

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxNesting limits how deep lists and quotations nest, since blank lines take time in proportion. Deeper ones are read
// as text.
const maxNesting = 6

// markdown reads the blocks of CommonMark, with code spans as the only inline elements: links and emphasis do not
// matter for tasks. goldmark's own task-list extension is not used: it comes with eight others, which take longer to
// set up than all of acta's start.
func markdown(src []byte) ast.Node {
	if mark := []byte("\ufeff"); bytes.HasPrefix(src, mark) { // three blanks have as many bytes, and do not indent
		src = slices.Concat([]byte("   "), src[len(mark):])
	}
	blocks := []parser.BlockParser{
		parser.NewSetextHeadingParser(), parser.NewThematicBreakParser(), boundedParser{parser.NewListParser()},
		parser.NewListItemParser(),
		parser.NewCodeBlockParser(), parser.NewATXHeadingParser(), parser.NewFencedCodeBlockParser(),
		boundedParser{parser.NewBlockquoteParser()},
		parser.NewHTMLBlockParser(), parser.NewParagraphParser(),
	}
	ordered := make([]util.PrioritizedValue, len(blocks))
	for i, b := range blocks {
		ordered[i] = util.Prioritized(b, i)
	}
	return parser.NewParser(
		parser.WithBlockParsers(ordered...),
		parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 0)),
	).Parse(text.NewReader(src))
}

// boundedParser opens no block below maxNesting others.
type boundedParser struct{ parser.BlockParser }

func (b boundedParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		switch n.(type) {
		case *ast.ListItem, *ast.Blockquote:
			depth++
		}
	}
	if depth >= maxNesting {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}

// codeSpans are the code spans of a block, without their backticks, in order.
func codeSpans(block ast.Node) []piece {
	var out []piece
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		span, ok := n.(*ast.CodeSpan)
		if !ok {
			continue
		}
		first, ok1 := span.FirstChild().(*ast.Text)
		last, ok2 := span.LastChild().(*ast.Text)
		if ok1 && ok2 {
			out = append(out, piece{first.Segment.Start, last.Segment.Stop})
		}
	}
	return out
}
