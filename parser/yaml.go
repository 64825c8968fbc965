package parser

import (
	"bytes"
	"fmt"
	"strings"
)

// maxYAML is the longest YAML that is parsed, in bytes: the longest workflows of public repositories have 60 KiB.
const maxYAML = 128 << 10

// The parser of the YAML library takes time by the square or the cube of these.
const (
	maxYAMLDepth = 100   // nested lists and mappings
	maxYAMLNames = 1_000 // anchors, aliases and documents
	maxYAMLRow   = 1_000 // of a sign that the lexer counts anew at each place
)

// CheckYAML says why a text of YAML is not parsed, and in which line; nil for one that may be. It counts signs,
// whatever they mean there.
func CheckYAML(src []byte) (line int, err error) {
	if len(src) > maxYAML {
		return 1, fmt.Errorf("it has %d bytes, and at most %d are read", len(src), maxYAML)
	}
	var depth, entries, names, row int
	for i, c := range src {
		last, next := byte('\n'), byte('\n')
		if i > 0 {
			last = src[i-1]
		}
		if i+1 < len(src) {
			next = src[i+1]
		}
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(depth-1, 0)
		case (c == '&' || c == '*') && strings.IndexByte(" \t\n,[{", last) >= 0 && strings.IndexByte(" \n&*", next) < 0,
			last == '\n' && (c == '-' || c == '.') && c == next:
			names++
		}
		switch { // `- - - -` is a list in a list
		case c == '-' && next == ' ':
			entries++
		case c != ' ':
			entries = 0
		}
		if row++; c != last || c != '<' && c != '-' && c != '.' {
			row = 0
		}
		for _, counted := range []struct {
			n, most int
			of      string
		}{
			{max(depth, entries), maxYAMLDepth, "lists and mappings in one another"},
			{names, maxYAMLNames, "anchors, aliases and documents"},
			{row, maxYAMLRow, "of one sign in a row"},
		} {
			if counted.n > counted.most {
				return 1 + bytes.Count(src[:i], []byte("\n")), fmt.Errorf("it has more than %d %s", counted.most, counted.of)
			}
		}
	}
	return 0, nil
}
