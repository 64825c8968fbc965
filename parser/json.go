package parser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// JSON reads well-formed JSON value by value, and knows each value's place. Plans, reports, hosts' settings and
// configurations of gates use it: the Decoder of encoding/json takes three times as long.
type JSON struct {
	Source []byte
	// Offset is where reading continues.
	Offset int
	// keys are the keys read so far, so that each takes memory once.
	keys map[string]string
}

// CheckJSON returns the error of invalid JSON, and its place; nil for valid JSON.
func CheckJSON(text []byte) (at int, err error) {
	if json.Valid(text) {
		return 0, nil
	}
	var whole json.RawMessage
	err = json.Unmarshal(text, &whole)
	syntax, _ := errors.AsType[*json.SyntaxError](err)
	if syntax == nil || strings.HasPrefix(err.Error(), "unexpected end") {
		return len(text), err
	}
	return max(int(syntax.Offset)-1, 0), err
}

// Next is the first byte of the next value, or the closing bracket, at Offset.
func (j *JSON) Next() byte {
	for isWhite(j.Source[j.Offset]) {
		j.Offset++
	}
	return j.Source[j.Offset]
}

// Skip passes a value and returns its bytes.
func (j *JSON) Skip() []byte {
	j.Next()
	start, depth := j.Offset, 0
	for {
		switch j.Source[j.Offset] {
		case '"':
			j.skipString()
		case '{', '[':
			depth++
			j.Offset++
		case '}', ']':
			depth--
			j.Offset++
		case ',', ':', ' ', '\n', '\t', '\r':
			j.Offset++
		default:
			for j.Offset < len(j.Source) && !strings.ContainsRune(",]} \n\t\r:", rune(j.Source[j.Offset])) {
				j.Offset++
			}
		}
		if depth == 0 {
			return j.Source[start:j.Offset]
		}
	}
}

func (j *JSON) skipString() []byte {
	start := j.Offset
	for j.Offset++; j.Source[j.Offset] != '"'; j.Offset++ {
		if j.Source[j.Offset] == '\\' {
			j.Offset++
		}
	}
	j.Offset++
	return j.Source[start:j.Offset]
}

// Text reads the string that comes.
func (j *JSON) Text() string {
	j.Next()
	return unquote(j.skipString())
}

func unquote(raw []byte) string {
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			var s string
			_ = json.Unmarshal(raw, &s) // it is well formed
			return s
		}
	}
	return string(raw[1 : len(raw)-1])
}

// Enter goes into the object or list that comes: for j.Enter(); j.More(); { … }.
func (j *JSON) Enter() {
	j.Next()
	j.Offset++
}

// More reports whether the object or list has another member or element, at Offset; otherwise it is left.
func (j *JSON) More() bool {
	next := j.Next()
	if next == ',' {
		j.Offset++
		next = j.Next()
	}
	if next == ']' || next == '}' {
		j.Offset++
		return false
	}
	return true
}

// Key reads the key of the member that comes, up to its value.
func (j *JSON) Key() string {
	raw := j.skipString()
	key, ok := j.keys[string(raw)]
	if !ok {
		if j.keys == nil {
			j.keys = map[string]string{}
		}
		key = unquote(raw)
		j.keys[string(raw)] = key
	}
	j.Next()
	j.Offset++ // the colon
	j.Next()
	return key
}

// maxYAML is the longest YAML that is parsed, in bytes: the longest workflows of public repositories have 60 KiB.
const maxYAML = 128 << 10

// The parser of the YAML library takes time by the square or the cube of these.
const (
	maxYAMLDepth = 100   // nested lists and mappings
	maxYAMLNames = 1_000 // anchors, aliases and documents
	maxYAMLRow   = 1_000 // of a sign that the lexer counts anew at each place
)

// CheckYAML says why a text of YAML is not parsed, and in which line; nil for one that may be. It counts signs,
// whatever they mean there.
func CheckYAML(src []byte) (line int, err error) {
	if len(src) > maxYAML {
		return 1, fmt.Errorf("it has %d bytes, and at most %d are read", len(src), maxYAML)
	}
	var depth, entries, names, row int
	for i, c := range src {
		last, next := byte('\n'), byte('\n')
		if i > 0 {
			last = src[i-1]
		}
		if i+1 < len(src) {
			next = src[i+1]
		}
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(depth-1, 0)
		case (c == '&' || c == '*') && strings.IndexByte(" \t\n,[{", last) >= 0 && strings.IndexByte(" \n&*", next) < 0,
			last == '\n' && (c == '-' || c == '.') && c == next:
			names++
		}
		switch { // `- - - -` is a list in a list
		case c == '-' && next == ' ':
			entries++
		case c != ' ':
			entries = 0
		}
		if row++; c != last || c != '<' && c != '-' && c != '.' {
			row = 0
		}
		for _, counted := range []struct {
			n, most int
			of      string
		}{
			{max(depth, entries), maxYAMLDepth, "lists and mappings in one another"},
			{names, maxYAMLNames, "anchors, aliases and documents"},
			{row, maxYAMLRow, "of one sign in a row"},
		} {
			if counted.n > counted.most {
				return 1 + bytes.Count(src[:i], []byte("\n")), fmt.Errorf("it has more than %d %s", counted.most, counted.of)
			}
		}
	}
	return 0, nil
}

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
