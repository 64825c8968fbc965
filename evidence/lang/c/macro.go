package c

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// word passes over a word, and blanks it where it is a macro that is no C.
func (s *scanner) word() {
	begin := s.at
	s.at = lang.SkipWord(s.src, begin)
	word := string(s.src[begin:s.at])
	if s.at < len(s.src) && s.src[s.at] == '"' && strings.HasSuffix(word, "R") && len(word) <= 3 {
		s.at = s.raw(s.at)
		s.before, s.keyword = '"', ""
		return
	}
	end := s.macro(word)
	if end > 0 {
		s.blank(begin, end)
		s.at = end
		return
	}
	if end = s.line(word); end > 0 {
		s.cover(begin, end, '\f') // a blank, but no annotation of what follows
		s.at, s.before, s.keyword = end, ';', ""
		return
	}
	s.before, s.keyword = word[len(word)-1], word
}

// macro returns the end of a word that is to be blanked, its arguments included; 0 for any other.
func (s *scanner) macro(word string) int {
	if s.keyword == "" && s.opensTest(word) {
		return 0
	}
	if s.keyword == "" && isLoop(word) {
		if end, next := s.arguments(); end > s.at && (next == '{' || lang.IsWordByte(next)) {
			return end
		}
	}
	if !mayBeMacro(word) {
		if s.startsDeclaration() && s.isSpecifier(word, s.at) {
			return s.at
		}
		return 0
	}
	end, next := s.arguments()
	switch {
	case next == '{' && end > s.at && isListed("sections", word):
		return end
	case strings.HasPrefix(word, "__attribute") || word == "__declspec":
		return end
	case word == "slots" || word == "Q_SLOTS":
		if next == ':' && end == s.at {
			return end
		}
		return 0
	case word == "signals" || word == "Q_SIGNALS":
		if next == ':' && end == s.at && strings.IndexByte(";{}:", s.before) >= 0 {
			return s.skip(end) + 1
		}
		return 0
	case isAnnotation(word):
		opens := lang.IsWordByte(next) || next == '*' || next == '~' || next == '&' || next == '['
		trails := strings.IndexByte("{;,)=:", next) >= 0 &&
			(lang.IsWordByte(s.before) || s.before == ')' || s.before == ']')
		if (opens || trails) && !slices.Contains([]string{"return", "case", "goto", "throw"}, s.keyword) {
			return end
		}
		return 0
	case s.startsDeclaration() && s.isSpecifier(word, end):
		return end
	case s.before == ')' && (next == '{' || next == ':') && strings.IndexByte(word, '_') > 0:
		return end
	case s.keyword == "class" || s.keyword == "struct":
		if lang.IsWordByte(next) && s.opensClass(end) {
			return end
		}
		return 0
	}
	return 0
}

// startsDeclaration reports whether a declaration may begin or has begun.
func (s *scanner) startsDeclaration() bool {
	switch s.keyword {
	case "":
		return s.before == 0 || strings.IndexByte(";{}:>", s.before) >= 0
	case "static", "inline", "extern", "virtual", "constexpr":
		return true
	}
	return false
}

// isSpecifier reports whether a word, which ends at end with its arguments, only specifies the declaration that
// follows.
func (s *scanner) isSpecifier(word string, end int) bool {
	at := s.skip(end)
	second := s.wordAt(at)
	if second == "" || isListed("keywords", word) {
		return false
	}
	if isListed("declares", second) {
		return true
	}
	if s.keyword == "" || isListed("keywords", second) || !isCapitals(word) || strings.IndexByte(word, '_') < 0 {
		return false
	}
	return s.wordAt(s.skip(at+len(second))) != "" // static A_MACRO type name
}

// wordAt returns the word that stands at i, "" when none does.
func (s *scanner) wordAt(i int) string {
	return string(s.src[i:lang.SkipWord(s.src, i)])
}

// opensTest makes one word of what stands in the brackets of a test's macro.
func (s *scanner) opensTest(word string) bool {
	if word[0] < 'A' || word[0] > 'Z' || !isListed("tests", word) {
		return false
	}
	end, next := s.arguments()
	open := s.skip(s.at)
	if next != '{' || end < open+3 {
		return false
	}
	s.cover(open+1, end-1, 'x')
	return true
}

