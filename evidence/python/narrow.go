package python

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// needless returns what of a file need not be parsed to find its stubs: definitions
// at its top, and in the classes there, that hold none. ok is false where the
// file is better parsed whole: its brackets or strings cannot be followed.
func needless(src []byte, probes []string) (stretches []language.Span, ok bool) {
	o := outline{scanner: scanner{src: src, probes: probes}}
	if !o.read() {
		return nil, false
	}
	return o.idle(0, len(o.lines)), true
}

// outline is a file by its logical lines.
type outline struct {
	scanner
	lines []logicalLine
}

// logicalLine is where a statement begins that stands first on its line.
type logicalLine struct {
	start  int // of the line, its indentation included
	indent int
	kind   lineKind
	stub   bool // behind a def of it, up to the next logical line, a stub may stand
}

type lineKind uint8

const (
	plain lineKind = iota
	decorator
	definesFunction
	definesClass
)

// read lists the logical lines; false where it loses its way.
func (o *outline) read() bool {
	depth, fresh := 0, true
	for o.at < len(o.src) {
		switch b := o.next(); {
		case b == '\n':
			o.at++
			fresh = depth == 0
		case b == '\\' || b == 0:
			return false
		case b == '#':
			o.at = language.LineEnd(o.src, o.at)
		case language.IsBlank(b):
			o.at++
		default:
			if fresh && depth == 0 {
				o.begin()
			}
			fresh = false
			switch b {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if !o.word() || depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// begin notes a logical line at the place.
func (o *outline) begin() {
	start := bytes.LastIndexByte(o.src[:o.at], '\n') + 1
	if len(bytes.TrimLeft(o.src[start:o.at], " ")) > 0 {
		o.lost = true // how deep a tab is depends on what stands around it
	}
	l := logicalLine{start: start, indent: o.at - start}
	rest := o.src[o.at:]
	switch word := string(rest[:language.SkipWord(rest, 0)]); {
	case rest[0] == '@':
		l.kind = decorator
	case word == "class":
		l.kind = definesClass
	case word == "def", word == "async":
		l.kind = definesFunction
	}
	o.lines = append(o.lines, l)
}

// word skips one token and notes a def that may be a stub; false where it cannot be told where the token ends.
func (o *outline) word() bool {
	start := o.at
	o.plainToken()
	if isQuote(o.src[o.at-1]) && o.at-start > 1 && o.at < len(o.src) && (isQuote(o.src[o.at]) || language.IsWordByte(o.src[o.at]) && !joins(o.src[o.at:])) {
		return false // what looks like the end of a string may be a quote in an f-string
	}
	if string(o.src[start:o.at]) == "def" && len(o.lines) > 0 {
		behind := scanner{src: o.src, at: o.at, probes: o.probes}
		if behind.header() && behind.mayBeStub(start) || behind.lost {
			o.lines[len(o.lines)-1].stub = true
		}
	}
	return !o.lost
}

// joins reports whether a word may follow a string without a blank between them.
func joins(rest []byte) bool {
	switch string(rest[:language.SkipWord(rest, 0)]) {
	case "if", "else", "in", "for", "and", "or", "is", "not", "as":
		return true
	}
	return false
}

// plainToken is token, but an f-string that evaluates expressions does not lose the way.
func (o *outline) plainToken() {
	prefix := o.at
	if language.IsWordByte(o.next()) {
		if o.at = language.SkipWord(o.src, o.at); !isQuote(o.next()) || o.at-prefix > 2 {
			return
		}
	}
	if !isQuote(o.next()) {
		o.at++
		return
	}
	quote := string(o.next())
	if triple := quote + quote + quote; bytes.HasPrefix(o.src[o.at:], []byte(triple)) {
		quote = triple
	}
	start := o.at + len(quote)
	end, closed := language.SkipQuoted(o.src, start, quote, true)
	o.lost = o.lost || !closed || len(quote) == 1 && bytes.IndexByte(o.src[start:end], '\n') >= 0
	o.at = end
}

// idle returns the definitions among the lines from first to last, all of one block, that hold no stub.
func (o *outline) idle(first, last int) []language.Span {
	var found []language.Span
	for at := first; at < last; {
		begin, indent := at, o.lines[at].indent
		for at < last-1 && o.lines[at].kind == decorator && o.lines[at+1].indent == indent {
			at++
		}
		head, stub := at, false
		for ; at < last && (at == head || o.lines[at].indent > indent); at++ {
			stub = stub || o.lines[at].stub
		}
		switch kind := o.lines[head].kind; {
		case kind != definesFunction && kind != definesClass:
		case !stub:
			found = append(found, language.Span{Start: o.lines[begin].start, End: o.end(at)})
		case kind == definesClass && head+1 < at:
			found = append(found, o.idle(head+1, at)...)
		}
	}
	return found
}

// end is where the logical line before number i ends: where that one begins, or the end of the file.
func (o *outline) end(i int) int {
	if i < len(o.lines) {
		return o.lines[i].start
	}
	return len(o.src)
}
