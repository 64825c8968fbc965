// Package excerpt keeps the beginning of a commit message, and what must be known of the rest: a reader goes in, at
// most so many bytes come out. So reading a message costs no more memory than that, however long it is. It imports
// nothing else of Acta.
package excerpt

import (
	"bytes"
	"io"
)

// MaxBytes is how many bytes of a message are kept, inclusive: 1 MiB.
const MaxBytes = 1 << 20

// Rest is what follows the part of a message that is kept.
type Rest struct {
	// Size is its length in bytes; 0 where the whole is kept.
	Size int
	// Titled: a line of it looks like the title of an ACT or ADAPT.
	Titled bool
}

// Writer takes a message and keeps its excerpt. The zero value is empty.
type Writer struct {
	// Text is the first Most bytes.
	Text []byte
	Rest Rest
	// line is how the line begins in which the last write ended, in lower case and with one space for white space; skip
	// is set where it is known to be no title.
	line []byte
	skip bool
}

// Write never fails.
func (w *Writer) Write(p []byte) (int, error) {
	kept := min(MaxBytes-len(w.Text), len(p))
	w.Text = append(w.Text, p[:kept]...)
	rest := p[kept:]
	if len(rest) == 0 {
		return len(p), nil
	}
	if w.Rest.Size == 0 {
		// A title that the limit cuts in two lies beyond it; one that stands above it was read.
		if w.look(w.Text[bytes.LastIndexByte(w.Text, '\n')+1:]) {
			w.skip = true
		}
	}
	w.Rest.Size += len(rest)
	w.Rest.Titled = w.Rest.Titled || w.look(rest)
	return len(p), nil
}

// look reports whether a title comes to its colon in the bytes that follow those that were seen.
func (w *Writer) look(p []byte) bool {
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte{'\n'})
		if w.lookAtLine(part) {
			return true
		}
		if p = rest; ended {
			w.line, w.skip = w.line[:0], false
		}
	}
	return false
}

// longest is more than a title takes up to its colon: «* adapt ».
const longest = 8

func (w *Writer) lookAtLine(part []byte) bool {
	for _, c := range part {
		switch {
		case w.skip:
			return false
		case c == ' ' || c == '\t':
			if n := len(w.line); n > 0 && w.line[n-1] != ' ' {
				w.line = append(w.line, ' ')
			}
		case c == ':':
			w.skip = true
			return named(w.line)
		default:
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			w.line = append(w.line, c)
		}
		w.skip = w.skip || len(w.line) > longest
	}
	return false
}

// named reports whether what stands before a colon names an ACT or ADAPT, behind a bullet or not.
func named(line []byte) bool {
	word := bytes.TrimSuffix(line, []byte(" "))
	if rest, ok := bytes.CutPrefix(word, []byte("* ")); ok {
		word = rest
	} else {
		word = bytes.TrimPrefix(word, []byte("- "))
	}
	return string(word) == "act" || string(word) == "adapt"
}

// LooksLikeTitle reports whether a line of a text looks like the title of an ACT or ADAPT.
func LooksLikeTitle(text string) bool { return new(Writer).look([]byte(text)) }

// FromBytes is the excerpt of a message that is there already, and shares its bytes.
func FromBytes(message []byte) ([]byte, Rest) {
	if len(message) <= MaxBytes {
		return message, Rest{}
	}
	w := Writer{Text: message[:MaxBytes:MaxBytes]}
	_, _ = w.Write(message[MaxBytes:])
	return w.Text, w.Rest
}

// Read reads a message to its end.
func Read(r io.Reader) ([]byte, Rest, error) {
	var w Writer
	_, err := io.Copy(&w, r)
	return w.Text, w.Rest, err
}
