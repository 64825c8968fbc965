package lang

import (
	"bytes"
)

// HasPrefix reports whether src continues at a byte with one of the words.
func HasPrefix(src []byte, at int, words ...string) bool {
	for _, w := range words {
		if rest := src[at:]; len(rest) >= len(w) && string(rest[:len(w)]) == w {
			return true
		}
	}
	return false
}

// Quoted returns the span inside the quotes of a string literal, the zero Span if s is not one.
func Quoted(src []byte, s Span) Span {
	text := bytes.TrimSpace(src[s.Start:s.End])
	if len(text) < 2 || bytes.IndexByte([]byte("\"'`"), text[0]) < 0 || text[len(text)-1] != text[0] {
		return Span{}
	}
	start := s.Start + bytes.IndexByte(src[s.Start:s.End], text[0]) + 1
	return Span{start, start + len(text) - 2}
}

// IsWordByte reports whether a byte can be part of a name; bytes outside ASCII count.
func IsWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || b-'0' < 10 || (b|0x20)-'a' < 26
}

// SkipWord returns the end of the name that begins at a byte, the byte itself if there is no name.
func SkipWord(src []byte, at int) int {
	for at < len(src) && IsWordByte(src[at]) {
		at++
	}
	return at
}
