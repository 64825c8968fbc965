package c

import (
	"bytes"
	_ "embed"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

// The grammar reads a source as it stands before preprocessing, where macros may
// stand that are no C: annotations (int WINAPI f(void), class EXPORT A {…}) and whole lines
// (Q_OBJECT, G_BEGIN_DECLS). One of them makes a syntax error of the definition around it, sometimes of the file.
// Readable blanks what is known to be such a macro by its name and by what
// stands beside it. Only the parser sees that: a file's text and what of it is
// real code stay as they are.

//go:embed macros.txt
var macros string

// listed are the words of macros.txt by what they are.
var listed = sync.OnceValue(func() map[string][]string { return lang.Lists(macros) })

// isListed reports whether macros.txt has a word in a list.
func isListed(list, word string) bool { return slices.Contains(listed()[list], word) }

// Readable returns a source without the macros that are no C, or src itself where there are none.
func (Rules) Readable(src []byte) []byte {
	s := &scanner{src: src, out: src}
	for s.at < len(src) {
		s.step()
	}
	return s.out
}

// scanner walks over the words of a source; comments, literals and directives are passed over.
type scanner struct {
	src, out []byte
	at       int
	// before is the last byte that is neither blank nor comment nor directive.
	before byte
	// keyword is the last word where nothing but blanks has followed it yet.
	keyword string
}

func (s *scanner) step() {
	c := s.src[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v':
		s.at++
	case c == '#' && s.opensLine():
		s.directive()
	case c == '/' && s.comment():
	case c == '"' || c == '\'':
		s.at = s.literal(s.at)
		s.before, s.keyword = c, ""
	case lang.IsWordByte(c):
		s.word()
	default:
		s.at++
		s.before, s.keyword = c, ""
	}
}

// opensLine reports whether nothing but blanks stands before at on its line.
func (s *scanner) opensLine() bool {
	before := bytes.TrimRight(s.src[:s.at], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// comment passes over a comment, where one begins.
func (s *scanner) comment() bool {
	rest := s.src[s.at:]
	end := -1
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end = bytes.IndexByte(rest, '\n')
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			end += 4
		}
	default:
		return false
	}
	if end < 0 {
		end = len(rest)
	}
	s.at += end
	return true
}

// literal returns the end of the string or character literal that begins at i. A line ends one that is not closed.
func (s *scanner) literal(i int) int {
	quote := s.src[i]
	for i++; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s.src)
}

// raw returns the end of the raw string literal whose quote stands at i; its delimiter is at most 16 bytes long.
func (s *scanner) raw(i int) int {
	open := bytes.IndexByte(s.src[i:min(len(s.src), i+18)], '(')
	if open < 0 {
		return s.literal(i)
	}
	closing := ")" + string(s.src[i+1:i+open]) + `"`
	if end := bytes.Index(s.src[i+open:], []byte(closing)); end >= 0 {
		return i + open + end + len(closing)
	}
	return len(s.src)
}

// directive passes over a line of the preprocessor and those that continue it.
func (s *scanner) directive() {
	for s.at < len(s.src) {
		end := bytes.IndexByte(s.src[s.at:], '\n')
		if end < 0 {
			s.at = len(s.src)
			return
		}
		line := bytes.TrimRight(s.src[s.at:s.at+end], "\r")
		s.at += end + 1
		if !bytes.HasSuffix(line, []byte(`\`)) {
			return
		}
	}
}

// maxArguments is how long the arguments of a macro may be, in bytes.
const maxArguments = 2000

// blank replaces a stretch by blanks; ends of lines stay.
func (s *scanner) blank(from, to int) { s.cover(from, to, ' ') }

func (s *scanner) cover(from, to int, by byte) {
	s.out = lang.Writable(s.src, s.out)
	for i := from; i < to; i++ {
		if s.out[i] != '\n' && s.out[i] != '\r' {
			s.out[i] = by
		}
	}
}
