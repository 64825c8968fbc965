package golang

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// mayHold reports whether a file may hold a stub: whether after some word func
// there is what may be a header, and then a body that is empty, or begins as one
// of a stub does and says somewhere that it is one. It reads from each func on,
// whatever stands before it, so that neither a string nor a syntax error there
// can hide a stub; where its own reading goes wrong it says yes.
func mayHold(src []byte, _ []string) bool {
	if bytes.IndexByte(src, 0) >= 0 {
		return true // which the grammar takes for the end of a line
	}
	return language.ReadsEach(src, "func", func(at int) (end int, found bool) {
		s := scanner{src: src, at: at}
		found = s.header() && s.mayBeStub()
		return s.at, found
	})
}

// scanner reads Go by its bytes.
type scanner struct {
	src []byte
	at  int
}

// next returns the byte at the place, 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// space skips white space and comments, and reports whether a line ends there.
func (s *scanner) space() (ends bool) {
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		switch {
		case language.IsBlank(rest[0]):
			ends = ends || rest[0] == '\n'
			s.at++
		case bytes.HasPrefix(rest, []byte("//")):
			s.at = language.LineEnd(s.src, s.at)
		case bytes.HasPrefix(rest, []byte("/*")):
			s.at, _ = language.SkipQuoted(s.src, s.at+2, "*/", false)
		default:
			return ends
		}
	}
	return ends
}

// token skips one token: a name or number, a literal, or a byte.
func (s *scanner) token() {
	switch b := s.next(); {
	case b == '"' || b == '\'':
		s.at, _ = language.SkipQuoted(s.src, s.at+1, string(b), true)
	case b == '`':
		s.at, _ = language.SkipQuoted(s.src, s.at+1, "`", false)
	case language.IsWordByte(b):
		s.at = language.SkipWord(s.src, s.at)
	default:
		s.at = min(s.at+1, len(s.src))
	}
}

// group skips from an opening bracket to behind the one that closes it.
func (s *scanner) group() {
	for depth := 0; s.at < len(s.src); s.space() {
		switch s.next() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if s.token(); depth <= 0 {
			return
		}
	}
}

// header reads a header from behind its func to before its body. It reports
// whether there is one: a literal has no name, and some functions no body.
func (s *scanner) header() bool {
	if s.space(); s.next() == '(' {
		s.group()
		s.space()
	}
	if !language.IsWordByte(s.next()) {
		return false
	}
	s.token()
	if s.space(); s.next() == '[' {
		s.group()
		s.space()
	}
	if s.next() != '(' {
		return false
	}
	s.group()
	return s.result()
}

// result skips a result type, and reports whether a body follows. Braces that
// belong to a type are told by the word before; the end of a line ends the
// declaration where the type may be whole.
func (s *scanner) result() bool {
	before := ")"
	for {
		if s.space() && isWhole(before) {
			return false
		}
		start := s.at
		switch s.next() {
		case 0:
			return s.at >= len(s.src)
		case '}', ')', ';':
			return false
		case '{':
			if before != "struct" && before != "interface" {
				return true
			}
			s.group()
		case '(', '[':
			s.group()
		default:
			s.token()
		}
		before = string(s.src[max(start, s.at-maxWord):s.at])
	}
}

// maxWord is one more than the longest word that result and isWhole know.
const maxWord = len("interface") + 1

// isWhole reports whether a type may end with a token, of which the last bytes are given.
func isWhole(token string) bool {
	switch token {
	case "", "chan", "map", "struct", "interface", "func":
		return false
	}
	last := token[len(token)-1]
	return last == ')' || last == '}' || language.IsWordByte(last)
}

// mayBeStub reports whether a body may have no substance.
func (s *scanner) mayBeStub() bool {
	start := s.at
	for depth := 0; ; s.at++ {
		switch s.space(); s.next() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return true
			}
		case ',', ';':
		case 0:
			return true
		default:
			first := s.src[s.at:min(len(s.src), s.at+maxProbe)]
			if m := declares.FindIndex(first); m != nil {
				s.at += m[1] - 1 // its closing bracket
				continue
			}
			return probed.FindIndex(first) != nil || s.begins(first) && s.says(start)
		}
	}
}

var (
	// What a test says of itself: t.Parallel().
	declares = language.Lazy(`^(?:[tbfs]|(?:s|suite)\.T\(\))\.(?:Parallel|Helper|ReportAllocs)\([^)]*\)`)
	// What may be all that a test does, though it tests nothing.
	probed = language.Lazy(`^(?:(?:[tbfs]|(?:s|suite)\.T\(\))\.(?:Skip|Log|Parallel|Helper|ReportAllocs)|(?:assert|require)\.)`)
	failed = language.Lazy(`^[tb]\.(?:Fatal|Error)`)
)

// maxProbe is how much of a statement is looked at, in bytes.
const maxProbe = 100

// begins reports whether a statement is one that a stub may begin with.
func (s *scanner) begins(statement []byte) bool {
	switch string(statement[:language.SkipWord(statement, 0)]) {
	case "return", "panic", "_":
		return true
	}
	return failed.FindIndex(statement) != nil
}

// says reports whether something in the body may say that work is left.
func (s *scanner) says(start int) bool {
	s.at = start
	s.group()
	return language.MayMark(s.src[start:s.at])
}
