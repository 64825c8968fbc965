package python

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// mayHold reports whether a file may hold a stub: whether after some word def
// there is what may be a header, and then a body that begins as one of a stub
// does. It reads from each def on, whatever stands before it, so that neither a
// string nor a syntax error there can hide a stub; where its own reading goes
// wrong it says yes. A body that begins with a definition is a stub only where
// that one is, which the search meets later.
func mayHold(src []byte, probes []string) bool {
	for _, odd := range []string{"\x00", "\u200b", "\u2060", "\ufeff"} {
		if bytes.Contains(src, []byte(odd)) {
			return true // blanks to the grammar, but for the first
		}
	}
	return language.ReadsEach(src, "def", func(at int) (end int, found bool) {
		s := scanner{src: src, at: at, probes: probes}
		found = s.header() && s.mayBeStub(at-len("def"))
		return s.at, found || s.lost
	})
}

// maxHeader bounds the headers that are read, in bytes; a longer one may be no header at all.
const maxHeader = 1 << 14

// scanner reads Python by its bytes. lost: it cannot tell what it reads.
type scanner struct {
	src    []byte
	at     int
	probes []string
	lost   bool
	name   string // of the function
}

// next returns the byte at the place, 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// space skips white space and comments.
func (s *scanner) space() {
	for {
		switch b := s.next(); {
		case language.IsBlank(b):
			s.at++
		case b == '#':
			s.at = language.LineEnd(s.src, s.at)
		default:
			s.lost = s.lost || b == '\\'
			return
		}
	}
}

// token skips one token: a name or number, a string, or a byte.
func (s *scanner) token() {
	switch b := s.next(); {
	case isQuote(b):
		s.quoted("")
	case language.IsWordByte(b):
		start := s.at
		if s.at = language.SkipWord(s.src, s.at); isQuote(s.next()) {
			s.quoted(string(s.src[start:s.at]))
		}
	default:
		s.at = min(s.at+1, len(s.src))
	}
}

// isQuote reports whether a byte begins a string, to the grammar at least.
func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// quoted skips a string from its first quote. One that evaluates expressions may hold quotes of its own.
func (s *scanner) quoted(prefix string) {
	quote := string(s.src[s.at])
	if triple := strings.Repeat(quote, 3); bytes.HasPrefix(s.src[s.at:], []byte(triple)) {
		quote = triple
	}
	start := s.at + len(quote)
	end, ok := language.SkipQuoted(s.src, start, quote, true)
	content := s.src[start:end]
	evaluates := strings.ContainsAny(prefix, "fFtT") && bytes.IndexByte(content, '{') >= 0
	if !ok || evaluates || len(quote) == 1 && bytes.IndexByte(content, '\n') >= 0 {
		s.lost = true
	}
	s.at = end
}

// group skips from an opening bracket to behind the one that closes it.
func (s *scanner) group() {
	start := s.at
	for depth := 0; !s.lost; s.space() {
		switch s.next() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		s.token()
		if s.lost = s.lost || s.at >= len(s.src) || s.at-start > maxHeader; depth <= 0 {
			return
		}
	}
}

// header reads a header from behind its def to behind its colon, and reports whether there is one.
func (s *scanner) header() bool {
	if s.space(); !language.IsWordByte(s.next()) {
		return false
	}
	begin := s.at
	s.at = language.SkipWord(s.src, s.at)
	s.name = string(s.src[begin:s.at])
	if s.space(); s.next() == '[' {
		s.group()
		s.space()
	}
	if s.next() != '(' {
		return false
	}
	s.group()
	s.space()
	if bytes.HasPrefix(s.src[s.at:], []byte("->")) {
		s.annotation()
	}
	if s.next() != ':' {
		return false
	}
	s.at++
	return !s.lost
}

// annotation skips the type of what is given back.
func (s *scanner) annotation() {
	start := s.at
	for s.space(); !s.lost && s.next() != ':'; s.space() {
		from := s.at
		switch s.next() {
		case '(', '[', '{':
			s.group()
		default:
			s.token()
		}
		s.lost = s.lost || s.at >= len(s.src) || s.at-start > maxHeader || string(s.src[from:s.at]) == "lambda"
	}
}

