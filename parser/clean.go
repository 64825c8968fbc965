package parser

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Cleanup is what git makes of a message file before it stores it: the modes of
// `git commit --cleanup` and commit.cleanup, git-commit(1).
type Cleanup string

const (
	CleanStrip      Cleanup = "strip"      // as whitespace, and without comment lines
	CleanWhitespace Cleanup = "whitespace" // no trailing white space, no runs of blank lines, none at either end
	CleanVerbatim   Cleanup = "verbatim"   // as it is
	CleanScissors   Cleanup = "scissors"   // up to the scissors line, and as whitespace
)

// CleanupMode is the mode that git takes for a configured value ("" is unset),
// with or without an editor. ok is false for a value that git refuses.
func CleanupMode(value string, editor bool) (mode Cleanup, ok bool) {
	switch value {
	case "", "default":
		if editor {
			return CleanStrip, true
		}
		return CleanWhitespace, true
	case "scissors":
		if editor {
			return CleanScissors, true
		}
		return CleanWhitespace, true
	case "strip", "whitespace", "verbatim":
		return Cleanup(value), true
	}
	return "", false
}

// Clean does to a message file what git does before it stores it. comment is
// core.commentChar, "" for git's default '#'. A mode that is none of the
// constants cleans as whitespace. msg is not changed.
func Clean(msg []byte, mode Cleanup, comment string) []byte {
	if comment == "" {
		comment = "#"
	}
	switch mode {
	case CleanVerbatim:
		return bytes.Clone(msg)
	case CleanScissors:
		msg = CutScissors(msg, comment)
	}
	skip := ""
	if mode == CleanStrip {
		skip = comment
	}
	return stripSpace(msg, skip)
}

// CutScissors is the message file above its scissors line, all of it without
// one; comment is as for Clean. Besides the scissors mode, git cuts there under `commit --verbose` in every mode.
func CutScissors(msg []byte, comment string) []byte {
	s := string(msg)
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	if comment == "" {
		comment = "#"
	}
	if i := scissors(s, comment); i < len(s) {
		return msg[:i:i]
	}
	return msg
}

// stripSpace is git-stripspace(1); lines that begin with skip are dropped, none when it is empty.
func stripSpace(msg []byte, skip string) []byte {
	out := make([]byte, 0, len(msg)+1)
	blanks := false
	for len(msg) > 0 {
		line, rest, _ := bytes.Cut(msg, []byte{'\n'})
		msg = rest
		if skip != "" && bytes.HasPrefix(line, []byte(skip)) {
			continue
		}
		line = bytes.TrimRight(line, white)
		if len(line) == 0 {
			blanks = true
			continue
		}
		if blanks && len(out) > 0 {
			out = append(out, '\n')
		}
		blanks = false
		out = append(append(out, line...), '\n')
	}
	return out
}

// StoredUTF8 is what git commit makes of bytes that are not UTF-8 when it stores
// a message under its default encoding: each is read as Latin-1, with a
// warning. Non-characters count as invalid. Measured on git 2.39; commit-tree
// does the same, fast-import and hash-object store the bytes as they are.
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
