// Package parser turns the bytes of a commit message into a [Message]: title, trailers, report and evidence, each value
// with its span. It is pure: bytes in, values out, no file, no git, no clock. docs/format.md describes what is read.
//
// The trailer block, [Message.Trailers], is what git prints for `git log --format='%(trailers:only,unfold)'` under
// default configuration. The report is more forgiving: it is that block, and every paragraph after the first that opens
// with a report key or a task-list line. In such a paragraph:
//
//   - the indentation that its lines share does not count;
//   - «key:» begins a value; a line without that form continues the value above, unless that is whole;
//   - below a claim's key without a value, each item of a list is a value of that key;
//   - a line of that form continues the value above all the same when it is a place such as Makefile:3 after a comma or
//     a bar, when it holds the « | » that the value above still lacks, or when it is a URL;
//   - an indented line begins a value only with Done:, Skipped:, Pending:, Waive:, Weakened:, Accepted: or Outcome:,
//     written so;
//   - git's marks of picks and reverts, and an attribution line that begins with a robot sign, end the value above.
//
// Task-list lines are read in every paragraph but the first. Comment lines, everything from a scissors line on, an
// old-style Conflicts block at the end and everything after a NUL byte are never read, as in git.
//
// [Parse] never fails and never panics; what is wrong with the bytes is in [Message.Invalid]. [Message.String] is the
// input, byte for byte. Every [Text] but that of a trailer is its span with each line trimmed of white space, comment
// lines and empty lines dropped, and the lines joined by one space. Key and Value of a [Trailer] are unfolded as git
// does it. A [Text] without a value is zero, but for an empty item, place or trailer value: its span is empty and says
// where. The time taken is linear in the input. What lies beyond a limit is never dropped in silence: it is a
// [Defect], an error, or an [Evidence] with Err set.
//
// It does not judge: whether a unit exists, a path is there or an outcome is a known word is for others. It knows no
// other comment character than '#' and no trailer.* configuration: a commit must read the same on every machine.
package parser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser/excerpt"
)

type reader struct {
	*source
	// end is where reading stops: the first NUL byte, or the end of the text.
	end   int
	lines []line
	// The content is in lines [first, last); lines from under on are under a scissors line.
	first, last, scissorsFrom int
	// trailerStart is the first line of the trailer block; last without one.
	trailerStart int
	// listKey is a claim's key without a value, if a list may follow: each item of it is a value of that key.
	listKey string
	// claims counts the claims read; limitDefects are the places where a limit was exceeded.
	claims       int
	limitDefects []Defect
}

// Parse reads a commit message as git stores it. It never fails: Invalid says what was not read.
func Parse(msg []byte) *Message { return ParseExcerpt(msg, excerpt.Tail{}) }

// ParseExcerpt is Parse of an excerpt of a message; tail describes the rest.
func ParseExcerpt(msg []byte, tail excerpt.Tail) *Message {
	msg, rest := excerpt.FromBytes(msg)
	tail.Size, tail.HasTitle = tail.Size+rest.Size, tail.HasTitle || rest.HasTitle
	m := &Message{}
	r := &reader{source: newSource(string(msg))}
	r.end = len(r.text)
	if i := strings.IndexByte(r.text, 0); i >= 0 {
		r.end = i
	}
	m.Invalid = r.defects(tail)
	r.frame()
	r.trailerStart = r.trailerBlock()
	m.Trailers = r.trailers(r.trailerStart)
	r.skipMark()
	r.readParts(m)
	m.Reverts, m.CherryPickedFrom = r.origins()
	if !isRevert(m.Subject.Value) {
		m.Reverts = nil
	}
	m.Invalid = append(m.Invalid, r.limitDefects...)
	m.text, m.lines = r.text, r.lines
	return m
}

// byteOrderMark is at the start of some editors' UTF-8 files.
const byteOrderMark = "\ufeff"

// skipMark takes a byte order mark off the first line. git keeps it, as text: so
// it is there as long as trailers are read.
func (r *reader) skipMark() {
	if r.first > 0 || r.first == r.last || !strings.HasPrefix(r.text[:r.lines[0].end], byteOrderMark) {
		return
	}
	r.lines[0].start += len(byteOrderMark)
	for r.first < r.last && r.isBlank(r.first) {
		r.lines[r.first].sort = blankLine
		r.first++
	}
}

func (r *reader) defects(tail excerpt.Tail) []Defect {
	var out []Defect
	if tail.Size > 0 {
		out = append(out, Defect{
			Message:  fmt.Sprintf("the message has %d bytes; only the first %d are read", len(r.text)+tail.Size, MaxMessage),
			Span:     r.span(len(r.text), len(r.text)),
			HasTitle: tail.HasTitle,
		})
	}
	if r.end < len(r.text) {
		out = append(out, Defect{
			Message:  "a NUL byte: git reads the message only up to here",
			Span:     r.span(r.end, r.end+1),
			HasTitle: excerpt.LooksLikeTitle(r.text[r.end:]),
		})
	}
	return out
}

// noteLimit notes once that a limit left the rest from offset on unread.
func (r *reader) noteLimit(what string, limit, offset int) {
	message := fmt.Sprintf("more than %d %s; what follows is not read", limit, what)
	if slices.ContainsFunc(r.limitDefects, func(d Defect) bool { return d.Message == message }) {
		return
	}
	r.limitDefects = append(r.limitDefects, Defect{
		Message: message, Span: r.span(offset, r.end), HasTitle: excerpt.LooksLikeTitle(r.text[offset:]),
	})
}

// lineText is a line without indentation and trailing white space, and its offset.
func (r *reader) lineText(i int) (text string, start int) {
	start, end := r.trim(r.lines[i].start, r.lines[i].end)
	return r.text[start:end], start
}

func (r *reader) lineWord(i int) Text { return r.word(r.lines[i].start, r.lines[i].end) }

// The lines in which git names the commits of a revert or cherry-pick (git-revert(1), git-cherry-pick(1) -x).
const (
	revertMark = "This reverts commit "
	pickMark   = "(cherry picked from commit "
)

// isRevert reports the subject of a revert: git's own, also of a reverted revert, or «revert: …».
func isRevert(subject string) bool {
	const word = "revert"
	return strings.HasPrefix(subject, `Reapply "`) ||
		len(subject) >= len(word) && strings.EqualFold(subject[:len(word)], word)
}

func (r *reader) origins() (reverts, picks []Text) {
	for i := r.first; i < r.last; i++ {
		if r.lines[i].sort == commentLine {
			continue
		}
		text, start := r.lineText(i)
		if id, ok := commitAfter(text, revertMark); ok {
			reverts = append(reverts, r.word(start+len(revertMark), start+len(revertMark)+len(id)))
		}
		if id, ok := commitAfter(text, pickMark); ok {
			picks = append(picks, r.word(start+len(pickMark), start+len(pickMark)+len(id)))
		}
	}
	return reverts, picks
}

// commitAfter is the commit id, of 4 to 64 hex digits, that follows a mark.
func commitAfter(text, mark string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(text, mark)
	if !ok {
		return "", false
	}
	n := len(rest) - len(strings.TrimLeft(rest, "0123456789abcdef"))
	if n < 4 || n > 64 || n < len(rest) && isAlnum(rest[n]) {
		return "", false
	}
	return rest[:n], true
}
