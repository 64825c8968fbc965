package lang

import (
	"bytes"

	"github.com/acta-git/acta/evidence/syntax"
)

// Fields returns the parts of a definition whose grammar has the fields name, body and receiver.
func fields(n *syntax.Node) Parts {
	return Parts{
		Name:     At(n.Field("name")),
		Body:     At(n.Field("body")),
		Receiver: At(n.Field("receiver")),
	}
}

// HasPrefix reports whether a source goes on, at a byte of it, with one of some words.
func HasPrefix(src []byte, at int, words ...string) bool {
	for _, w := range words {
		if rest := src[at:]; len(rest) >= len(w) && string(rest[:len(w)]) == w {
			return true
		}
	}
	return false
}

// Quoted returns where the content of a string literal stands, without its quotes; none for what is no such literal.
func Quoted(src []byte, s Span) Span {
	text := bytes.TrimSpace(src[s.Start:s.End])
	if len(text) < 2 || bytes.IndexByte([]byte("\"'`"), text[0]) < 0 || text[len(text)-1] != text[0] {
		return Span{}
	}
	start := s.Start + bytes.IndexByte(src[s.Start:s.End], text[0]) + 1
	return Span{start, start + len(text) - 2}
}

// IsWordByte reports whether a byte can be part of a name; what is no ASCII counts.
func IsWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || b-'0' < 10 || (b|0x20)-'a' < 26
}

// SkipWord returns the end of the name that stands at a place, the place itself where none does.
func SkipWord(src []byte, at int) int {
	for at < len(src) && IsWordByte(src[at]) {
		at++
	}
	return at
}
