package lang

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits an identifier into words in lower case: NoOpLogger into no, op, logger; HTTPMock into http, mock.
func Words(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	add := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) &&
			unicode.IsLower(runes[i+1])):
			add(i)
			start = i
		}
	}
	add(len(runes))
	return words
}

// FoldStyle makes names equal that differ only in style: user_model, UserModel, user-model.
func FoldStyle(name string) string { return strings.ToLower(separators.Replace(name)) }

var separators = strings.NewReplacer("_", "", "-", "")

// noop joins «no op» into one word.
var noop = strings.NewReplacer("NoOp", "Noop", "no_op", "noop", "NO_OP", "NOOP")

// NamesTestDouble reports whether a type's name says that its members do nothing on purpose: a null object (NoopTracer,
// nullUser, LoggerNoOp) or a test double (MockStore, ClockFake).
func NamesTestDouble(name string) bool {
	words := Words(noop.Replace(name))
	return len(words) > 0 && (callees.Has("double", words[0]) || callees.Has("doubled", words[len(words)-1]))
}

// IsAbstractName reports whether a class's name says that others fill it: BaseStore, AbstractStore, StoreBase,
// StoreMixin, StoreInterface.
func IsAbstractName(name string) bool {
	words := Words(name)
	return len(words) > 0 && (callees.Has("abstract", words[0]) || callees.Has("abstracted", words[len(words)-1]))
}

// HasWord reports whether a text contains a whole word; letters, digits, underscores and dollars continue words.
func HasWord(text, word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		end := from + i + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !IsNameRune(before) && !IsNameRune(after) {
			return true
		}
		from = end
	}
	return false
}

// LinesWith returns the lines of a text that hold a word, perhaps as a part of another, each with the line after it,
// where a statement may go on: little text for a search that takes long.
func LinesWith(text, word string) string {
	var b strings.Builder
	goesOn := false
	for line := range strings.Lines(text) {
		holds := strings.Contains(line, word)
		if holds || goesOn {
			b.WriteString(line)
		}
		goesOn = holds
	}
	return b.String()
}

// IsNameRune reports whether a rune may stand in a name.
func IsNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// WithoutArguments removes angle brackets and their content: «class A<T extends B>» becomes «class A».
func WithoutArguments(header string) string { return WithoutBrackets(header, '<', '>') }

// WithoutBrackets removes brackets of one kind and their content. The > of an arrow, -> or =>, does not count.
func WithoutBrackets(header string, opens, closes byte) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case c == opens:
			depth++
		case c == closes && depth > 0 && header[i-1] != '-' && header[i-1] != '=':
			depth--
		case depth == 0:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// TypeName returns the name of a type without arguments and qualifiers: A for «x.y.A<B>».
func TypeName(written string) string {
	m := patternOf("last name").FindStringSubmatch(strings.TrimSpace(WithoutArguments(written)))
	if m == nil {
		return ""
	}
	return m[1]
}

// DocumentsNothing reports whether a comment above a definition says that it does nothing.
func DocumentsNothing(comment string) bool { return fits("nothing documented", comment) }

// Likeness is the shared part of two multisets, as a percentage of their union.
func Likeness[K comparable](a, b map[K]int) int {
	shared, all := 0, 0
	for k, n := range a {
		shared += min(n, b[k])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return shared * 100 / max(all-shared, 1)
}

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

// SkippedSpans finds where tests do not run: inside calls that skip them, or after a mark of the file. A call inside
// another belongs to it. inComment reports whether a byte is in a comment.
func (l *Language) SkippedSpans(src []byte, inComment func(at int) bool) (found []Span) {
	for at := 0; ; {
		call := l.SkipStart.FindIndex(src[at:])
		if call == nil {
			return found
		}
		begin := at + call[0]
		at += call[1]
		switch {
		case inComment(begin):
			continue
		case src[at-1] != '(':
			return append(found, Span{Start: begin, End: len(src)})
		}
		for depth := 1; at < len(src) && depth > 0; at++ {
			switch {
			case inComment(at):
			case src[at] == '(':
				depth++
			case src[at] == ')':
				depth--
			}
		}
		found = append(found, Span{Start: begin, End: at})
	}
}
