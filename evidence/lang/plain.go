package lang

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Plain returns code as the language reads its names and texts: without escaped letters, letters in other Unicode
// alphabets, nested texts and Optional parts. Length and lines stay the same; shorter names and texts get blanks before
// them. src itself is not changed.
func (l *Language) Plain(src []byte) []byte {
	if !l.IsCode() {
		return src
	}
	out := src
	for i := 0; i < len(src); i++ {
		length, plain := 0, ""
		switch c := src[i]; {
		case c == '\\' && i+1 < len(src) && src[i+1] == '\\':
			i++
		case c == '\\' && HasPrefix(src, i+1, escapeStarts...) || c == '$' && HasPrefix(src, i, "${\"", "${'"):
			length, plain = l.escapedText(string(src[i:min(len(src), i+maxNewSyntax)]))
		case c == 0xef || c == 0xf0:
			length, plain = styledLetter(src[i:])
		}
		if length == 0 || i > 0 && i+length < len(src) && src[i-1] == '\'' && src[i+length] == '\'' { // a character
			continue
		}
		out = Writable(src, out)
		begin, end := i, i+length
		for begin > 0 && bytes.IndexByte([]byte("\"'`\\{}()\n"), out[begin-1]) < 0 {
			begin--
		}
		if begin == 0 || bytes.IndexByte([]byte("\"'`"), out[begin-1]) < 0 {
			for begin = i; begin > 0 && IsWordByte(out[begin-1]); {
				begin--
			}
		}
		word := string(out[begin:i]) + plain
		copy(out[begin:end], strings.Repeat(" ", end-begin-len(word))+word)
		i = end - 1
	}
	return l.Optional.Blank(out)
}

// escapeStarts may follow the backslash of an escape.
var escapeStarts = strings.Split("xuU0123456789", "")

// escapedText returns the letter or text that an escape at the beginning of src means, and the escape's length.
func (l *Language) escapedText(src string) (length int, plain string) {
	m := patternOf("escape").FindStringSubmatch(src)
	switch {
	case m == nil:
		return 0, ""
	case m[3] != "":
		return len(m[0]), m[3]
	}
	base := 16
	if m[2] != "" {
		if base = 8; l.Name == "lua" {
			base = 10
		}
	}
	code, err := strconv.ParseUint(m[1]+m[2], base, 8)
	if err != nil || code|0x20 < 'a' || code|0x20 > 'z' {
		return 0, ""
	}
	return len(m[0]), string(rune(code))
}

// styledLetter returns the letter for a full-width or bold character at the beginning of src, and its length.
func styledLetter(src []byte) (length int, plain string) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch r, n := utf8.DecodeRune(src); {
	case r >= 'Ａ' && r <= 'Ｚ' || r >= 'ａ' && r <= 'ｚ':
		return n, string(r - 'Ａ' + 'A')
	case r >= 0x1d400 && r < 0x1d6a4:
		return n, letters[(r-0x1d400)%52:][:1]
	}
	return 0, ""
}

// Marks finds what tags.scm would, in a language without a Grammar. Each group of Tokens is a mark; its name without
// trailing digits is the capture. Text outside tokens is code. ok is false if a file has too many tokens.
func (l *Language) Marks(src []byte) (found []Mark, ok bool) {
	src, found = l.blankTexts(src)
	tokens := l.Tokens.InBytes(src)
	names := tokens.SubexpNames()
	limit := maxGroups / len(names)
	matches := tokens.FindAllSubmatchIndex(src, limit)
	for _, m := range matches {
		for g := 1; g < len(names); g++ {
			if s := (Span{m[2*g], m[2*g+1]}); s.Start < s.End {
				found = append(found, Mark{Capture: strings.TrimRight(names[g], "0123456789"), Span: s})
			}
		}
	}
	return found, len(matches) < limit
}

// maxGroups bounds the groups of all tokens of a file, each of 16 bytes.
const maxGroups = 6 << 20

// blankTexts finds the texts below a TextStart, and returns the source with letters in their place. A text ends at the
// first line that is not indented deeper than the group of TextStart, or than its line if the group is unset.
func (l *Language) blankTexts(src []byte) (out []byte, found []Mark) {
	if !l.TextStart.IsSet() {
		return src, nil
	}
	out = bytes.Clone(src)
	end := 0
	for _, m := range l.TextStart.InBytes(src).FindAllSubmatchIndex(src, -1) {
		if m[0] < end {
			continue
		}
		indent := m[2] - m[0]
		if m[2] < 0 {
			indent = leadingBlanks(src[m[0]:])
		}
		end = m[1]
		for line := range bytes.Lines(src[m[1]:]) {
			if blanks := leadingBlanks(line); blanks <= indent && len(bytes.TrimSpace(line)) > 0 {
				break
			}
			end += len(line)
		}
		found = append(found, Mark{Capture: "content", Span: Span{m[1], end}})
		for i := m[1]; i < end; i++ {
			if out[i] != '\n' {
				out[i] = 'x'
			}
		}
	}
	return out, found
}

func leadingBlanks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// IsPage reports whether a file begins with an element, as components of Vue and Svelte do.
func IsPage(src []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(src), []byte("<")) }
