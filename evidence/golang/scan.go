package golang

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// MayHold reports whether a file may hold a stub: whether after some word func
// there is what may be a header, and then a body that is empty, or begins as one
// of a stub does and says somewhere that it is one. It reads from each func on,
// whatever stands before it, so that neither a string nor a syntax error there
// can hide a stub; where its own reading goes wrong it says yes.
func (rules) MayHold(src []byte) bool {
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
	src  []byte
	at   int
	name string // of the function
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
	begin := s.at
	s.token()
	s.name = string(s.src[begin:s.at])
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

// mayBeStub reports whether a body may have no substance: it is one of a test that tests nothing, or calls little and
// gives back nothing, or calls little and holds a word of the vocabulary.
func (s *scanner) mayBeStub() bool {
	start, calls, gives := s.at, 0, false
	depth, before := 0, ""
	leaves, left := 0, 0 // how deep a statement stands that may end the function, and what follows one
	for depth > 0 || before == "" {
		ends := s.space()
		if s.at >= len(s.src) {
			return true
		}
		at := s.at
		if leaves = min(leaves, depth); leaves > 0 && leaves == depth && (ends || s.next() == ';') {
			left = depth
		}
		if depth < left {
			left = 0
		}
		switch b := s.next(); {
		case b == '(' && depth == 1 && strings.HasPrefix(before, ".Skip"):
			return true
		case b == '(' && before != "" && (before == ")" || before == "]" || language.IsWordByte(before[len(before)-1])) &&
			!isKeyword(before) && !saysLittle(before) && !s.asserts(at):
			acts, mayEnd := language.ActsBefore(s.src, at, false, s.name)
			if acts && left == 0 {
				return false
			}
			if calls++; mayEnd {
				leaves = depth
			}
		case left > 0: // it is never reached
		case b == '=' && strings.HasPrefix(before, "."), b == '=' && before == "]" && !s.discards(start):
			if s.at+1 < len(s.src) && s.src[s.at+1] != '=' {
				return false // it sets a field, or an element
			}
		}
		if before == "return" && !ends && s.next() != '}' && s.next() != ';' {
			gives = true
		}
		if before == "return" {
			leaves = depth
		}
		if calls > language.MaxCalls && left == 0 {
			return false
		}
		switch s.next() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		s.token()
		token := string(s.src[at:s.at])
		if before == "." {
			token = "." + token
		}
		before = token
	}
	return calls == 0 && !gives || language.SaysLeft(s.src[start:language.LineEnd(s.src, s.at)])
}

// isKeyword reports whether a bracket behind a word is no call.
func isKeyword(word string) bool {
	return slices.Contains([]string{"if", "for", "switch", "return", "func", "case", "range", "var", "struct",
		"interface", "go", "defer", "else"}, word)
}

// discards reports whether a body throws values away.
func (s *scanner) discards(start int) bool { return bytes.Contains(s.src[start:s.at], []byte("_")) }

// saysLittle reports whether a call, told by its last name, is one of a test that tests nothing by it.
func saysLittle(name string) bool {
	switch name {
	case ".Helper", ".Log", ".Logf", ".Parallel", ".ReportAllocs", ".T":
		return true
	}
	return false
}

// asserts reports whether the bracket at a place opens a call of testify, which may hold whatever the code does.
func (s *scanner) asserts(at int) bool {
	for at > 0 && (language.IsWordByte(s.src[at-1]) || s.src[at-1] == '.') {
		at--
	}
	return bytes.HasPrefix(s.src[at:], []byte("assert.")) || bytes.HasPrefix(s.src[at:], []byte("require."))
}
