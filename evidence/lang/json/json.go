// Package json finds syntax errors in JSON, with the comments and trailing commas that many tools allow. The
// tree-sitter binding has no grammar for it.
package json

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/parser"
)

// Rules are the decisions about JSON that need code.
type Rules struct{ lang.DefaultRules }

// extensions matches, in its groups, syntax that only some tools allow: comments and trailing commas.
var extensions = lang.Lazy(`"(?:[^"\\\n]|\\.)*"|(//[^\n]*|/\*(?s:.*?)(?:\*/|\z))` +
	`|(,(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*)[\]}]|\A(\x{feff})`)

// Plain replaces comments and trailing commas by blanks.
func Plain(src []byte) []byte {
	return extensions.Replace(src, func(b byte) byte {
		if b == '\n' {
			return b
		}
		return ' '
	})
}

// SyntaxErrorAt returns the place of the first syntax error. Several values may follow one another, one a line.
func (Rules) SyntaxErrorAt(src []byte) int {
	src = Plain(src)
	d := json.NewDecoder(bytes.NewReader(src))
	for {
		start := int(d.InputOffset())
		var value json.RawMessage
		if err := d.Decode(&value); err == io.EOF {
			return -1
		} else if err != nil {
			at, _ := parser.CheckJSON(src[start:])
			return min(start+at, max(len(src)-1, 0))
		}
	}
}
