// Package json says whether a file is JSON, with the comments and the commas at the end that many tools let pass. The
// tree-sitter binding has no grammar for it.
package json

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// allowed has in its groups what only some tools allow: comments and commas before a closing bracket.
var allowed = lang.Lazy(`"(?:[^"\\\n]|\\.)*"|(//[^\n]*|/\*(?s:.*?)(?:\*/|\z))` +
	`|(,(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*)[\]}]|\A(\x{feff})`)

// Plain is a file without what only some tools allow: that is blanks.
func Plain(src []byte) []byte {
	return allowed.Replace(src, func(b byte) byte {
		if b == '\n' {
			return b
		}
		return ' '
	})
}

// Broken is where the first thing stands that is not JSON. Values may follow each other, a line each.
func (Rules) Broken(src []byte) int {
	src = Plain(src)
	d := json.NewDecoder(bytes.NewReader(src))
	for {
		start := int(d.InputOffset())
		var value json.RawMessage
		if err := d.Decode(&value); err == io.EOF {
			return -1
		} else if err != nil {
			at, _ := parser.NotJSON(src[start:])
			return min(start+at, max(len(src)-1, 0))
		}
	}
}
