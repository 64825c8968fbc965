package evidence

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/lang"
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

const byteOrderMark = "\ufeff"

// text is a file's bytes with its lines. Only '
// ' ends a line; an unterminated last line counts, and an empty file has none.
type text struct {
	bytes  []byte
	starts []int
}

func newText(src []byte) text {
	t := text{bytes: src, starts: make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
	for at := 0; at < len(src); {
		t.starts = append(t.starts, at)
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return t
}

func (t text) count() int { return len(t.starts) }

// span returns the bytes of existing lines from first to last, counted from 1, inclusive.
func (t text) span(first, last int) stretch {
	end := len(t.bytes)
	if last < len(t.starts) {
		end = t.starts[last]
	}
	return stretch{t.starts[first-1], end}
}

func (t text) line(offset int) int {
	i, found := slices.BinarySearch(t.starts, offset)
	if found {
		return i + 1
	}
	return max(i, 1)
}

func (t text) at(line int) string {
	s := t.span(line, line)
	return strings.TrimRight(string(t.bytes[s.start:s.end]), "\r\n")
}

// trim narrows lines to those that are not blank; first > last if all are.
func (t text) trim(first, last int) (int, int) {
	for first <= last && strings.TrimSpace(t.at(first)) == "" {
		first++
	}
	for last >= first && strings.TrimSpace(t.at(last)) == "" {
		last--
	}
	return first, last
}

// linesOf returns the lines of a definition, with decorators and modifiers.
func (m *model) linesOf(d *definition) (first, last int) {
	return m.text.line(d.outer), m.text.line(max(d.start, d.last-1))
}

// outermost are the outermost definitions with a property that overlap a stretch.
func (m *model) outermost(s stretch, is func(*definition) bool) (all []*definition) {
	end := 0
	for _, d := range m.definitions {
		if d.outer < s.end && d.last > s.start && d.end > end && is(d) {
			all, end = append(all, d), d.end
		}
	}
	return all
}

func isFunction(d *definition) bool { return d.kind == function }
func isStub(d *definition) bool     { return d.status == stub }
func isVague(d *definition) bool    { return d.status == vague }

// findSymbol returns the definitions with exactly this qualified name, else those whose qualified name ends with it.
func (m *model) findSymbol(symbol string) []*definition {
	symbol = plainSymbol(symbol)
	var exact, suffix []*definition
	for _, d := range m.definitions {
		switch {
		case d.isTitled:
		case d.symbol == symbol:
			exact = append(exact, d)
		case strings.HasSuffix("."+d.symbol, "."+strings.TrimPrefix(symbol, ".")):
			suffix = append(suffix, d)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return suffix
}

// plainSymbol writes a method's name as Type.Method.
func plainSymbol(symbol string) string {
	return symbolReplacer.Replace(strings.TrimSuffix(symbol, "()"))
}

var symbolReplacer = strings.NewReplacer("(*", "", ")", "", "(", "", "::", ".", "#", ".")

// chooseDefinition returns the definition of a symbol that overlaps the lines, else the nearest; nil if there is none.
// An unknown qualifier (an object literal, a module) is ignored if the lines agree.
func (m *model) chooseDefinition(symbol string, first, last int) *definition {
	symbol = plainSymbol(symbol)
	best, distance := m.nearest(m.findSymbol(symbol), first, last)
	for _, name := range []string{"." + symbol, symbol[strings.LastIndex(symbol, ".")+1:]} {
		found, far := m.nearest(m.findSymbol(name), first, last)
		if found != nil && far == 0 && (best == nil || distance > 0 && strings.HasPrefix(name, ".")) {
			return found
		}
	}
	return best
}

func (m *model) nearest(candidates []*definition, first, last int) (best *definition, distance int) {
	for _, d := range candidates {
		from, to := m.linesOf(d)
		if far := max(from-last, first-to, 0); best == nil || far < distance {
			best, distance = d, far
		}
	}
	return best, distance
}

// anchor returns the symbol of the innermost definition around the lines, if the symbol is unique; else "". A comment
// directly above a definition belongs to it.
func (m *model) anchor(first, last int) string {
	first, last = m.text.trim(first, last)
	if first > last {
		return ""
	}
	var inner *definition
	for _, d := range m.definitions {
		if from, to := m.linesOf(d); m.commentStart(from) <= first && last <= to {
			inner = d
		}
	}
	if inner == nil || inner.isTitled || !isAnchor(inner.symbol) || len(m.findSymbol(inner.symbol)) != 1 {
		return ""
	}
	return inner.symbol
}

// commentStart returns the first line of the comments directly above a line.
func (m *model) commentStart(line int) int {
	for line > 1 {
		above := m.text.span(line-1, line-1)
		at := m.trimEnd(above.start, above.end)
		if at > above.start || strings.TrimSpace(m.text.at(line-1)) == "" {
			return line
		}
		line--
	}
	return line
}

// isAnchor reports whether a symbol can follow '#' in a report line.
func isAnchor(symbol string) bool {
	isOther := func(r rune) bool { return !lang.IsNameRune(r) && r != '.' }
	return symbol != "" && !strings.ContainsFunc(symbol, isOther)
}
