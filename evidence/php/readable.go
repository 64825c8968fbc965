package php

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// constant is one of a class, or of an enum, in which the grammar knows none. It is given none of either: they hold
// no definition.
var constant = language.Lazy(`(?m)^[ \t]+((?:(?:public|private|protected|final)[ \t]+)*` +
	`const[ \t]+(?:[\w?|]+[ \t]+)?\w+[ \t]*=` +
	`(?:[^;"'#/]|/[^/*]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*;)`)

func (rules) Readable(src []byte) []byte {
	if bytes.Contains(src, []byte("enum ")) {
		return constant.Blank(src)
	}
	return src
}