// line returns the end of a macro that stands for whole statements or declarations: alone on its line, without a
// semicolon.
func (s *scanner) line(word string) int {
	if len(word) < 2 || !isCapitals(word) || strings.Contains(word, "UNUSED") ||
		strings.IndexByte("\x00;{}:", s.before) < 0 {
		return 0
	}
	end, next := s.arguments()
	rest := s.src[end:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	alone := len(bytes.TrimSpace(rest)) == 0 || bytes.HasPrefix(bytes.TrimSpace(rest), []byte("//")) ||
		bytes.HasPrefix(bytes.TrimSpace(rest), []byte("/*"))
	goesOn := next == 0 || next == '}' || next == '#' || next == '~' || next == '@' || lang.IsWordByte(next)
	if s.before == '{' && next == '}' && end == s.at {
		return 0 // the only value of an enumeration
	}
	if alone && goesOn {
		return end
	}
	return 0
}

// arguments returns the end of the word's arguments, of the word itself where there are none, and the byte that
// follows.
func (s *scanner) arguments() (end int, next byte) {
	end = s.at
	open := s.skip(s.at)
	if open < len(s.src) && s.src[open] == '(' {
		if closing := s.closing(open); closing > 0 {
			end = closing
		}
	}
	if at := s.skip(end); at < len(s.src) {
		next = s.src[at]
	}
	return end, next
}

// closing returns the end of the bracket that opens at i, 0 when it is too far away.
func (s *scanner) closing(i int) int {
	depth := 0
	for limit := min(len(s.src), i+maxArguments); i < limit; i++ {
		switch s.src[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			i = s.literal(i) - 1
		case '{', '}', ';':
			return 0
		}
	}
	return 0
}

// skip returns the first place from i on that is neither blank nor comment.
func (s *scanner) skip(i int) int {
	for i < len(s.src) {
		switch {
		case strings.IndexByte(" \t\r\n\f\v", s.src[i]) >= 0:
			i++
		case s.src[i] == '/':
			inner := scanner{src: s.src, at: i}
			if !inner.comment() {
				return i
			}
			i = inner.at
		default:
			return i
		}
	}
	return i
}

// opensClass reports whether what follows i is the name of a class and what opens or derives it.
func (s *scanner) opensClass(i int) bool {
	i = s.skip(i)
	for i < len(s.src) && (lang.IsWordByte(s.src[i]) || bytes.HasPrefix(s.src[i:], []byte("::"))) {
		i++
		if s.src[i-1] == ':' {
			i++
		}
	}
	i = s.skip(i)
	if i < len(s.src) && s.src[i] == '<' {
		if end := bytes.IndexAny(s.src[i:], "{;"); end > 0 { // what a template is specialised for
			i += bytes.LastIndexByte(s.src[i:i+end], '>') + 1
		}
	}
	rest := s.src[s.skip(i):]
	return bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("final")) ||
		bytes.HasPrefix(rest, []byte(":")) && !bytes.HasPrefix(rest, []byte("::"))
}

// mayBeMacro is a cheap necessary condition: a name in capitals, one that begins with an underscore, or one that is
// known.
func mayBeMacro(word string) bool {
	if len(word) < 2 {
		return false
	}
	switch word[0] {
	case '_':
		return true
	case 'a', 'f', 'n', 's':
		return word == "slots" || word == "signals" || isListed("annotations", word)
	}
	return isCapitals(word)
}

// isLoop reports whether a macro of this name heads a loop: list_for_each, BOOST_FOREACH, SLIST_FOREACH_SAFE.
func isLoop(word string) bool {
	if len(word) < len("foreach") {
		return false
	}
	lower := strings.ToLower(word)
	return strings.Contains(lower, "for_each") || strings.Contains(lower, "foreach")
}

func isCapitals(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return word[0] < '0' || word[0] > '9'
}

func isAnnotation(word string) bool {
	holds := func(part string) bool { return strings.Contains(word, part) }
	ends := func(end string) bool { return strings.HasSuffix(word, end) }
	return isListed("annotations", word) || slices.ContainsFunc(listed()["parts"], holds) ||
		isCapitals(word) && slices.ContainsFunc(listed()["ends"], ends)
}
