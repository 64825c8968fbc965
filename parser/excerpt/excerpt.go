// Package excerpt keeps the beginning of a commit message and describes the rest, so that reading a long message costs
// little memory. It imports nothing else of Acta.
package excerpt

import (
	"bytes"
	"io"
)

// MaxBytes is how many bytes of a message are kept, inclusive: 1 MiB.
const MaxBytes = 1 << 20

// Tail describes the rest of a message after its excerpt.
type Tail struct {
	// Size is its length in bytes; 0 if the excerpt is the whole message.
	Size int
	// HasTitle: a line of it looks like the title of an ACT or ADAPT.
	HasTitle bool
}

// Writer takes a message and keeps its excerpt. The zero value is empty.
type Writer struct {
	// Text is the first Most bytes.
	Text []byte
	Tail Tail
	// line is the beginning of the last unfinished line, in lower case, white space as one space; isSkipped is set if it
	// cannot be a title.
	line      []byte
	isSkipped bool
}

// Write never fails.
func (w *Writer) Write(p []byte) (int, error) {
	kept := min(MaxBytes-len(w.Text), len(p))
	w.Text = append(w.Text, p[:kept]...)
	rest := p[kept:]
	if len(rest) == 0 {
		return len(p), nil
	}
	if w.Tail.Size == 0 {
		// A title that the limit cuts in two belongs to the tail.
		if w.findTitle(w.Text[bytes.LastIndexByte(w.Text, '\n')+1:]) {
			w.isSkipped = true
		}
	}
	w.Tail.Size += len(rest)
	w.Tail.HasTitle = w.Tail.HasTitle || w.findTitle(rest)
	return len(p), nil
}

// findTitle reports whether a title reaches its colon in the next bytes.
func (w *Writer) findTitle(p []byte) bool {
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte{'\n'})
		if w.findTitleInLine(part) {
			return true
		}
		if p = rest; ended {
			w.line, w.isSkipped = w.line[:0], false
		}
	}
	return false
}

// maxTitleKey is more than a title takes up to its colon: «* adapt ».
const maxTitleKey = 8

func (w *Writer) findTitleInLine(part []byte) bool {
	for _, c := range part {
		switch {
		case w.isSkipped:
			return false
		case c == ' ' || c == '\t':
			if n := len(w.line); n > 0 && w.line[n-1] != ' ' {
				w.line = append(w.line, ' ')
			}
		case c == ':':
			w.isSkipped = true
			return isTitleKey(w.line)
		default:
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			w.line = append(w.line, c)
		}
		w.isSkipped = w.isSkipped || len(w.line) > maxTitleKey
	}
	return false
}

// isTitleKey reports whether the text before a colon is ACT or ADAPT, with or without a bullet.
func isTitleKey(line []byte) bool {
	word := bytes.TrimSuffix(line, []byte(" "))
	if rest, ok := bytes.CutPrefix(word, []byte("* ")); ok {
		word = rest
	} else {
		word = bytes.TrimPrefix(word, []byte("- "))
	}
	return string(word) == "act" || string(word) == "adapt"
}

// LooksLikeTitle reports whether a line of a text looks like the title of an ACT or ADAPT.
func LooksLikeTitle(text string) bool { return new(Writer).findTitle([]byte(text)) }

// FromBytes is the excerpt of a message that is there already, and shares its bytes.
func FromBytes(message []byte) ([]byte, Tail) {
	if len(message) <= MaxBytes {
		return message, Tail{}
	}
	w := Writer{Text: message[:MaxBytes:MaxBytes]}
	_, _ = w.Write(message[MaxBytes:])
	return w.Text, w.Tail
}

// Read reads a message to its end.
func Read(r io.Reader) ([]byte, Tail, error) {
	var w Writer
	_, err := io.Copy(&w, r)
	return w.Text, w.Tail, err
}
