package evidence

import "bytes"

// part is a stretch of a version, in bytes: a definition with what stands above it, or other lines between blank ones.
type part struct {
	start, end int
	sum        uint64 // of its text
	kind       partKind
	// name is what a function is called by others, "" where that cannot be told, or nobody calls it.
	name string
	// code is how much code the body of a function has, in bytes; 0 where it is not known where that begins.
	code int
	// inner are the parts of a container between head and tail, the ends of its first line and of the last of them.
	inner      []part
	head, tail int
}

// partKind is what a part is.
type partKind uint8

const (
	otherPart partKind = iota
	functionPart
	importPart
	containerPart
)

// divided is a version that falls into parts. A line that begins in a text or a comment says nothing of what is around.
type divided struct {
	*layout
	src    []byte
	inside map[int]bool // by where they begin
}

// parts are those of a file, as the inner ones of a part that is all of it.
func (l *layout) parts(src []byte) *part {
	d, file := &divided{l, src, map[int]bool{}}, &part{end: len(src)}
	d.divide(file, 0)
	return file
}

// divide finds the parts of a container. One begins in the container's first column, where nothing that was opened
// before is open: after a blank line, after what closed the one before, and at each directive.
func (d *divided) divide(p *part, deep int) {
	body := stretch{p.start, p.end}
	if deep > 0 {
		body = stretch{p.head, p.tail}
	}
	column, open := d.columnOf(body), scanner{layout: d.layout}
	at, ended := body.start, true
	for start := body.start; start < body.end; {
		end := start + lineLength(d.src[start:body.end])
		line := d.src[start:end]
		text := bytes.TrimSpace(line)
		if open.until != "" {
			d.inside[start] = true
		}
		closed, first := open.closed(), len(text) > 0 && d.isFirst(line, start, column)
		directive := d.directives && closed && first && text[0] == '#'
		if start > at && closed && first && (ended || directive) {
			d.add(p, stretch{at, start}, column, deep, open.code)
			at = start
			open.round, open.bodied, open.code = 0, false, 0
		}
		open.read(line)
		ended = len(text) == 0 || directive || first && open.closed() && d.ends.Match(text)
		start = end
	}
	if at < body.end {
		d.add(p, stretch{at, body.end}, column, deep, open.code)
	}
	if last := len(p.inner) - 1; last >= 0 && open.until != "" { // what is read as a text may be none
		p.inner[last].kind = otherPart
	}
}

// isFirst reports whether a line stands in a column, and in no text.
func (d *divided) isFirst(line []byte, start, column int) bool {
	return indentOf(line) == column && !d.inside[start]
}

// add adds a part, and divides it where it is a container.
func (d *divided) add(p *part, s stretch, column, deep, code int) {
	inner := part{start: s.start, end: s.end, sum: contentSum(d.src[s.start:s.end]), code: code}
	inner.kind, inner.name = d.kindOf(s, column)
	if inner.kind == containerPart {
		if inner.head, inner.tail = d.bodyOf(s, column); deep == maxDeep || inner.head >= inner.tail {
			inner.kind = otherPart
		} else {
			d.divide(&inner, deep+1)
		}
	}
	p.inner = append(p.inner, inner)
}

func lineLength(src []byte) int {
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		return i + 1
	}
	return len(src)
}

// columnOf is the least indentation of the lines of a stretch.
func (d *divided) columnOf(s stretch) int {
	least, next := -1, s.start
	for line := range bytes.Lines(d.src[s.start:s.end]) {
		at := next
		if next += len(line); len(bytes.TrimSpace(line)) == 0 || d.inside[at] {
			continue
		}
		if at := indentOf(line); least < 0 || at < least {
			if least = at; least == 0 {
				break
			}
		}
	}
	return max(least, 0)
}

// indentOf counts the blanks that a line begins with.
func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
