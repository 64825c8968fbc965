package parser

import (
	"strings"

	"github.com/acta-git/acta/report"
)

// How git reads trailers of a stored commit: git-interpret-trailers(1) and git-log(1), checked by a test against git.
// Where the manual is silent, git was measured.

// cutLine is the line that git writes, after the comment character and a space, above text outside of the message.
const cutLine = "------------------------ >8 ------------------------\n"

// scissors is the offset of the scissors line, or len(s) without one. The line
// counts only when a newline, and no carriage return, ends it.
func scissors(s, comment string) int {
	line := comment + " " + cutLine
	if strings.HasPrefix(s, line) {
		return 0
	}
	if i := strings.Index(s, "\n"+line); i >= 0 {
		return i + 1
	}
	return len(s)
}

type line struct {
	// start and end are the text without the newline; next is the start of the next line.
	start, end, next int
	sort             lineSort
}

// lineSort is the sort of a line of a message. The zero value is a line not read yet.
type lineSort uint8

const (
	blankLine lineSort = iota + 1
	titleLine
	proseLine
	commentLine
	otherLine // of a report or trailers, or one that is not read
)

func splitLines(text string, at, end int) []line {
	lines := make([]line, 0, strings.Count(text[at:end], "\n")+1)
	for at < end {
		l := line{start: at, end: end, next: end}
		if i := strings.IndexByte(text[at:end], '\n'); i >= 0 {
			l.end, l.next = at+i, at+i+1
		}
		lines = append(lines, l)
		at = l.next
	}
	return lines
}

// frame marks the lines that git never reads as content: blank lines above the title, comments, the scissors line and
// everything after it, a Conflicts block at the end. It sets first and last, the bounds of the content.
func (r *reader) frame() {
	r.lines = splitLines(r.text, 0, r.end)
	for r.first < len(r.lines) && r.isBlank(r.first) {
		r.lines[r.first].sort = blankLine
		r.first++
	}
	r.last, r.scissorsFrom = len(r.lines), len(r.lines)
	if r.first == r.last {
		return
	}
	from := r.lines[r.first].start
	cut := from + scissors(r.text[from:r.end], "#")
	for r.last > r.first && r.lines[r.last-1].start >= cut {
		r.last--
		r.lines[r.last].sort = otherLine
	}
	r.scissorsFrom = r.last
	r.dropTail()
	for i := r.first; i < r.scissorsFrom; i++ {
		switch l := &r.lines[i]; {
		case r.isBlank(i):
			l.sort = blankLine
		case r.text[l.start] == '#':
			l.sort = commentLine
		case i >= r.last:
			l.sort = otherLine
		}
	}
}

// dropTail moves last above the comments, empty lines and old-style Conflicts
// block that end the message. A run that begins on the very first line does not
// count, and lines that begin with a tab count anywhere after a Conflicts line
// until a run has ended: so does git.
func (r *reader) dropTail() {
	tail, conflicts := 0, false
	for i := r.first; i < r.last; i++ {
		text := r.text[r.lines[i].start:r.lines[i].next]
		switch {
		case text[0] == '#' || text[0] == '\n':
		case text == "Conflicts:\n":
			conflicts = true
		case conflicts && text[0] == '\t':
			continue
		default:
			if tail > r.first {
				conflicts = false
			}
			tail = 0
			continue
		}
		if tail <= r.first {
			tail = i
		}
	}
	if tail > r.first {
		r.last = tail
	}
}

func (r *reader) isBlank(i int) bool {
	return strings.Trim(r.text[r.lines[i].start:r.lines[i].end], white) == ""
}

// gitTrailers are the line beginnings that make a block with prose in it a
// trailer block, if a quarter of its lines are trailers.
var gitTrailers = [...]string{"Signed-off-by: ", "(cherry picked from commit "}

// trailerBlock finds the trailer block: lines [start, r.last), empty when there is none.
func (r *reader) trailerBlock() int {
	title := r.first
	for title < r.last && (r.lines[title].sort == commentLine || !r.isBlank(title)) {
		title++
	}
	trailers, others, indented, recognised, below := 0, 0, 0, false, false
	for i := r.last - 1; i >= title; i-- {
		text := r.text[r.lines[i].start:r.lines[i].end]
		switch {
		case r.lines[i].sort == commentLine:
			others += indented
			indented = 0
		case r.isBlank(i):
			if !below {
				continue
			}
			others += indented
			if recognised && trailers*3 >= others || trailers > 0 && others == 0 {
				return i + 1
			}
			return r.last
		case strings.HasPrefix(text, gitTrailers[0]) || strings.HasPrefix(text, gitTrailers[1]):
			trailers, indented, recognised, below = trailers+1, 0, true, true
		case separator(text) > 0:
			trailers, indented, below = trailers+1, 0, true
		case isWhite(text[0]):
			indented, below = indented+1, true
		default:
			others, indented, below = others+1+indented, 0, true
		}
	}
	return r.last
}

// separator is the offset of the ':' that ends the key of a trailer line, or -1.
func separator(line string) int {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ':':
			return i
		case c == ' ' || c == '\t':
			rest := strings.TrimLeft(line[i:], " \t")
			if i > 0 && strings.HasPrefix(rest, ":") {
				return len(line) - len(rest)
			}
			return -1
		case c != '-' && !isAlnum(c):
			return -1
		}
	}
	return -1
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

func (r *reader) trailers(block int) []Trailer {
	var out []Trailer
	for i := block; i < r.last; {
		l := r.lines[i]
		colon := separator(r.text[l.start:l.end])
		end := l.end
		for i++; colon > 0 && i < r.last && isWhite(r.text[r.lines[i].start]); i++ {
			end = r.lines[i].end
		}
		if colon > 0 {
			out = append(out, Trailer{
				Key:   r.word(l.start, l.start+colon),
				Value: r.unfold(l.start+colon+1, end),
			})
		}
	}
	return out
}

// unfold is the value of [start, end) as git unfolds it: a newline and the
// white space after it are one space.
func (r *reader) unfold(start, end int) Text {
	start, end = r.trim(start, end)
	unindent := func(line string) string { return strings.TrimLeft(line, white) }
	lines := report.Map(strings.Split(r.text[start:end], "\n"), unindent)
	return Text{Value: strings.Join(lines, " "), Span: r.span(start, end)}
}
