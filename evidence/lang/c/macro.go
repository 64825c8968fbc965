package c

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// The grammar reads a source before preprocessing. Some macros are not C syntax: annotations (int WINAPI f(void), class
// EXPORT A {…}) and whole lines (Q_OBJECT, G_BEGIN_DECLS). Each breaks its definition, sometimes the file.
// Readable blanks macros that it knows by their names and neighbours, for the parser only.

var (
	//go:embed macros.txt
	macrosText string

	macros   = lang.WordLists{Text: &macrosText}
	isListed = macros.Has
)

// scanner walks over the words of a source, and skips comments, literals and directives.
type scanner struct {
	src, out []byte
	at       int
	// lastByte is the last byte outside blanks, comments and directives.
	lastByte byte
	// keyword is the last word if only blanks have followed it.
	keyword string
}

// Readable blanks macros that are not C syntax; it returns src itself if there are none.
func (Rules) Readable(src []byte) []byte {
	s := &scanner{src: src, out: src}
	for s.at = s.skip(0); s.at < len(src); s.at = s.skip(s.at) {
		if c := src[s.at]; lang.IsWordByte(c) {
			s.word()
		} else {
			s.lastByte, s.keyword, s.at = c, "", s.literal(s.at)
		}
	}
	return s.out
}

// word skips a word, and blanks it if it is a macro that is not C syntax.
func (s *scanner) word() {
	begin := s.at
	s.at = lang.SkipWord(s.src, begin)
	word := string(s.src[begin:s.at])
	end, next := s.arguments(s.at)
	switch {
	case s.keyword == "" && next == '{' && end > s.at && isListed("tests", word):
		s.overwrite(s.skip(s.at)+1, end-1, 'x')
	case s.isAnnotation(word, end, next):
		s.overwrite(begin, end, ' ')
		s.at = end
		return
	case s.isLine(word, end, next):
		s.overwrite(begin, end, '\f') // a blank that does not join the next line
		s.at, s.lastByte, s.keyword = end, ';', ""
		return
	}
	s.lastByte, s.keyword = word[len(word)-1], word
}

// loopMacro matches macros that head a loop: list_for_each, BOOST_FOREACH, SLIST_FOREACH_SAFE.
var loopMacro = lang.Lazy(`(?i)for_?each`)

// isAnnotation reports whether a word with its arguments, up to end, only annotates a declaration, judging by its name
// and neighbours.
func (s *scanner) isAnnotation(word string, end int, next byte) bool {
	opens := lang.IsWordByte(next) || strings.IndexByte("*~&[", next) >= 0
	trails := strings.IndexByte("{;,)=:", next) >= 0 &&
		(lang.IsWordByte(s.lastByte) || strings.IndexByte(")]", s.lastByte) >= 0)
	ends := func(end string) bool { return strings.HasSuffix(word, end) }
	holds := func(part string) bool { return strings.Contains(word, part) }
	at := s.skip(end)
	second := s.wordAt(at)
	switch {
	case len(word) < 2:
		return false
	case s.keyword == "" && next == '{' && end > s.at && (isListed("sections", word) || loopMacro.MatchString(word)):
		return true // it heads a block
	case isListed("annotations", word), slices.ContainsFunc(macros.List("parts"), holds),
		isCapitals(word) && slices.ContainsFunc(macros.List("ends"), ends):
		return (opens || trails) && !slices.Contains([]string{"return", "case", "goto", "throw"}, s.keyword)
	case s.lastByte == ')' && isCapitals(word) && strings.IndexByte("{:", next) >= 0 && strings.IndexByte(word, '_') > 0:
		return true
	case (s.keyword == "class" || s.keyword == "struct") && isCapitals(word):
		return second != "" && s.opensClass(end)
	case !s.startsDeclaration() || second == "" || isListed("keywords", word):
		return false
	case isListed("declares", second):
		return isCapitals(word) || end == s.at // local int f(void)
	}
	return s.keyword != "" && !isListed("keywords", second) && isCapitals(word) && strings.IndexByte(word, '_') >= 0 &&
		s.wordAt(s.skip(at+len(second))) != "" // static A_MACRO type name
}

