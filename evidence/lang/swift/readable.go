// Package swift reads what came after the version of Swift that the grammar knows.
package swift

import (
	"bytes"
	"slices"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// native are the words after # that the grammar knows.
var native = []string{
	"if", "elseif", "else", "endif", "sourceLocation", "selector", "available", "unavailable", "keyPath",
	"file", "fileID", "filePath", "line", "column", "function", "dsohandle",
	"colorLiteral", "imageLiteral", "fileLiteral", "externalMacro", "error", "warning",
}

// Readable makes what came after Swift 5.9, the grammar's version, into what it reads: the # of a macro's use becomes a
// name's first letter, and a name in backticks loses its spaces.
func (Rules) Readable(src []byte) []byte {
	r := &rewriter{src: src, out: src}
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '#':
			if word := src[i+1 : lang.SkipWord(src, i+1)]; len(word) > 0 && !slices.Contains(native, string(word)) &&
				(i == 0 || src[i-1] != '"' && src[i-1] != '#') {
				r.put(i, '_')
			}
		case '`':
			i = r.join(i)
		}
	}
	return r.out
}

// rewriter copies a source when its first byte changes.
type rewriter struct{ src, out []byte }

func (r *rewriter) put(i int, b byte) {
	r.out = lang.Writable(r.src, r.out)
	r.out[i] = b
}

// join makes one word of a name in backticks, and returns where it ends.
func (r *rewriter) join(i int) int {
	length := bytes.IndexByte(r.src[i+1:], '`')
	if length < 0 || bytes.IndexByte(r.src[i+1:i+1+length], '\n') >= 0 {
		return i
	}
	end := i + 1 + length
	for j := i + 1; j < end; j++ {
		if !lang.IsWordByte(r.src[j]) {
			r.put(j, '_')
		}
	}
	return end
}
