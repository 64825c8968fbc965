package parser

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/acta-git/acta/parser/excerpt"
)

// Cleanup is a mode in which git cleans a message file before it stores it: the modes of `git commit --cleanup` and
// commit.cleanup, git-commit(1).
type Cleanup string

const (
	cleanStrip      Cleanup = "strip"      // as whitespace, and without comment lines
	CleanWhitespace Cleanup = "whitespace" // no trailing white space, and single blank lines, none at either end
	cleanVerbatim   Cleanup = "verbatim"   // as it is
	cleanScissors   Cleanup = "scissors"   // up to the scissors line, and as whitespace
)

// CleanupMode is the mode that git takes for a configured value ("" is unset),
// with or without an editor. ok is false for a value that git refuses.
func CleanupMode(value string, hasEditor bool) (mode Cleanup, ok bool) {
	switch mode = Cleanup(cmp.Or(value, "default")); {
	case !hasEditor && (mode == "default" || mode == cleanScissors):
		return CleanWhitespace, true
	case mode == "default":
		return cleanStrip, true
	case mode == cleanStrip, mode == CleanWhitespace, mode == cleanVerbatim, mode == cleanScissors:
		return mode, true
	}
	return "", false
}

// CleanExcerpt cleans a message file as git does before it stores it, as it is read, and keeps an excerpt. comment is
// core.commentChar, "" for git's default '#'. An unknown mode cleans as whitespace. With cutsScissors, everything under
// a scissors line is left out in every mode, as under `commit --verbose`.
func CleanExcerpt(r io.Reader, mode Cleanup, comment string, cutsScissors bool) ([]byte, excerpt.Tail, error) {
	var out excerpt.Writer
	c := cleaner{out: &out, mode: mode, comment: commentPrefix(comment), cutsScissors: cutsScissors ||
		mode == cleanScissors}
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		part, err := lines.ReadSlice('\n')
		more := len(part) == 0 || c.write(part)
		if errors.Is(err, io.EOF) || !more {
			c.end()
			return out.Text, out.Tail, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, excerpt.Tail{}, err
		}
	}
}

func commentPrefix(comment string) string { return cmp.Or(comment, "#") }

// CutScissors is the message file above its scissors line, all of it without one. Besides the scissors mode, git cuts
// there under `commit --verbose` in every mode.
func CutScissors(msg []byte, comment string) []byte {
	s := string(msg)
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	if i := scissors(s, commentPrefix(comment)); i < len(s) {
		return msg[:i:i]
	}
	return msg
}

type cleaner struct {
	out          io.Writer
	mode         Cleanup
	comment      string
	cutsScissors bool // cut at the scissors line, unless a NUL byte is above it

	isInLine    bool   // the last part did not end its line
	isComment   bool   // that line is a comment
	isEmptyLine bool   // only white space so far
	hasBlanks   bool   // empty lines before the next text
	hasOutput   bool   // some text was written
	space       []byte // white space before the next text of the line
	extraSpaces int    // more white space than is kept
}

// write takes the next part, its line feed included, and reports whether more is wanted.
func (c *cleaner) write(p []byte) bool {
	starts := !c.isInLine
	c.isInLine = !bytes.HasSuffix(p, []byte{'\n'})
	if c.cutsScissors {
		if starts && string(p) == c.comment+" "+cutLine {
			return false
		}
		c.cutsScissors = bytes.IndexByte(p, 0) < 0
	}
	if c.mode == cleanVerbatim {
		_, _ = c.out.Write(p) // the writers that there are never fail
		return true
	}
	if starts {
		c.isComment, c.isEmptyLine = c.mode == cleanStrip && bytes.HasPrefix(p, []byte(c.comment)), true
		c.space, c.extraSpaces = c.space[:0], 0
	}
	if !c.isComment {
		c.strip(bytes.TrimSuffix(p, []byte{'\n'}))
	}
	return true
}

// strip is git-stripspace(1) of a part without its line feed.
func (c *cleaner) strip(p []byte) {
	text := bytes.TrimRight(p, white)
	if len(text) > 0 {
		if c.isEmptyLine && c.hasBlanks && c.hasOutput {
			_, _ = c.out.Write([]byte{'\n'})
		}
		c.isEmptyLine, c.hasBlanks, c.hasOutput = false, false, true
		_, _ = c.out.Write(c.space)
		for ; c.extraSpaces > 0; c.extraSpaces -= min(c.extraSpaces, len(c.space)) {
			_, _ = c.out.Write(c.space[:min(c.extraSpaces, len(c.space))])
		}
		_, _ = c.out.Write(text)
		c.space = c.space[:0]
	}
	kept := min(len(p)-len(text), excerpt.MaxBytes-len(c.space))
	c.space, c.extraSpaces = append(c.space, p[len(text):len(text)+kept]...), c.extraSpaces+len(p)-len(text)-kept
	if !c.isInLine {
		c.endLine()
	}
}

func (c *cleaner) endLine() {
	if c.isEmptyLine {
		c.hasBlanks = true
		return
	}
	_, _ = c.out.Write([]byte{'\n'})
}

func (c *cleaner) end() {
	if c.isInLine && !c.isComment && c.mode != cleanVerbatim {
		c.endLine()
	}
}

// StoredUTF8 converts bytes that are not UTF-8 as git commit does under its default encoding: each is read as Latin-1.
// Non-characters count as invalid. Measured on git 2.39; commit-tree does the same, fast-import and hash-object store
// the bytes unchanged.
func StoredUTF8(msg []byte) []byte {
	out := make([]byte, 0, len(msg))
	for len(msg) > 0 {
		c, size := utf8.DecodeRune(msg)
		if c == utf8.RuneError && size == 1 || c&0xfffe == 0xfffe || c >= 0xfdd0 && c <= 0xfdef {
			c, size = rune(msg[0]), 1
		}
		out = utf8.AppendRune(out, c)
		msg = msg[size:]
	}
	return out
}
