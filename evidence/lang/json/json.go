// Package json describes JSON to package evidence, with the comments and the commas at the end that
// many tools let pass. Every key and value is data; nothing there is a stub. A comment is
// none, and neither is a key whose value is nothing but TODO, save where the key names states or words.
//
// The tree-sitter binding has no grammar for JSON: a small reader finds comments
// and strings, and the standard library says whether the rest is JSON.
package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// IsUnfilled says yes: Read has looked.
func (Rules) IsUnfilled(_, _ string) bool { return true }

// Read marks comments and notes in the place of a value.
func (Rules) Read(src []byte) ([]lang.Mark, []lang.Span) {
	r := read(src)
	if at := failure(r.plain); at >= 0 {
		return r.found, []lang.Span{{Start: at, End: len(src)}}
	}
	return r.found, nil
}

// Plain is a file without what only some tools allow: comments and commas before a closing bracket are blanks.
func Plain(src []byte) []byte { return read(src).plain }

func read(src []byte) *reader {
	r := &reader{src: src, plain: bytes.Clone(src), comma: -1}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		r.blank(0, 3)
		r.at = 3
	}
	for r.at < len(src) {
		r.step()
	}
	return r
}

// reader reads one file. plain is what the standard library is to read: comments
// and commas before a closing bracket are blanks there.
type reader struct {
	src, plain []byte
	at         int
	comma      int       // where the last token stands, if it is a comma; -1
	last, key  lang.Span // the last string, and the one before a colon; none after anything else
	found      []lang.Mark
}

// step reads one token.
func (r *reader) step() {
	rest := r.src[r.at:]
	switch b := rest[0]; {
	case bytes.IndexByte([]byte(" \t\r\n"), b) >= 0:
		r.at++
	case bytes.HasPrefix(rest, []byte("//")):
		r.comment("\n", 0)
	case bytes.HasPrefix(rest, []byte("/*")):
		r.comment("*/", 2)
	case b == '"':
		r.text()
	case b == ':':
		r.key, r.last = r.last, lang.Span{}
		r.comma = -1
		r.at++
	default:
		if (b == ']' || b == '}') && r.comma >= 0 {
			r.blank(r.comma, r.comma+1)
		}
		r.comma = -1
		if b == ',' {
			r.comma = r.at
		}
		r.last, r.key = lang.Span{}, lang.Span{}
		r.at++
	}
}

// comment reads up to an end, of which keep bytes belong to the comment.
func (r *reader) comment(end string, keep int) {
	start := r.at
	if i := bytes.Index(r.src[start+2:], []byte(end)); i >= 0 {
		r.at = start + 2 + i + keep
	} else {
		r.at = len(r.src)
	}
	r.found = append(r.found, lang.Mark{Capture: "comment", Span: lang.Span{Start: start, End: r.at}})
	r.blank(start, r.at)
}

func (r *reader) blank(start, end int) {
	for i := start; i < end; i++ {
		if b := r.plain[i]; b != '\n' && b != '\r' {
			r.plain[i] = ' '
		}
	}
}

// text reads a string, and with it the pair whose value it is.
func (r *reader) text() {
	start := r.at
	for r.at++; r.at < len(r.src) && r.src[r.at] != '"' && r.src[r.at] != '\n'; r.at++ {
		if r.src[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at+1, len(r.src))
	r.last, r.comma = lang.Span{Start: start, End: r.at}, -1
	if r.key != (lang.Span{}) && lang.IsUnfilled(r.of(r.key), r.of(r.last)) {
		r.found = append(r.found, lang.Mark{Capture: "todo", Span: lang.Span{Start: r.key.Start, End: r.at}})
	}
}

func (r *reader) of(s lang.Span) string { return string(bytes.Trim(r.src[s.Start:s.End], `"`)) }

// failure returns where the first thing stands that is not JSON, -1 without one. Values may follow each other, a line
// each.
func failure(src []byte) int {
	d := json.NewDecoder(bytes.NewReader(src))
	for {
		start := int(d.InputOffset())
		var value json.RawMessage
		err := d.Decode(&value)
		if err == io.EOF {
			return -1
		}
		if err != nil {
			var at *json.SyntaxError
			errors.As(json.Unmarshal(src[start:], &value), &at) // the same error, its offset counted from here
			if at == nil {
				return start
			}
			return min(start+max(int(at.Offset)-1, 0), len(src))
		}
	}
}
