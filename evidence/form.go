package evidence

import (
	"bytes"
	"strings"
	"unicode"
)

const blankBytes = " \t\r\n\f\v"

// between narrows a stretch to its first and last bytes that are neither blank nor comment; it may be empty.
func (m *model) between(start, end int) stretch {
	for start < end && m.isSpace(start) {
		start++
	}
	return stretch{start, max(start, m.trimEnd(start, end))}
}

// trimBlanks narrows a stretch to its first and last bytes that are not blank.
func (m *model) trimBlanks(s stretch) stretch {
	text := m.text.bytes[s.start:s.end]
	s.start += len(text) - len(bytes.TrimLeft(text, blankBytes))
	s.end = s.start + len(bytes.Trim(text, blankBytes))
	return s
}

// isSpace reports whether a byte is blank or in a comment, also in a stub.
func (m *model) isSpace(at int) bool {
	k := m.kinds[at] & kindMask
	return k == blank || k == comment
}

// isFormat reports whether formatters may add or remove a leaf: blanks, a semicolon, or a comma before a closing
// bracket.
func (m *model) isFormat(s stretch) bool {
	switch text := bytes.TrimSpace(m.text.bytes[s.start:s.end]); string(text) {
	case "", ";":
		return true
	case ",":
		next := m.nextToken(s.end) - 1
		return next < len(m.kinds) && bytes.IndexByte([]byte(")]}"), m.text.bytes[next]) >= 0
	}
	return false
}

// normalToken is a token with normal quotes, and white space joined outside literals.
func (m *model) normalToken(s stretch, literal bool) []byte {
	text := m.text.bytes[s.start:s.end]
	if n := len(text); n >= 2 && text[0] == '\'' && text[n-1] == '\'' && !bytes.ContainsAny(text[1:n-1], "'\"\\") {
		text = bytes.Join([][]byte{{'"'}, text[1 : n-1], {'"'}}, nil)
	}
	switch {
	case !bytes.ContainsAny(text, blankBytes):
		return text
	case !literal:
		return bytes.Join(bytes.Fields(text), []byte{' '})
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte{'\n'})
}

// codeOf is a line without comments, documentation and formatting.
func (m *model) codeOf(line int) string {
	s := m.text.span(line, line)
	var out bytes.Buffer
	for at := s.start; at < s.end; at++ {
		if !m.isSpace(at) && m.kinds[at]&kindMask != docstring {
			out.WriteByte(m.text.bytes[at])
		}
	}
	return withoutFormat(out.String())
}

// withoutFormat removes what formatters may add or remove.
func withoutFormat(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == ';' || r == ',':
			return -1
		case r == '\'':
			return '"'
		}
		return r
	}, s)
}
