package host

import (
	"bytes"
	"strings"
)

// block is a part of a file that is acta's, between two lines that say so.
type block struct {
	begin, end string
	body       string
	// head is what a file begins with that holds nothing else.
	head string
}

// text is the block as it stands in a file that breaks lines like another.
func (b block) text(like []byte) []byte {
	text := b.begin + "\n" + b.body + b.end + "\n"
	if bytes.Contains(like, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// Add is a file with the block: in the place of one that is there, else at its end, behind an empty line. A file whose
// last line does not end gets a block whose last line does not, either, so that it can be taken away again.
func (b block) Add(file []byte) ([]byte, error) {
	text := b.text(file)
	if from, to := b.find(file); from >= 0 {
		if to == len(file) && !bytes.HasSuffix(file, []byte("\n")) {
			text = bytes.TrimRight(text, "\r\n")
		}
		return bytes.Join([][]byte{file[:from], text, file[to:]}, nil), nil
	}
	line := text[len(bytes.TrimRight(text, "\r\n")):]
	switch {
	case len(bytes.TrimSpace(file)) == 0:
		return append([]byte(b.head), text...), nil
	case bytes.HasSuffix(file, []byte("\n")):
		return bytes.Join([][]byte{file, line, text}, nil), nil
	}
	return bytes.Join([][]byte{file, line, line, bytes.TrimRight(text, "\r\n")}, nil), nil
}

// without is a file without the block, and without the empty line before it.
func (b block) without(file []byte) []byte {
	from, to := b.find(file)
	if from < 0 {
		return file
	}
	before, after := file[:from], file[to:]
	lines := 1
	if len(after) == 0 && !bytes.HasSuffix(file, []byte("\n")) {
		lines = 2
	}
	for range lines {
		before = bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\n")), []byte("\r"))
	}
	if from > 0 && len(before) > 0 && lines == 1 && !bytes.HasSuffix(before, []byte("\n")) {
		before = file[:from] // nothing but the end of the line before stands there
	}
	return append(before[:len(before):len(before)], after...)
}

// Remove is without, of a file that goes where nothing else was in it.
func (b block) Remove(file []byte) ([]byte, error) {
	rest := b.without(file)
	if len(bytes.TrimSpace(rest)) == 0 && len(rest) < len(file) || b.head != "" && string(rest) == b.head {
		return nil, nil
	}
	return rest, nil
}

// find is where the block stands, its last line's break included; from is -1 where there is none. Of several it is
// the first; one that does not end is none.
func (b block) find(file []byte) (from, to int) {
	at := 0
	from = -1
	for line := range bytes.Lines(file) {
		switch text := string(bytes.TrimSpace(line)); {
		case text == b.begin && from < 0:
			from = at
		case text == b.end && from >= 0:
			return from, at + len(line)
		}
		at += len(line)
	}
	return -1, 0
}
