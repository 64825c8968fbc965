// Package bash reads the tests of Bats («@test "title" {») as Bats does, line by line.
package bash

import (
	"bytes"
	"slices"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

var titled = lang.Lazy(`^@test[ \t]+(.*[^ \t])[ \t]+\{`)

// Readable turns the header of a test of Bats into that of a function, as Bats itself does, and
// strings given as input (<<<), which the grammar knows in some places only, into files.
func (Rules) Readable(src []byte) []byte {
	if bytes.Contains(src, []byte("<<<")) {
		src = bytes.ReplaceAll(src, []byte("<<<"), []byte("  <"))
	}
	if !bytes.Contains(src, []byte("@test")) {
		return src
	}
	out := slices.Clone(src)
	at := 0
	for line := range bytes.Lines(src) {
		indent := len(line) - len(bytes.TrimLeft(line, " \t"))
		if m := titled.FindString(string(line[indent:])); m != "" {
			header := out[at+indent : at+indent+len(m)-1]
			for i := range header {
				header[i] = ' '
			}
			copy(header, "t()")
		}
		at += len(line)
	}
	return out
}

// Locate finds the title of a test.
func (Rules) Locate(n *syntax.Node, src []byte, parts lang.Parts) (lang.Parts, bool) {
	at := n.Start()
	m := titled.FindStringSubmatchIndex(string(src[at:n.End()]))
	if m == nil {
		return parts, src[at] != '@'
	}
	parts.Name, parts.Title = lang.Span{Start: at + m[2], End: at + m[3]}, true
	if content := lang.Quoted(src, parts.Name); content != (lang.Span{}) {
		parts.Name = content
	}
	return parts, true
}
