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

// CleanExcerpt cleans a message file as git does before it stores it, line by line, and keeps an excerpt. comment is
// core.commentChar, "" for git's default '#'. An unknown mode cleans as whitespace. With cutsScissors, everything under
// a scissors line is left out in every mode, as under `commit --verbose`.
func CleanExcerpt(r io.Reader, mode Cleanup, comment string, cutsScissors bool) ([]byte, excerpt.Tail, error) {
	c := cleaner{mode: mode, comment: commentPrefix(comment), cutsScissors: cutsScissors || mode == cleanScissors}
	lines := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, excerpt.Tail{}, err
		}
		if hasMore := c.write(line); err != nil || !hasMore {
			return c.out.Text, c.out.Tail, nil
		}
		line = line[:0]
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
	out          excerpt.Writer
	mode         Cleanup
	comment      string
	cutsScissors bool // cut at the scissors line, unless a NUL byte is above it
	hasBlanks    bool // empty lines before the next text
}

// write takes the next line, its line feed included, and reports whether more is wanted.
func (c *cleaner) write(line []byte) bool {
	if c.cutsScissors && string(line) == c.comment+" "+cutLine {
		return false
	}
	c.cutsScissors = c.cutsScissors && bytes.IndexByte(line, 0) < 0
	text := bytes.TrimRight(line, white) // as git-stripspace(1)
	switch {
	case c.mode == cleanVerbatim:
		_, _ = c.out.Write(line) // it never fails
	case c.mode == cleanStrip && bytes.HasPrefix(line, []byte(c.comment)):
	case len(text) == 0:
		c.hasBlanks = true
	default:
		if c.hasBlanks && len(c.out.Text) > 0 {
			_, _ = c.out.Write([]byte{'\n'})
		}
		c.hasBlanks = false
		_, _ = c.out.Write(text)
		_, _ = c.out.Write([]byte{'\n'})
	}
	return true
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
