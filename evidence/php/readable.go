package php

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// newer is what the grammar does not know of PHP 8.4 and 8.5: setters of another visibility, and pipes.
var newer = []language.Newer{
	{Word: "(set)", Here: language.Lazy(`^(\(set\))\s`)},
	{Word: "|>", Here: language.Lazy(`^\|(>)`)},
}

// enumeration is the beginning of an enum, declared a constant in it, which is a case to the grammar.
var (
	enumeration = language.Lazy(`^enum\s+\w+\s*(?::\s*\w+\s*)?(?:implements\s[^{]*)?\{`)
	declared    = language.Lazy(`^(?:(?:public|private|protected|final)\s+)*const\s+(?:[\w?|]+\s+)?\w+\s*=`)
	constName   = language.Lazy(`\w+\s*=$`)
)

// mostHeader is how long the beginning of an enum or a constant may be, in bytes, to be looked at.
const mostHeader = 256

func readable(src []byte) []byte {
	out := language.ReadableAs(src, newer)
	for at := 0; ; {
		next := bytes.Index(src[at:], []byte("enum "))
		if next < 0 {
			return out
		}
		at += next
		header := enumeration.FindIndex(src[at:min(len(src), at+mostHeader)])
		if header == nil || at > 0 && language.IsWordByte(src[at-1]) {
			at += len("enum ")
			continue
		}
		at += header[1]
		for depth := 1; at < len(src) && depth > 0; at++ {
			switch src[at] {
			case '{':
				depth++
			case '}':
				depth--
			case 'c', 'f', 'p':
				if depth == 1 && !language.IsWordByte(src[at-1]) && out[at] == src[at] {
					out = asCase(src, out, at)
				}
			}
		}
	}
}

// asCase makes a constant at a place of src a case.
func asCase(src, out []byte, at int) []byte {
	found := declared.FindIndex(src[at:min(len(src), at+mostHeader)])
	if found == nil {
		return out
	}
	if &out[0] == &src[0] {
		out = bytes.Clone(src)
	}
	value := at + found[1] - 1
	for i := range out[at : at+constName.FindIndex(src[at : value+1])[0]] {
		out[at+i] = ' '
	}
	copy(out[at:], "case")
	for i := value; i < min(len(src), value+mostHeader) && src[i] != ';'; i++ { // a case's is a string or a number
		out[i] = ' '
	}
	return out
}
