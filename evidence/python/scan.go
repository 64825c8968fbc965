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
	s.at = language.SkipWord(s.src, s.at)
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
// have no substance. It reads statement by statement, up to the first that decides.
func (s *scanner) mayBeStub(definition int) bool {
	start := s.at
	s.space()
	body := s.at
	if bytes.IndexByte(s.src[start:body], '\n') >= 0 && !s.isDeeper(definition) {
		return true // to the grammar, what stands there is no body, and there is none
	}
	for !s.lost {
		first := s.at
		if s.isBehind(body) {
			return language.MayMark(s.src[start:first])
		}
		switch s.sort() {
		case decides:
			return true
		case ended:
			return first == body || language.MayMark(s.src[start:first])
		case substance:
			return false
		case text:
			if s.strings(); s.ends() && s.isLast(body) {
				return true
			}
		case imports:
			s.imports()
		case gives:
			s.logicalLine()
		}
		s.space()
	}
	return true
}

// sort is what a statement may be to a stub.
type sort uint8

const (
	substance sort = iota
	decides        // with it a body may be a stub, whatever follows
	text           // a bare string, which is one where nothing follows
	gives          // a return of constants, or a raise, which are one beside something that says so
	imports        // likewise
	ended          // there is none
)

// sort tells what statement begins at the place.
func (s *scanner) sort() sort {
	rest := s.src[s.at:]
	switch {
	case len(rest) == 0:
		return ended
	case rest[0]-'0' < 10:
		return decides
	}
	if bytes.IndexByte([]byte("()[]{},;.\\"), rest[0]) >= 0 {
		return s.brackets()
	}
	end := language.SkipWord(rest, 0)
	if end < len(rest) && end <= 2 && isQuote(rest[end]) {
		return text
	}
	switch string(rest[:end]) {
	case "pass", "None", "True", "False":
		return decides
	case "raise":
		return s.raises()
	case "return":
		return s.returns()
	case "import", "from":
		return imports
	}
	if language.HasPrefix(rest, 0, s.probes...) && probed.FindIndex(rest[:min(len(rest), maxProbe)]) != nil {
		return decides
	}
	return substance
}

// probed is what a test may begin with that tests nothing: a skip, or an assertion whose first word may be a constant.
var probed = language.Lazy(`^(?:(?:assert|self\.(?:assert|fail)\w*)[\s(\\#]*(?:(?i:true|false|none|null|nil|undefined|nullptr)\b|not\b|[-\d"'` + "`" + `]|$)|self\.skipTest|pytest\.|assert[\s(]*[#\\])`)

// maxProbe is how much of a statement is looked at, in bytes.
const maxProbe = 200

// brackets tells what a statement is that begins with a bracket or a dot: it may be nothing but those.
func (s *scanner) brackets() sort {
	for depth, at := 0, s.at; at < len(s.src); at++ {
		switch b := s.src[at]; b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',', ' ', '\t', '\r', '\f', '\v':
		case '\n':
			if depth <= 0 {
				return decides
			}
		case '.', ';', '#', '\\':
			return decides
		default:
			if depth > 0 || goesOn(s.src[at:]) {
				return substance
			}
			return decides
		}
	}
	return decides
}

// raises tells what a raise may be.
func (s *scanner) raises() sort {
	raised := bytes.TrimLeft(s.src[s.at+len("raise"):], " \t\r\n\f\v(\\")
	switch {
	case bytes.HasPrefix(raised, []byte("NotImplemented")), language.HasPrefix(s.src[s.at:], 0, s.probes...):
		return decides
	case language.HasPrefix(raised, 0, "BaseException", "Exception", "RuntimeError"):
		return gives
	}
	return substance
}

// returns tells what a return may be: one of anything but constants is substance.
func (s *scanner) returns() sort {
	const blanks = " \t\r\f\v\\"
	given := bytes.TrimLeft(s.src[s.at+len("return"):], blanks)
	if bytes.HasPrefix(given, []byte("(")) {
		given = bytes.TrimLeft(given, blanks+"(\n")
	}
	if len(given) > 0 && bytes.IndexByte([]byte("\n;#)-01.[{"), given[0]) < 0 &&
		!language.HasPrefix(given, 0, "None", "True", "False", `""`, "''", "list(", "dict(", "set(", "tuple(", "str(") {
		return substance
	}
	constants := givesConstants.FindIndex(s.src[s.at:])
	if constants == nil {
		return substance
	}
	behind := *s
	behind.at += len(bytes.TrimRight(s.src[s.at:s.at+constants[1]], " \t\r\n\f\v"))
	if behind.blanks(); goesOn(s.src[behind.at:]) {
		return substance
	}
	return gives
}

// goesOn reports whether what follows constants or brackets makes more of them. Where
// it does not, it is another statement to a parser that mends an error.
func goesOn(rest []byte) bool {
	switch string(rest[:language.SkipWord(rest, 0)]) {
	case "":
		return len(rest) > 0 && bytes.IndexByte([]byte(".([=<>!+-*/%&|^,:@"), rest[0]) >= 0
	case "if", "and", "or", "in", "is", "not", "for", "async":
		return true
	}
	return false
}

// strings skips a bare string, and the strings that follow it on its line. A word
// there may be a prefix, an operator, or a statement to a parser that mends an error.
func (s *scanner) strings() {
	for {
		s.token()
		s.blanks()
		if b := s.next(); s.lost || !isQuote(b) {
			s.lost = s.lost || language.IsWordByte(b)
			return
		}
	}
}

// blanks skips white space up to the end of the line.
func (s *scanner) blanks() {
	for language.IsBlank(s.next()) && s.next() != '\n' {
		s.at++
	}
}

// ends reports whether a statement ends at the place.
func (s *scanner) ends() bool {
	b := s.next()
	return s.at == len(s.src) || b == '\n' || b == '#' || b == ';'
}

// isLast reports whether a bare string that ends at the place may be the last
// statement of a body, whose first is given.
func (s *scanner) isLast(body int) bool {
	for s.next() == ';' {
		s.at++
		s.blanks()
	}
	if !s.ends() {
		return false
	}
	s.space()
	return s.at == len(s.src) || s.isBehind(body)
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

// logicalLine skips what is left of a statement: to the end of its line, beyond
// the brackets that are open there.
func (s *scanner) logicalLine() {
	for s.at < len(s.src) && !s.lost {
		switch s.next() {
		case '\n', ';':
			s.at++
			return
		case '#':
			return
		case '(', '[', '{':
			s.group()
		case '\\':
			s.lost = true
		default:
			s.token()
		}
	}
}

// imports skips what is left of an import. Two names side by side are two
// statements to a parser that mends an error.
func (s *scanner) imports() {
	line := *s
	line.logicalLine()
	for joined := true; s.at < line.at; s.blanks() {
		start := s.at
		if s.token(); !language.IsWordByte(s.src[start]) {
			joined = true
			continue
		}
		word := string(s.src[start:s.at])
		joins := word == "import" || word == "from" || word == "as"
		s.lost = s.lost || !joined && !joins
		joined = joins
	}
	s.at, s.lost = line.at, s.lost || line.lost
}
