package swift

import (
	"bytes"
	"slices"

	"github.com/acta-git/acta/evidence/language"
)

// native are the words after # that the grammar knows.
var native = []string{
	"if", "elseif", "else", "endif", "sourceLocation", "selector", "available", "unavailable", "keyPath",
	"file", "fileID", "filePath", "line", "column", "function", "dsohandle",
	"colorLiteral", "imageLiteral", "fileLiteral", "externalMacro", "error", "warning",
}

// Readable makes what came after Swift 5.9, the grammar's version, into what it reads: the # of
// a macro's use becomes a name's first letter, throws(E), nonisolated(unsafe), ~Copyable and
// sending lose what is new in them, and a name in backticks loses its spaces.
func (rules) Readable(src []byte) []byte {
	r := &rewriter{src: src, out: src}
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '#':
			if word := wordAt(src, i+1); len(word) > 0 && !slices.Contains(native, string(word)) &&
				(i == 0 || src[i-1] != '"' && src[i-1] != '#') {
				r.put(i, '_')
			}
		case '(':
			if before := wordBefore(src, i); before == "throws" || before == "nonisolated" {
				r.blankTo(i, ')')
			}
		case '~':
			if i+1 < len(src) && src[i+1] >= 'A' && src[i+1] <= 'Z' {
				r.put(i, ' ')
			}
		case '`':
			i = r.join(i)
		case 's', 'c', 'b':
			if word := wordAt(src, i); (i == 0 || !language.IsWordByte(src[i-1])) &&
				isOwnership(string(word)) && opensType(src, i, len(word)) {
				for j := range word {
					r.put(i+j, ' ')
				}
			}
		}
	}
	return r.out
}

// rewriter copies a source when its first byte changes.
type rewriter struct{ src, out []byte }

func (r *rewriter) put(i int, b byte) {
	r.out = language.Writable(r.src, r.out)
	r.out[i] = b
}

// blankTo blanks from i to the next end on the same line, both included.
func (r *rewriter) blankTo(i int, end byte) {
	length := bytes.IndexByte(r.src[i:], end)
	if length < 0 || bytes.IndexByte(r.src[i:i+length], '\n') >= 0 {
		return
	}
	for j := i; j <= i+length; j++ {
		r.put(j, ' ')
	}
}

// join makes one word of a name in backticks, and returns where it ends.
func (r *rewriter) join(i int) int {
	length := bytes.IndexByte(r.src[i+1:], '`')
	if length < 0 || bytes.IndexByte(r.src[i+1:i+1+length], '\n') >= 0 {
		return i
	}
	end := i + 1 + length
	for j := i + 1; j < end; j++ {
		if !language.IsWordByte(r.src[j]) {
			r.put(j, '_')
		}
	}
	return end
}

func isOwnership(word string) bool {
	return word == "sending" || word == "consuming" || word == "borrowing"
}

// opensType reports whether the word of this length at i stands before a type: after a colon or an arrow, before a
// name.
func opensType(src []byte, i, length int) bool {
	before := bytes.TrimRight(src[max(0, i-40):i], " \t\n")
	next := bytes.TrimLeft(src[i+length:min(len(src), i+length+40)], " \t")
	return len(before) > 0 && (before[len(before)-1] == ':' || before[len(before)-1] == '>') &&
		len(next) > 0 && (language.IsWordByte(next[0]) || next[0] == '@' || next[0] == '[' || next[0] == '(')
}

func wordAt(src []byte, i int) []byte {
	end := i
	for end < len(src) && language.IsWordByte(src[end]) {
		end++
	}
	return src[i:end]
}

func wordBefore(src []byte, i int) string {
	begin := i
	for begin > 0 && language.IsWordByte(src[begin-1]) {
		begin--
	}
	return string(src[begin:i])
}
