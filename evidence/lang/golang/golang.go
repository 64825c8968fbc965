// Package golang reads what the grammar of Go does not know.
package golang

import (
	"bytes"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// maxOperand is how much of what a new( holds is looked at, in bytes: what is longer is no name.
const maxOperand = 128

// operand is what the grammar reads as the type of a new(T): it is older than Go 1.26, in which that may be an
// expression. A name is a type to it, and so is one with an index that looks like a type argument.
var operand = lang.Lazy(`^(?:[\s*(]|\[[^\]]*\]|map\[[^\]]*\]|<-|chan\b)*` +
	"(?:[\\pL_][\\pL\\pN_.]*(?:\\[[^\\d\"'`({+-][^\"'`({+-]*\\])?[\\s)]*\\)" +
	`|struct\s*\{|interface\s*\{|func\([^{]*$|\)|$)`)

// Readable makes new(expr) into a call of another name, which may have any argument.
func (Rules) Readable(src []byte) []byte {
	out := src
	for i := 0; ; {
		next := bytes.Index(src[i:], []byte("new("))
		if next < 0 {
			return out
		}
		at := i + next
		i = at + len("new(")
		if at > 0 && lang.IsWordByte(src[at-1]) || operand.Match(src[i:min(len(src), i+maxOperand)]) {
			continue
		}
		out = lang.Writable(src, out)
		out[at+2] = 'W'
	}
}
