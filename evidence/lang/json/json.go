// Package json says whether a file is JSON, with the comments and the commas at the end that many tools let pass. The
// tree-sitter binding has no grammar for it.
package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/acta-git/acta/evidence/lang"
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
		err := d.Decode(&value)
		if err == io.EOF {
			return -1
		}
		if err != nil {
			var at *json.SyntaxError
			errors.As(json.Unmarshal(src[start:], &value), &at) // the same error, its offset counted from here
			if at == nil {
				return start
			}
			return min(start+max(int(at.Offset)-1, 0), len(src))
		}
	}
}
