package language

import "bytes"

// What the scans of the languages share. A scan reads the bytes of a file and
// says whether it may hold a stub; where it is not sure it says that it may.

// ReadsEach reports whether read finds what it looks for behind one of the places
// where a word stands in src. read gets the place behind the word and returns how
// far it read. Where it reads the same bytes again and again the answer is yes, so
// that the time stays in proportion to src.
func ReadsEach(src []byte, word string, read func(at int) (end int, found bool)) bool {
	spent := 0
	for at := NextWord(src, word, 0); at >= 0; at = NextWord(src, word, at+len(word)) {
		end, found := read(at + len(word))
		if spent += end - at; found || spent > maxPasses*len(src) {
			return true
		}
	}
	return false
}

// maxPasses is how often a scan may read a file; code that people write takes less than one pass.
const maxPasses = 4

// NextWord returns where word next stands in src at or after from, no name going on
// behind it; -1 where it does not. What stands before it counts for nothing: a
// parser that mends an error may begin anywhere.
func NextWord(src []byte, word string, from int) int {
	for {
		i := bytes.Index(src[from:], []byte(word))
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + len(word)
		if from == len(src) || !IsWordByte(src[from]) {
			return at
		}
	}
}

// SkipWord returns the end of the name that stands at a place, the place itself where none does.
func SkipWord(src []byte, at int) int {
	for at < len(src) && IsWordByte(src[at]) {
		at++
	}
	return at
}

// IsBlank reports whether a byte is white space.
func IsBlank(b byte) bool { return b == ' ' || b-'\t' < 5 }

// LineEnd returns the end of the line that a place is in, before its '\n'.
func LineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// SkipQuoted returns the end of a literal whose content begins at a place and ends
// with quote; \ takes the byte after it along, where it escapes. ok is false when it does not end.
func SkipQuoted(src []byte, at int, quote string, escapes bool) (end int, ok bool) {
	for at < len(src) {
		switch {
		case escapes && src[at] == '\\':
			at += 2
		case src[at] == quote[0] && bytes.HasPrefix(src[at:], []byte(quote)):
			return at + len(quote), true
		default:
			at++
		}
	}
	return len(src), false
}

// CallsIn finds calls by a pattern of how they begin, their opening bracket last, and returns where each of them
// stands. One in another is part of it. inComment tells where a comment stands.
func CallsIn(src []byte, opening Pattern, inComment func(at int) bool) (found []Span) {
	for at := 0; ; {
		call := opening.FindIndex(src[at:])
		if call == nil {
			return found
		}
		begin := at + call[0]
		if at += call[1]; inComment(begin) {
			continue
		}
		for depth := 1; at < len(src) && depth > 0; at++ {
			switch {
			case inComment(at):
			case src[at] == '(':
				depth++
			case src[at] == ')':
				depth--
			}
		}
		found = append(found, Span{Start: begin, End: at})
	}
}