// startsDeclaration reports whether a declaration may begin here or has begun.
func (s *scanner) startsDeclaration() bool {
	switch s.keyword {
	case "":
		return strings.IndexByte("\x00;{}:>", s.lastByte) >= 0
	case "static", "inline", "extern", "virtual", "constexpr":
		return true
	}
	return false
}

func (s *scanner) opensClass(i int) bool {
	head, _, _ := bytes.Cut(s.src[s.skip(i):min(len(s.src), i+maxArguments)], []byte("{"))
	return len(head) < len(s.src[s.skip(i):]) && !bytes.ContainsAny(head, ";()=")
}

// isLine reports whether a macro stands for whole statements or declarations: alone on its line, without a semicolon.
func (s *scanner) isLine(word string, end int, next byte) bool {
	if len(word) < 2 || !isCapitals(word) || strings.IndexByte("\x00;{}:", s.lastByte) < 0 ||
		s.lastByte == '{' && next == '}' && end == s.at { // the only value of an enumeration
		return false
	}
	after := s.src[end:s.skip(end)]
	return (bytes.IndexByte(after, '\n') >= 0 || next == 0) &&
		(lang.IsWordByte(next) || strings.IndexByte("\x00}~@", next) >= 0)
}

func (s *scanner) wordAt(i int) string { return string(s.src[i:lang.SkipWord(s.src, i)]) }

func isCapitals(word string) bool {
	return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" && word[0] > '9'
}

// maxArguments bounds the length of a macro's arguments, in bytes.
const maxArguments = 2000

// arguments returns the end of the arguments after a word that ends at i (i itself if there are none), and the next
// byte.
func (s *scanner) arguments(i int) (end int, next byte) {
	end, depth := i, 0
	for at := s.skip(i); at < min(len(s.src), i+maxArguments); at = s.literal(at) {
		switch c := s.src[at]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case strings.IndexByte("{};", c) >= 0:
			depth = 0
		}
		if depth == 0 && s.src[at] == ')' {
			end = at + 1
		}
		if depth <= 0 {
			break
		}
	}
	if at := s.skip(end); at < len(s.src) {
		next = s.src[at]
	}
	return end, next
}

// skip returns the first place from i on outside blanks, comments and directives.
func (s *scanner) skip(i int) int {
	for i < len(s.src) {
		switch rest := s.src[i:]; {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			i++
		case bytes.HasPrefix(rest, []byte("//")):
			i = s.after(i, "\n")
		case bytes.HasPrefix(rest, []byte("/*")):
			i = s.after(i+2, "*/")
		case rest[0] == '#' && (i == 0 || bytes.HasSuffix(bytes.TrimRight(s.src[:i], " \t"), []byte{'\n'})):
			for i = s.after(i, "\n"); bytes.HasSuffix(bytes.TrimRight(s.src[:i], "\r\n"), []byte{'\\'}) && i < len(s.src); {
				i = s.after(i, "\n")
			}
		default:
			return i
		}
	}
	return i
}

func (s *scanner) after(i int, text string) int {
	if at := bytes.Index(s.src[min(i, len(s.src)):], []byte(text)); at >= 0 {
		return i + at + len(text)
	}
	return len(s.src)
}

// literal returns the end of the literal or byte at i. A line break ends an unclosed literal, but not a raw one, whose
// delimiter has at most 16 bytes.
func (s *scanner) literal(i int) int {
	quote := s.src[i]
	if quote != '"' && quote != '\'' {
		return i + 1
	}
	if open := bytes.IndexByte(s.src[i:min(len(s.src), i+18)], '('); open > 0 && i > 0 && s.src[i-1] == 'R' {
		return s.after(i+open, ")"+string(s.src[i+1:i+open])+`"`)
	}
	for i++; i < len(s.src) && s.src[i] != quote && s.src[i] != '\n'; i++ {
		if s.src[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(s.src))
}

// overwrite replaces a range by a byte, except line ends.
func (s *scanner) overwrite(from, to int, by byte) {
	s.out = lang.Writable(s.src, s.out)
	for i := from; i < to; i++ {
		if s.out[i] != '\n' && s.out[i] != '\r' {
			s.out[i] = by
		}
	}
}