// mayBeStub reports whether the body of a definition, whose place is given, may
// have no substance: it is one of a test that tests nothing, or calls little and gives back nothing, or calls little and
// holds a word of the vocabulary.
func (s *scanner) mayBeStub(definition int) bool {
	start := s.at
	s.space()
	body := s.at
	if bytes.IndexByte(s.src[start:body], '\n') >= 0 && !s.isDeeper(definition) {
		return true // to the grammar, what stands there is no body, and there is none
	}
	calls, gives := 0, false
	for !s.lost && s.at < len(s.src) && !s.isBehind(body) {
		rest := s.src[s.at:]
		if language.HasPrefix(rest, 0, s.probes...) && probed.FindIndex(rest[:min(len(rest), maxProbe)]) != nil || bytes.HasPrefix(rest, []byte("with ")) && bytes.Contains(rest[:min(len(rest), maxProbe)], []byte("suppress")) {
			return true
		}
		if bytes.HasPrefix(rest, []byte("def ")) || bytes.HasPrefix(rest, []byte("class ")) || rest[0] == '@' {
			return language.MayBeLeft(s.src[start:min(len(s.src), s.at+maxHeader)]) // the definition there decides
		}
		if bytes.HasPrefix(rest, []byte("return")) && !language.IsWordByte(rest[min(len(rest)-1, len("return"))]) {
			given := bytes.TrimLeft(rest[len("return"):], " \t(")
			gives = gives || len(given) > 0 && given[0] != '\n' && given[0] != '#' && given[0] != '\r'
		}
		if annotates.MatchString(string(rest[:min(len(rest), maxProbe)])) {
			return true
		}
		if bytes.HasPrefix(rest, []byte("raise ")) && !hollowRaise.MatchString(string(rest[:min(len(rest), maxProbe)])) && !language.MayBeLeft(rest[:min(len(rest), maxProbe)]) {
			return false
		}
		if s.acts(&calls); calls > language.MaxCalls {
			return false
		}
		s.space()
	}
	return s.lost || calls == 0 && !gives || language.MayBeLeft(s.src[start:language.LineEnd(s.src, s.at)])
}

// probed is what a test may begin with that tests nothing: a skip, or an assertion whose first word may be a constant.
var probed = language.Lazy(`^(?:(?:assert|self\.(?:assert|fail)\w*)[\s(\\#]*(?:(?i:true|false|none|null|nil|undefined|nullptr)\b|not\b|[-\d"'` + "`" + `]|$)|self\.skipTest|pytest\.|assert[\s(]*[#\\])`)

// annotates is a statement that gives a name a type, in which anything may stand.
var annotates = language.Lazy(`^[^\s:()\[\]{}"'#]+[ \t]*:[ \t]*[^\s#]`)

// hollowRaise is a raise that a stub may come to, or a test that is skipped.
var hollowRaise = language.Lazy(`NotImpl|Skip|pytest|\\`)

// maxProbe is how much of a statement is looked at, in bytes.
const maxProbe = 200

// acts reads a statement, to the end of its line, and counts its calls; a statement that sets a member or an element counts as many.
func (s *scanner) acts(calls *int) {
	before := byte(0)
	member := false
	for s.at < len(s.src) && !s.lost {
		b := s.next()
		switch {
		case b == '\n' || b == ';':
			s.at++
			return
		case b == '#':
			return
		case b == '\\':
			s.lost = true
		case b == '(' && language.IsWordByte(before):
			if *calls++; language.ActsBefore(s.src, s.at, true, s.name) {
				*calls += language.MaxCalls
			}
		case b == '=' && member && s.at+1 < len(s.src) && s.src[s.at+1] != '=' && bytes.IndexByte([]byte("=!<>"), before) < 0:
			*calls += language.MaxCalls + 1
			return
		}
		member = b == '.' || member && (language.IsWordByte(b) || b == ' ' || bytes.IndexByte([]byte("+-*/%&|^@[("), b) >= 0) || b == '['
		at := s.at
		if b == '(' || b == '[' || b == '{' {
			s.group()
		} else {
			s.token()
		}
		if word := string(s.src[at:s.at]); word == "yield" {
			*calls += language.MaxCalls + 1
		}
		if before = s.src[s.at-1]; b == '(' && !language.IsBlank(s.next()) {
			before = ')'
		}
		for s.at < len(s.src) && language.IsBlank(s.next()) && s.next() != '\n' {
			s.at++
		}
	}
}

// isBehind reports whether a body, whose first statement is given, ends before the
// place: a line that is not as deep begins there. One that is deeper goes on, to the grammar.
func (s *scanner) isBehind(body int) bool {
	if bytes.IndexByte(s.src[body:s.at], '\n') < 0 {
		return false
	}
	first, alone := s.indentation(body)
	own, begins := s.indentation(s.at)
	if !begins {
		return !alone
	}
	if !bytes.HasPrefix(own, first) && !bytes.HasPrefix(first, own) {
		s.lost = true // how deep a tab is decides
	}
	return !alone || !bytes.HasPrefix(own, first)
}

// isDeeper reports whether the place begins a line that is indented deeper than that of a definition.
func (s *scanner) isDeeper(definition int) bool {
	line, _ := s.indentation(definition)
	before := bytes.TrimRight(s.src[:definition-len(line)], "\r\n")
	if bytes.HasSuffix(before, []byte("\\")) {
		return false // the line begins further up
	}
	line = line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	own, begins := s.indentation(s.at)
	return begins && len(own) > len(line) && bytes.HasPrefix(own, line)
}

// maxIndentation bounds the indentations that are compared, in bytes.
const maxIndentation = 1000

// indentation returns what stands on a place's line before it; blank is false where that is more than blanks.
func (s *scanner) indentation(at int) (before []byte, blank bool) {
	before = s.src[max(0, at-maxIndentation):at]
	i := bytes.LastIndexByte(before, '\n')
	before = before[i+1:]
	rest := bytes.Trim(before, " \t")
	if len(rest) > 0 && language.IsBlank(rest[0]) {
		s.lost = true // a form feed, say, which begins the counting anew
	}
	return before, (i >= 0 || at <= maxIndentation) && len(rest) == 0
}
