package parser

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// looksLikeClaim reports whether a line looks like a claim: Done, Skipped, Pending, Waive, Weakened or Accepted with a
// « | », a task-list line with one, or a row of a table that ends in a place. isDecorated reports marks before it:
// comment, quote, bullet, number, emphasis, emoji, other white space than git's, or the bar of a row.
func looksLikeClaim(text string) (isDecorated, ok bool) {
	if strings.IndexByte(text, '|') < 0 {
		return false, false
	}
	stripped := strings.TrimLeftFunc(text, func(c rune) bool { return c == '#' || c == '>' || unicode.IsSpace(c) })
	if _, n, task := taskText(stripped); task {
		return len(stripped) < len(text), hasBar(stripped[n:])
	}
	if strings.HasPrefix(stripped, "|") {
		return true, isCitingRow(stripped)
	}
	stripped = strings.TrimLeftFunc(stripped, isMark)
	if rest, n := numberText(stripped); n > 0 {
		stripped = strings.TrimLeftFunc(rest, isMark)
	}
	n := strings.IndexFunc(stripped+" ", func(c rune) bool { return c >= utf8.RuneSelf || !isAlnum(byte(c)) })
	rest := strings.TrimLeftFunc(stripped[n:], isMark)
	if !hasBars(reportKey(stripped[:n])) || !strings.HasPrefix(rest, ":") {
		return false, false
	}
	emphasis := len(rest) < len(stripped[n:]) && strings.Trim(stripped[n:len(stripped)-len(rest)], " \t") != ""
	return len(stripped) < len(text) || emphasis, hasBar(rest[1:])
}

// isMark reports a mark that may be before or around a key: not a letter, digit, colon, or the bar of a table.
func isMark(c rune) bool {
	return c != ':' && c != '|' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}

// isCitingRow reports a row of a table, two cells or more, whose last cell lists places with lines.
func isCitingRow(text string) bool {
	row, ok := strings.CutSuffix(strings.TrimPrefix(strings.Trim(text, white), "|"), "|")
	at := strings.LastIndexByte(row, '|')
	if !ok || at < 0 || strings.Trim(row[:at], "| \t") == "" {
		return false
	}
	return isPlaceList(row[at+1:])
}

// wrapLimit is how many lines a claim that is broken over lines is followed to find its « | ».
const wrapLimit = 3

// looksLike reports whether a line, with the lines up to last that continue it, looks like a claim. A bar in a later
// line counts only before a place, since prose may have bars.
func (r *reader) looksLike(i, last int) bool {
	text, _ := r.lineText(i)
	if _, ok := looksLikeClaim(text); ok {
		return true
	}
	if colon := keyColon(text); colon < 0 || reportKey(text[:colon]) != "done" {
		return false
	}
	for n := i + 1; n < min(last, i+1+wrapLimit); n++ {
		next, _ := r.lineText(n)
		if keyColon(next) > 0 {
			return false
		}
		if at := lastBar(next); at >= 0 {
			place, _, _ := strings.Cut(next[at+1:], ",")
			return isPlace(strings.TrimSpace(place))
		}
	}
	return false
}

func (r *reader) unreadHead(head paragraph) []UnreadLine {
	var out []UnreadLine
	for i := head.first + 1; i < head.last; i++ {
		if r.lines[i].sort != commentLine && r.looksLike(i, head.last) {
			out = append(out, UnreadLine{Line: r.lineWord(i), Reason: UnreadTitle, Obstacle: r.lineWord(head.first)})
		}
	}
	return out
}

// unreadAmong finds claims among lines that are not read for a reason. The obstacle is each line itself if it is empty.
// A diff ends the search: its lines are not the message's.
func (r *reader) unreadAmong(lines []line, why UnreadReason, obstacle Text) (out []UnreadLine) {
	for _, l := range lines {
		text := r.text[l.start:l.end]
		if strings.HasPrefix(text, "diff --git ") {
			break
		}
		if _, ok := looksLikeClaim(strings.Trim(text, white)); ok {
			word := r.word(l.start, l.end)
			out = append(out, UnreadLine{Line: word, Reason: why, Obstacle: cmp.Or(obstacle, word)})
		}
	}
	return out
}

func (r *reader) unreadComments(first, last int) []UnreadLine {
	isOther := func(l line) bool { return l.sort != commentLine }
	return r.unreadAmong(slices.DeleteFunc(slices.Clone(r.lines[first:last]), isOther), UnreadComment, Text{})
}

// unreadTail finds lines under the scissors line and after a NUL byte.
func (r *reader) unreadTail() []UnreadLine {
	var out []UnreadLine
	if r.scissorsFrom < len(r.lines) {
		out = r.unreadAmong(r.lines[r.scissorsFrom:], UnreadScissors, r.lineWord(r.scissorsFrom))
	}
	if r.end < len(r.text) {
		rest := splitLines(r.text, r.end+1, len(r.text))
		nul := Text{Value: "\x00", Span: r.span(r.end, r.end+1)}
		if n := len(r.lines); n > 0 && r.lines[n-1].next == r.lines[n-1].end {
			if before := r.lineWord(n - 1); before.Value != "" {
				nul = before
			}
		}
		out = append(out, r.unreadAmong(rest, UnreadNUL, nul)...)
	}
	return out
}
