package lang

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Plain returns code with its names and texts as the language reads them: letters that are written as escapes, in other
// alphabets of Unicode, or as a text in a text; and without Spelt. It is of the same length and lines; src itself is
// not changed. What gets shorter has blanks before it, where a text or a name begins.
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
		case c == '\\' && HasPrefix(src, i+1, escapes...) || c == '$' && HasPrefix(src, i, "${\"", "${'"):
			length, plain = l.escaped(string(src[i:min(len(src), i+maxNewer)]))
		case c == 0xef || c == 0xf0:
			length, plain = styled(src[i:])
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
	if l.Spelt.IsSet() {
		out = l.Spelt.Blank(out)
	}
	return out
}

// escapes are how escapes go on after their backslash; escape is one of a character, in groups by the base of its
// digits, and a text in a text.
var (
	escapes = strings.Split("xuU0123456789", "")
	escape  = Lazy(`^(?:\\(?:x|u00|u\{0*|U000000)([0-9a-fA-F]{2})\}?|\\([0-9]{2,3})|\$\{["']([\w ]+)["']\})`)
)

// escaped is the letter, or the text, that an escape at the beginning of a source stands for, and how long that is.
func (l *Language) escaped(src string) (length int, plain string) {
	m := escape.FindStringSubmatch(src)
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

// styled is a letter in a style of its own, full width or bold, at the beginning of a source, and how long it is.
func styled(src []byte) (length int, plain string) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch r, n := utf8.DecodeRune(src); {
	case r >= 'Ａ' && r <= 'Ｚ' || r >= 'ａ' && r <= 'ｚ':
		return n, string(r - 'Ａ' + 'A')
	case r >= 0x1d400 && r < 0x1d6a4:
		return n, letters[(r-0x1d400)%52:][:1]
	}
	return 0, ""
}
