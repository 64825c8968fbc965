package python

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// newer is what the grammar does not know of Python 3.14: a t-string is an f-string to it.
var newer = []language.Newer{
	{Word: `t"`, Here: language.Lazy(`^(t)`), As: "f"}, {Word: `t'`, Here: language.Lazy(`^(t)`), As: "f"},
	{Word: `T"`, Here: language.Lazy(`^(T)`), As: "F"}, {Word: `T'`, Here: language.Lazy(`^(T)`), As: "F"},
	{Word: `tr`, Here: language.Lazy(`^(t)[rR]["']`), As: "f"}, {Word: `rt`, Here: language.Lazy(`^r(t)["']`), As: "f"},
}

// mostParameters is how long a list of type parameters may be, in bytes, to be looked at.
const mostParameters = 512

func (rules) Readable(src []byte) []byte {
	out := language.ReadableAs(src, newer)
	for at := 0; ; at++ {
		next := bytes.IndexByte(src[at:], '[')
		if next < 0 {
			return out
		}
		if at += next; !takesTypes(src[:at]) {
			continue
		}
		for _, value := range defaults(src[at:min(len(src), at+mostParameters)]) {
			out = language.Writable(src, out)
			for i := value.Start; i < value.End; i++ {
				out[at+i] = ' '
			}
		}
	}
}

// takesTypes reports whether a source ends with the name of a definition, whose type parameters would follow.
func takesTypes(src []byte) bool {
	src = src[max(0, len(src)-mostParameters):]
	name := len(src)
	for name > 0 && language.IsWordByte(src[name-1]) {
		name--
	}
	before := bytes.TrimRight(src[:name], " \t")
	if name == len(src) || len(before) == name {
		return false
	}
	for _, word := range []string{"def", "class", "type"} {
		if begin := len(before) - len(word); bytes.HasSuffix(before, []byte(word)) && (begin == 0 || !language.IsWordByte(before[begin-1])) {
			return true
		}
	}
	return false
}

// defaults are the defaults of type parameters, which came with Python 3.13, their = included; none where the list does not end.
func defaults(list []byte) (found []language.Span) {
	begin, depth := 0, 0
	for i, b := range list {
		switch b {
		case '[', '(', '{':
			depth++
		case ')', '}':
			depth--
		case '=':
			if depth == 1 && begin == 0 {
				begin = i
			}
		case ',', ']':
			if depth == 1 && begin > 0 {
				found, begin = append(found, language.Span{Start: begin, End: i}), 0
			}
			if b == ']' {
				if depth--; depth == 0 {
					return found
				}
			}
		}
	}
	return nil
}
