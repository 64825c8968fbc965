package golang

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// mostOperand is how much of what a new( holds is looked at, in bytes: what is longer is no name.
const mostOperand = 128

// Readable makes new(expr), which came with Go 1.26, into a call of another name: the grammar is older, and knows a new(T)
// alone.
func (rules) Readable(src []byte) []byte {
	out := src
	for i := 0; ; {
		next := bytes.Index(src[i:], []byte("new("))
		if next < 0 {
			return out
		}
		at := i + next
		i = at + len("new(")
		if at > 0 && (language.IsWordByte(src[at-1]) || src[at-1] == '.') || isType(operand(src[i:])) {
			continue
		}
		out = language.Writable(src, out)
		out[at+2] = 'W'
	}
}

// operand is what stands before the bracket that closes a call, or as much of it as is looked at.
func operand(src []byte) []byte {
	src = src[:min(len(src), mostOperand)]
	for i, depth := 0, 0; i < len(src); i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ']', '}':
			depth--
		case ')':
			if depth--; depth < 0 {
				return bytes.TrimSpace(src[:i])
			}
		case '"', '`', '\'':
			i += literal(src[i:]) - 1
		}
	}
	return bytes.TrimSpace(src)
}

// literal is how long the string or rune is that src begins with; 1 where it does not end.
func literal(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch {
		case src[i] == src[0]:
			return i + 1
		case src[i] == '\\' && src[0] != '`':
			i++
		case src[i] == '\n' && src[0] != '`':
			return 1
		}
	}
	return 1
}

// isType reports whether the grammar reads the operand of a new( as a type; so it does with what is not there.
func isType(operand []byte) bool {
	operand = bytes.TrimLeft(operand, "* \t\n")
	switch {
	case len(operand) == 0:
		return true
	case operand[0] == '(' && bytes.IndexByte(operand, ')') == len(operand)-1:
		return isType(bytes.TrimSpace(operand[1 : len(operand)-1]))
	case operand[0] == '[', bytes.HasPrefix(operand, []byte("map[")): // or a literal, or a conversion
		return isElement(operand[bytes.IndexByte(operand, '['):])
	case bytes.HasPrefix(operand, []byte("func(")): // or a call of a literal
		return !bytes.Contains(operand, []byte("{")) || bytes.Contains(operand, []byte("struct")) || bytes.Contains(operand, []byte("interface"))
	}
	if word, _, braced := bytes.Cut(operand, []byte("{")); braced {
		if word := string(bytes.TrimSpace(word)); word == "struct" || word == "interface" { // or a literal
			return closing(operand[len(word):]) >= len(operand[len(word):])-1
		}
	}
	for _, opening := range []string{"<-chan ", "chan ", "chan<- "} {
		if rest, ok := bytes.CutPrefix(operand, []byte(opening)); ok {
			return isType(rest)
		}
	}
	return isTypeName(operand)
}

// isElement reports whether a type follows the brackets that an operand begins with. What is cut off is taken for one.
func isElement(operand []byte) bool {
	return isType(operand[min(closing(operand)+1, len(operand)):])
}

// closing is where the first bracket of an operand closes; its length where it does not.
func closing(operand []byte) int {
	for i, depth := 0, 0; i < len(operand); i++ {
		switch operand[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '`', '\'':
			i += literal(operand[i:]) - 1
		}
	}
	return len(operand)
}

// areTypes reports whether what follows the bracket behind a name looks like type arguments, and not like an index.
func areTypes(arguments []byte) bool {
	if arguments[0] >= '0' && arguments[0] <= '9' || bytes.ContainsAny(arguments, "{\"`'+/%&|^<>=!:") {
		return false
	}
	return !bytes.ContainsAny(arguments, "-(") || bytes.Contains(arguments, []byte("func(")) || bytes.Contains(arguments, []byte("chan"))
}

// isTypeName reports whether an operand is a name, of a package, with type arguments.
func isTypeName(operand []byte) bool {
	if arguments := bytes.IndexByte(operand, '['); arguments > 0 && operand[len(operand)-1] == ']' && areTypes(operand[arguments+1:]) {
		operand = operand[:arguments]
	}
	if operand[0] >= '0' && operand[0] <= '9' {
		return false
	}
	for _, b := range operand {
		if b != '.' && !language.IsWordByte(b) {
			return false
		}
	}
	return true
}
