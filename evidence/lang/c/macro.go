package c

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
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

// scanner walks over the words of a source; comments, literals and directives are passed over.
type scanner struct {
	src, out []byte
	at       int
	// before is the last byte that is neither blank nor comment nor directive.
	before byte
	// keyword is the last word where nothing but blanks has followed it yet.
	keyword string
}

// Readable returns a source without the macros that are no C, or src itself where there are none.
func (Rules) Readable(src []byte) []byte {
	s := &scanner{src: src, out: src}
	for s.at = s.skip(0); s.at < len(src); s.at = s.skip(s.at) {
		if c := src[s.at]; lang.IsWordByte(c) {
			s.word()
		} else {
			s.before, s.keyword, s.at = c, "", s.literal(s.at)
		}
	}
	return s.out
}

// word passes over a word, and blanks it where it is a macro that is no C.
func (s *scanner) word() {
	begin := s.at
	s.at = lang.SkipWord(s.src, begin)
	word := string(s.src[begin:s.at])
	end, next := s.arguments(s.at)
	switch {
	case s.keyword == "" && next == '{' && end > s.at && isListed("tests", word):
		s.cover(s.skip(s.at)+1, end-1, 'x')
	case s.isAnnotation(word, end, next):
		s.cover(begin, end, ' ')
		s.at = end
		return
	case s.isLine(word, end, next):
		s.cover(begin, end, '\f') // a blank, but no annotation of what follows
		s.at, s.before, s.keyword = end, ';', ""
		return
	}
	s.before, s.keyword = word[len(word)-1], word
}

// loops is how macros are called that head a loop: list_for_each, BOOST_FOREACH, SLIST_FOREACH_SAFE.
var loops = lang.Lazy(`(?i)for_?each`)

// isAnnotation reports whether a word, which ends at end with its arguments, only says something of a declaration, as
// its name and what stands beside it say.
func (s *scanner) isAnnotation(word string, end int, next byte) bool {
	opens := lang.IsWordByte(next) || strings.IndexByte("*~&[", next) >= 0
	trails := strings.IndexByte("{;,)=:", next) >= 0 &&
		(lang.IsWordByte(s.before) || strings.IndexByte(")]", s.before) >= 0)
	ends := func(end string) bool { return strings.HasSuffix(word, end) }
	holds := func(part string) bool { return strings.Contains(word, part) }
	at := s.skip(end)
	second := s.wordAt(at)
	switch {
	case len(word) < 2:
		return false
	case s.keyword == "" && next == '{' && end > s.at && (isListed("sections", word) || loops.MatchString(word)):
		return true // it heads a block
	case isListed("annotations", word), slices.ContainsFunc(listed()["parts"], holds),
		isCapitals(word) && slices.ContainsFunc(listed()["ends"], ends):
		return (opens || trails) && !slices.Contains([]string{"return", "case", "goto", "throw"}, s.keyword)
	case s.before == ')' && isCapitals(word) && strings.IndexByte("{:", next) >= 0 && strings.IndexByte(word, '_') > 0:
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

// startsDeclaration reports whether a declaration may begin or has begun.
func (s *scanner) startsDeclaration() bool {
	switch s.keyword {
	case "":
		return strings.IndexByte("\x00;{}:>", s.before) >= 0
	case "static", "inline", "extern", "virtual", "constexpr":
		return true
	}
	return false
}

// opensClass reports whether what follows i is the name of a class and what opens or derives it.
func (s *scanner) opensClass(i int) bool {
	head, _, _ := bytes.Cut(s.src[s.skip(i):min(len(s.src), i+maxArguments)], []byte("{"))
	return len(head) < len(s.src[s.skip(i):]) && !bytes.ContainsAny(head, ";()=")
}

// isLine reports whether a macro stands for whole statements or declarations: alone on its line, without a semicolon.
func (s *scanner) isLine(word string, end int, next byte) bool {
	if len(word) < 2 || !isCapitals(word) || strings.IndexByte("\x00;{}:", s.before) < 0 ||
		s.before == '{' && next == '}' && end == s.at { // the only value of an enumeration
		return false
	}
	after := s.src[end:s.skip(end)]
	return (bytes.IndexByte(after, '\n') >= 0 || next == 0) &&
		(lang.IsWordByte(next) || strings.IndexByte("\x00}~@", next) >= 0)
}

// wordAt returns the word that stands at i, "" when none does.
func (s *scanner) wordAt(i int) string { return string(s.src[i:lang.SkipWord(s.src, i)]) }

func isCapitals(word string) bool {
	return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" && word[0] > '9'
}

// maxArguments is how long the arguments of a macro may be, in bytes.
const maxArguments = 2000

// arguments returns the end of the arguments that stand behind a word that ends at i, i itself where there are none,
// and the byte that follows.
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

// skip returns the first place from i on that is no blank, comment or line of the preprocessor.
func (s *scanner) skip(i int) int {
	for i < len(s.src) {
		switch rest := s.src[i:]; {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			i++
		case bytes.HasPrefix(rest, []byte("//")):
			i = s.past(i, "\n")
		case bytes.HasPrefix(rest, []byte("/*")):
			i = s.past(i+2, "*/")
		case rest[0] == '#' && (i == 0 || bytes.HasSuffix(bytes.TrimRight(s.src[:i], " \t"), []byte{'\n'})):
			for i = s.past(i, "\n"); bytes.HasSuffix(bytes.TrimRight(s.src[:i], "\r\n"), []byte{'\\'}) && i < len(s.src); {
				i = s.past(i, "\n")
			}
		default:
			return i
		}
	}
	return i
}

// past returns the place behind a text that is looked for from i on, the end of the source where there is none.
func (s *scanner) past(i int, text string) int {
	if at := bytes.Index(s.src[min(i, len(s.src)):], []byte(text)); at >= 0 {
		return i + at + len(text)
	}
	return len(s.src)
}

// literal returns the end of the literal that begins at i, or of the byte there. A line ends one that is not closed,
// but for a raw one, whose delimiter is at most 16 bytes long.
func (s *scanner) literal(i int) int {
	quote := s.src[i]
	if quote != '"' && quote != '\'' {
		return i + 1
	}
	if open := bytes.IndexByte(s.src[i:min(len(s.src), i+18)], '('); open > 0 && i > 0 && s.src[i-1] == 'R' {
		return s.past(i+open, ")"+string(s.src[i+1:i+open])+`"`)
	}
	for i++; i < len(s.src) && s.src[i] != quote && s.src[i] != '\n'; i++ {
		if s.src[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(s.src))
}

// cover replaces a stretch by a byte; ends of lines stay.
func (s *scanner) cover(from, to int, by byte) {
	s.out = lang.Writable(s.src, s.out)
	for i := from; i < to; i++ {
		if s.out[i] != '\n' && s.out[i] != '\r' {
			s.out[i] = by
		}
	}
}
