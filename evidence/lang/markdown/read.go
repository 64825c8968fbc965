package markdown

import (
	"bytes"

	"github.com/acta-git/acta/evidence/lang"
)

// The grammar that the tree-sitter binding has for Markdown writes past the end of a buffer
// where quotes nest deeper than 250. What is needed of the block structure of
// CommonMark and of GitHub's tables is read here, line by line and in linear time.

// Read marks the blocks of a file. All of it can be read.
func (Rules) Read(src []byte) ([]lang.Mark, []lang.Span) {
	r := reader{src: src, paragraph: -1}
	for r.at < len(src) {
		end := len(src)
		if i := bytes.IndexByte(src[r.at:], '\n'); i >= 0 {
			end = r.at + i
		}
		r.line(r.at, len(bytes.TrimRight(src[:end], " \t\r")))
		r.last, r.at = end, end+1
	}
	r.flush()
	if r.comment > 0 {
		r.add("todo", r.comment-1, len(src))
	}
	return r.found, nil
}

type reader struct {
	src []byte
	at  int
	// last is where the line before ends.
	last int
	// fence is what closes the block of code at hand; "" outside of one.
	fence string
	// comment is where the comment at hand begins, counted from 1; 0 outside of one.
	comment int
	// paragraph is where the paragraph at hand begins, -1 outside of one.
	paragraph int
	found     []lang.Mark
}

func (r *reader) add(capture string, start, end int) {
	if start < end {
		r.found = append(r.found, lang.Mark{Capture: capture, Span: lang.Span{Start: start, End: end}})
	}
}

// flush ends the paragraph at hand.
func (r *reader) flush() {
	if r.paragraph >= 0 {
		r.add("todo", r.paragraph, r.last)
		r.paragraph = -1
	}
}

// line reads the line [start, end), its end trimmed.
func (r *reader) line(start, end int) {
	if end < start {
		end = start // blank
	}
	text := r.src[start:end]
	first := firstByte(text)
	switch {
	case r.comment > 0:
		r.inComment(start, end)
	case r.fence != "":
		r.inCode(start, end)
	case start == 0 && string(text) == "---":
		r.fence = "---" // of the front matter
		r.add("bracket", start, end)
	case r.paragraph < 0 && (bytes.HasPrefix(text, []byte("    ")) || bytes.HasPrefix(text, []byte("\t"))) &&
		!isList(text):
		r.add("content", start, end)
	case r.paragraph >= 0 && (first == '=' || first == '-') && underline.MatchString(string(text)):
		r.add("heading", r.paragraph, end)
		r.paragraph = -1
	case (first == '-' || first == '*' || first == '_') && rule.MatchString(string(text)):
		r.flush()
		r.add("bracket", start, end)
	default:
		r.block(start, end)
	}
}

var (
	underline = lang.Lazy(`^ {0,3}(=+|-+)$`)
	rule      = lang.Lazy(`^\s*(-[ \t]*(-[ \t]*){2,}|\*[ \t]*(\*[ \t]*){2,}|_[ \t]*(_[ \t]*){2,})$`)
	container = lang.Lazy(`^[ \t]*(>|([-*+]|\d{1,9}[.)])([ \t]+(\[[ xX]\])?|$))[ \t]*`)
	heading   = lang.Lazy(`^[ \t]*#{1,6}([ \t]|$)`)
	opening   = lang.Lazy("^[ \\t]*(```+[^`]*|~~~+.*)$")
	delimiter = lang.Lazy(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?$`)
)

// isList reports whether an indented line is an item of a list, not code.
func isList(text []byte) bool {
	m := container.FindString(string(text))
	return m != "" && m[len(m)-1] != '>'
}

// block reads a line outside of code and comments: the marks of what it stands in, then what it begins or continues.
func (r *reader) block(start, end int) {
	at := r.containers(start, end)
	text := r.src[at:end]
	switch trimmed := bytes.TrimLeft(text, " \t"); {
	case len(trimmed) == 0:
		r.flush()
	case (trimmed[0] == '`' || trimmed[0] == '~') && opening.MatchString(string(text)):
		r.flush()
		r.fence = string(trimmed[:len(trimmed)-len(bytes.TrimLeft(trimmed, string(trimmed[:1])))])
		r.add("bracket", at, end)
	case bytes.HasPrefix(trimmed, []byte("<!--")):
		r.flush()
		r.comment = end - len(trimmed) + 1
		r.inComment(end-len(trimmed), end)
	case trimmed[0] == '#' && heading.MatchString(string(text)):
		r.flush()
		r.add("heading", at, end)
	case bytes.IndexByte(trimmed, '|') >= 0 && delimiter.MatchString(string(text)):
		r.paragraph = -1 // the header of a table
		r.add("bracket", at, end)
	case trimmed[0] == '|':
		r.flush()
		r.cells(at, end)
	case r.paragraph < 0:
		r.paragraph = at
	}
}

// containers reads the marks of quotes and lists that a line begins with, and returns where they end. An item of a
// list ends a paragraph.
func (r *reader) containers(start, end int) int {
	at := start
	for {
		switch b := firstByte(r.src[at:end]); {
		case b == '>', b == '-', b == '*', b == '+', b >= '0' && b <= '9':
		default:
			return at
		}
		m := container.FindIndex(r.src[at:end])
		if m == nil {
			return at
		}
		if bytes.IndexByte(r.src[at:at+m[1]], '>') < 0 {
			r.flush()
		}
		r.add("bracket", at, at+m[1])
		at += m[1]
	}
}

// firstByte returns the first byte of a line that is no blank, 0 without one.
func firstByte(line []byte) byte {
	if line = bytes.TrimLeft(line, " \t"); len(line) > 0 {
		return line[0]
	}
	return 0
}

// inCode reads a line of a block of code, or the one that closes it.
func (r *reader) inCode(start, end int) {
	text := bytes.TrimLeft(r.src[start:end], " \t>")
	if bytes.HasPrefix(text, []byte(r.fence)) && len(bytes.Trim(text, r.fence[:1])) == 0 {
		r.fence = ""
		r.add("bracket", start, end)
		return
	}
	r.add("content", start, end)
}

// inComment reads a line of a comment; text behind its end is text.
func (r *reader) inComment(start, end int) {
	i := bytes.Index(r.src[start:end], []byte("-->"))
	if i < 0 {
		return
	}
	r.add("todo", r.comment-1, start+i+3)
	r.comment = 0
}

// cells reads a row of a table.
func (r *reader) cells(start, end int) {
	from := start
	for i := start; i <= end; i++ {
		if i < end && (r.src[i] != '|' || i > start && r.src[i-1] == '\\') {
			continue
		}
		r.add("todo", from, i)
		r.add("bracket", i, min(i+1, end))
		from = i + 1
	}
}
