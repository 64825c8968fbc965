// Package yaml describes YAML to package evidence. Every key, value and document
// is data; nothing there is a stub. A comment is none, and neither is a key whose value is
// nothing but TODO, save where the key names states or words (status, label, name …).
//
// The grammar that the tree-sitter binding has for YAML needs the C++ library, which a
// hook would load each time it starts. So comments and values come from the
// lexer of the YAML library that reads the policy as well, and syntax errors from its parser.
package yaml

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/acta-git/acta/evidence/lang"
	message "github.com/acta-git/acta/parser"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// IsUnfilled says yes: Read has looked.
func (Rules) IsUnfilled(_, _ string) bool { return true }

// maxParsed is the largest file whose syntax is checked, in bytes: the library's parser takes quadratic time.
const maxParsed = 32 << 10

// Read marks comments, notes in the place of a value, document marks, and texts over several lines. A file
// that makes the library fail counts as one syntax error.
func (Rules) Read(src []byte) (found []lang.Mark, broken []lang.Span) {
	defer func() {
		if recover() != nil {
			found, broken = nil, []lang.Span{{Start: 0, End: len(src)}}
		}
	}()
	if runsOf(src) > maxRuns || tokensAtMost(src) > maxTokens {
		return nil, []lang.Span{{Start: 0, End: len(src)}}
	}
	// The lexer counts a line twice where a comment ends in \r\n. Without the \r lines and columns are the same.
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	r := reader{src: src, starts: lineStarts(src), tokens: lexer.Tokenize(text)}
	for i, t := range r.tokens {
		r.mark(i, t)
	}
	if at := r.failure(); at >= 0 {
		broken = []lang.Span{{Start: at, End: len(src)}}
	}
	return r.found, broken
}

// maxRuns bounds how often the lexer counts characters that stand in a row: it counts some
// runs anew at each of their characters (github.com/goccy/go-yaml, repeatNum).
const maxRuns = 50_000_000

// maxTokens bounds how many tokens a file may hold, each about 200 bytes of memory: twice what a hand-written one of 2
// MiB does.
const maxTokens = 700_000

// tokensAtMost counts the bytes that a token of their own may begin with, or end at.
func tokensAtMost(src []byte) int {
	n := 0
	for _, b := range src {
		switch b {
		case '\n', ':', '-', ',', '[', ']', '{', '}', '"', '\'', '`', '@', '?', '&', '*', '!', '|', '>', '%', '#':
			n++
		}
	}
	return n
}

// runsOf returns how many characters the lexer counts in runs.
func runsOf(src []byte) (all int) {
	run := 0
	for i, b := range src {
		switch {
		case b != '<' && b != '-' && b != '.':
			run = 0
		case i > 0 && src[i-1] == b:
			run++
		default:
			run = 1
		}
		all += run
	}
	return all
}

// reader reads one file. What it finds is at the lexer's lines and columns, and
// counts only where the source bears it out.
type reader struct {
	src    []byte
	starts []int // of lines
	tokens token.Tokens
	found  []lang.Mark
	// known is the place of the token that was asked for last: they come in order.
	known place
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for at := 0; ; {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			return starts
		}
		at += end + 1
		starts = append(starts, at)
	}
}

func (r *reader) mark(i int, t *token.Token) {
	switch t.Type {
	case token.CommentType:
		r.comment(t)
	case token.DocumentHeaderType, token.DocumentEndType:
		if at := r.offset(t); r.begins(at, t.Value) {
			r.add("bracket", at, at+len(t.Value))
		}
	case token.MappingValueType:
		r.pair(i)
	case token.LiteralType, token.FoldedType:
		r.add("content", r.lineEnd(r.offset(t)), r.nextLine(i+2))
	case token.DoubleQuoteType, token.SingleQuoteType:
		if at, end := r.lineEnd(r.offset(t)), r.nextLine(i+1); at < end {
			r.add("content", at, end)
		}
	}
}

func (r *reader) add(capture string, start, end int) {
	if start >= 0 && start < end {
		r.found = append(r.found, lang.Mark{Capture: capture, Span: lang.Span{Start: start, End: end}})
	}
}

func (r *reader) comment(t *token.Token) {
	if at := r.offset(t); r.begins(at, "#") {
		r.add("comment", at, r.lineEnd(at))
	}
}

// pair marks the key and the value around the colon that is token i, where the value is a note that it is to be
// written.
func (r *reader) pair(i int) {
	if i == 0 || i+1 >= len(r.tokens) {
		return
	}
	key, value := r.tokens[i-1], r.tokens[i+1]
	switch value.Type {
	case token.StringType, token.DoubleQuoteType, token.SingleQuoteType:
	default:
		return
	}
	if i+2 < len(r.tokens) && r.tokens[i+2].Type == token.MappingValueType ||
		!lang.IsUnfilled(key.Value, value.Value) {
		return
	}
	colon, written := r.offset(r.tokens[i]), strings.TrimSpace(value.Origin)
	if !r.begins(colon, ":") {
		return
	}
	// The lexer's column of a value counts the blanks behind it.
	at := len(r.src) - len(bytes.TrimLeft(r.src[colon+1:], " \t\r\n"))
	if r.begins(at, written) {
		r.add("todo", r.offset(key), at+len(written))
	}
}

// place is a column of a line, counted from 1, and its offset.
type place struct{ line, column, at int }

// offset returns where a token stands in the source, -1 where that is not there.
func (r *reader) offset(t *token.Token) int {
	if t.Position == nil || t.Position.Line < 1 || t.Position.Line > len(r.starts) {
		return -1
	}
	p := place{t.Position.Line, 1, r.starts[t.Position.Line-1]}
	if r.known.line == p.line && r.known.column <= t.Position.Column {
		p = r.known // a line can hold a million tokens
	}
	for ; p.column < t.Position.Column; p.column++ {
		if p.at >= len(r.src) || r.src[p.at] == '\n' {
			return -1
		}
		_, size := utf8.DecodeRune(r.src[p.at:])
		p.at += size
	}
	r.known = p
	return p.at
}

func (r *reader) begins(at int, text string) bool {
	return at >= 0 && bytes.HasPrefix(r.src[at:], []byte(text))
}

// lineEnd returns where the line of an offset ends, -1 for none.
func (r *reader) lineEnd(at int) int {
	if at < 0 {
		return -1
	}
	next, _ := slices.BinarySearch(r.starts, at+1)
	if next < len(r.starts) {
		return r.starts[next] - 1
	}
	return len(r.src)
}

// nextLine returns where the line of token i starts, the end of the source where there is none.
func (r *reader) nextLine(i int) int {
	if i >= len(r.tokens) {
		return len(r.src)
	}
	if p := r.tokens[i].Position; p != nil && p.Line >= 1 && p.Line <= len(r.starts) {
		return r.starts[p.Line-1]
	}
	return -1
}

// failure returns where the line of the first syntax error starts, -1 without one.
func (r *reader) failure() int {
	for i, t := range r.tokens {
		if t.Type == token.InvalidType {
			return max(r.nextLine(i), 0)
		}
	}
	if _, err := message.CheckYAML(r.src); err != nil || len(r.src) > maxParsed {
		return -1
	}
	_, err := parser.Parse(r.tokens, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return -1
	}
	if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil && at.GetToken().Position != nil {
		if line := at.GetToken().Position.Line; line >= 1 && line <= len(r.starts) {
			return r.starts[line-1]
		}
	}
	return 0
}
