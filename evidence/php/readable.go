package php

import (
	"bytes"

	"github.com/acta-git/acta/evidence/language"
)

// newer is what the grammar does not know of PHP 8.4 and 8.5: setters of another visibility, and pipes.
var newer = []language.Newer{
	{Word: "public(set)", Here: language.Lazy(`^public(\(set\))\s`)},
	{Word: "protected(set)", Here: language.Lazy(`^protected(\(set\))\s`)},
	{Word: "private(set)", Here: language.Lazy(`^private(\(set\))\s`)},
	{Word: "|>", Here: language.Lazy(`^\|(>)`)},
}

// enumeration is the beginning of an enum, declared a constant in it, which is a case to the grammar.
var (
	enumeration = language.Lazy(`^enum\s+\w+\s*(?::\s*\w+\s*)?(?:implements\s[^{]*)?\{`)
	declared    = language.Lazy(`^(?:(?:public|private|protected|final)\s+)*const\s+(?:[\w?|]+\s+)?\w+\s*=`)
	constName   = language.Lazy(`\w+\s*=$`)
)

// mostHeader is how long the beginning of an enum or a constant may be, in bytes, to be looked at; mostValue is that of a
// constant's value.
const (
	mostHeader = 256
	mostValue  = 2 << 10
)

func (rules) Readable(src []byte) []byte {
	out := language.ReadableAs(src, newer)
	for at := 0; ; {
		next := bytes.Index(src[at:], []byte("enum "))
		if next < 0 {
			return out
		}
		at += next
		header := enumeration.FindIndex(src[at:min(len(src), at+mostHeader)])
		if header == nil || !declares(src[:at]) {
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

// declares reports whether an enum that follows may be a declaration, and not a word in a comment or a string.
func declares(before []byte) bool {
	before = before[max(0, len(before)-mostHeader):]
	line := bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])
	return len(line) == 0 || bytes.HasSuffix(line, []byte("<?php")) || bytes.HasSuffix(line, []byte("*/")) ||
		bytes.IndexByte([]byte(";{}]"), line[len(line)-1]) >= 0
}

// asCase makes a constant at a place of src a case.
func asCase(src, out []byte, at int) []byte {
	found := declared.FindIndex(src[at:min(len(src), at+mostHeader)])
	if found == nil {
		return out
	}
	out = language.Writable(src, out)
	value := at + found[1] - 1
	for i := range out[at : at+constName.FindIndex(src[at : value+1])[0]] {
		out[at+i] = ' '
	}
	copy(out[at:], "case")
	end := value + valueLength(src[value:min(len(src), value+mostValue)])
	for i := value; i < end; i++ { // a case's is a string or a number
		out[i] = ' '
	}
	return out
}

// valueLength is how long the value is that a source begins with, up to its semicolon.
func valueLength(src []byte) int {
	quote := byte(0)
	for i := 0; i < len(src); i++ {
		switch b := src[i]; {
		case quote != 0 && b == '\\':
			i++
		case b == quote:
			quote = 0
		case quote == 0 && (b == '"' || b == '\''):
			quote = b
		case quote == 0 && b == ';':
			return i
		}
	}
	return len(src)
}
