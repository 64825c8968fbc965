// Package excerpt keeps the beginning of a commit message and describes the rest, so that reading a long message costs
// little memory. It imports nothing else of Acta.
package excerpt

import (
	"bytes"
	"io"
	"regexp"
	"sync"
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
	// line is the beginning of the last unfinished line, after the excerpt.
	line []byte
}

// Write never fails.
func (w *Writer) Write(p []byte) (int, error) {
	kept := min(MaxBytes-len(w.Text), len(p))
	w.Text = append(w.Text, p[:kept]...)
	rest := p[kept:]
	if len(rest) == 0 {
		return len(p), nil
	}
	if w.Tail.Size == 0 && w.findTitle(w.Text[bytes.LastIndexByte(w.Text, '\n')+1:]) {
		w.line = []byte("read") // only a title that the limit cuts in two belongs to the tail
	}
	w.Tail.Size += len(rest)
	for part := range bytes.Lines(rest) {
		w.Tail.HasTitle = w.findTitle(part) || w.Tail.HasTitle
	}
	return len(p), nil
}

// titlePattern matches a line that looks like the title of an ACT or ADAPT. It is anchored: most lines fail at once.
var titlePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[ \t]*([*-][ \t]+)?(act|adapt)[ \t]*:`)
})

// maxLineStart is how much of a line is kept until its next bytes come.
const maxLineStart = 4096

// findTitle reports whether a line is a title with its next bytes.
func (w *Writer) findTitle(p []byte) bool {
	w.line = append(w.line, p[:min(len(p), maxLineStart-len(w.line))]...)
	found := titlePattern().Match(w.line)
	if bytes.HasSuffix(p, []byte{'\n'}) {
		w.line = w.line[:0]
	}
	return found
}

// LooksLikeTitle reports whether a line of a text looks like the title of an ACT or ADAPT.
func LooksLikeTitle(text string) bool { return hasTitle([]byte(text)) }

func hasTitle(text []byte) bool {
	for line := range bytes.Lines(text) {
		if titlePattern().Match(line) {
			return true
		}
	}
	return false
}

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
