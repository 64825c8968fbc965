// Package php reads what the grammar of PHP does not know.
package php

import (
	"bytes"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

// constant is one of a class, or of an enum, in which the grammar knows none. It is given none of either: they hold
// no definition.
var constant = lang.Lazy(`(?m)^[ \t]+((?:(?:public|private|protected|final)[ \t]+)*` +
	`const[ \t]+(?:[\w?|]+[ \t]+)?\w+[ \t]*=` +
	`(?:[^;"'#/]|/[^/*]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*;)`)

// Readable takes the constants out of a file that holds an enum.
func (Rules) Readable(src []byte) []byte {
	if bytes.Contains(src, []byte("enum ")) {
		return constant.Blank(src)
	}
	return src
}
