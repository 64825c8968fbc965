package language

import (
	"bytes"
	"strings"
)

// LinesAbove returns the comment lines directly above a definition, in a language whose comments begin with a mark: #, say, or --.
func LinesAbove(d Definition, mark string) string {
	before := string(d.Source[max(0, d.At-maxComment):d.At])
	begin := strings.LastIndexByte(before, '\n') + 1
	end := begin
	for begin > 0 {
		line := strings.LastIndexByte(before[:begin-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(before[line:begin]), mark) {
			break
		}
		begin = line
	}
	return before[begin:end]
}

// near is how far around a definition its file is looked at, in bytes: a file may hold very many definitions that ask for it.
const near = 32_000

// Around returns the part of a file that stands around a definition.
func Around(d Definition) []byte {
	return d.Source[max(0, d.At-near):min(len(d.Source), d.At+near)]
}

// IsExtended reports whether a class that extends one of this name, written «< Name» or «extends Name», stands near a definition.
func IsExtended(d Definition, name string) bool {
	return names(Around(d), name, func(before, after []byte) bool {
		before = bytes.TrimRight(before, " \t\\:")
		return (bytes.HasSuffix(before, []byte("<")) || bytes.HasSuffix(before, []byte("extends"))) && (len(after) == 0 || !IsWordByte(after[0]))
	}) > 0
}

// IsDefinedAgain reports whether a definition of the same name stands near a
// definition; defines tells one by what stands before and after the name on its line.
func IsDefinedAgain(d Definition, defines func(before, after []byte) bool) bool {
	return names(Around(d), d.Name, defines) > 1
}

// names counts the places where a name stands that fit, up to two.
func names(src []byte, name string, fits func(before, after []byte) bool) int {
	found := 0
	for at := 0; found < 2 && name != ""; at += len(name) {
		i := bytes.Index(src[at:], []byte(name))
		if i < 0 {
			break
		}
		at += i
		before, after := src[bytes.LastIndexByte(src[:at], '\n')+1:at], src[at+len(name):]
		if end := bytes.IndexByte(after, '\n'); end >= 0 {
			after = after[:end]
		}
		if fits(before, after) {
			found++
		}
	}
	return found
}

// IsWordByte reports whether a byte can be part of a name; what is no ASCII counts.
func IsWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || b-'0' < 10 || (b|0x20)-'a' < 26
}
