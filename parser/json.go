package parser

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// JSON reads well-formed JSON value by value, and knows each value's place. Plans, reports, hosts' settings and
// configurations of gates use it: the Decoder of encoding/json takes three times as long.
type JSON struct {
	Source []byte
	// Offset is where reading continues.
	Offset int
	// keys are the keys read so far, so that each takes memory once.
	keys map[string]string
}

// CheckJSON returns the error of invalid JSON, and its place; nil for valid JSON.
func CheckJSON(text []byte) (at int, err error) {
	if json.Valid(text) {
		return 0, nil
	}
	var whole json.RawMessage
	err = json.Unmarshal(text, &whole)
	syntax, _ := errors.AsType[*json.SyntaxError](err)
	if syntax == nil || strings.HasPrefix(err.Error(), "unexpected end") {
		return len(text), err
	}
	return max(int(syntax.Offset)-1, 0), err
}

// Next is the first byte of the next value, or the closing bracket, at Offset.
func (j *JSON) Next() byte {
	for isWhite(j.Source[j.Offset]) {
		j.Offset++
	}
	return j.Source[j.Offset]
}

// Skip passes a value and returns its bytes.
func (j *JSON) Skip() []byte {
	j.Next()
	start, depth := j.Offset, 0
	for {
		switch j.Source[j.Offset] {
		case '"':
			j.skipString()
		case '{', '[':
			depth++
			j.Offset++
		case '}', ']':
			depth--
			j.Offset++
		case ',', ':', ' ', '\n', '\t', '\r':
			j.Offset++
		default:
			for j.Offset < len(j.Source) && !strings.ContainsRune(",]} \n\t\r:", rune(j.Source[j.Offset])) {
				j.Offset++
			}
		}
		if depth == 0 {
			return j.Source[start:j.Offset]
		}
	}
}

func (j *JSON) skipString() []byte {
	start := j.Offset
	for j.Offset++; j.Source[j.Offset] != '"'; j.Offset++ {
		if j.Source[j.Offset] == '\\' {
			j.Offset++
		}
	}
	j.Offset++
	return j.Source[start:j.Offset]
}

// Text reads the string that comes.
func (j *JSON) Text() string {
	j.Next()
	return unquote(j.skipString())
}

func unquote(raw []byte) string {
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			var s string
			_ = json.Unmarshal(raw, &s) // it is well formed
			return s
		}
	}
	return string(raw[1 : len(raw)-1])
}

// Enter goes into the object or list that comes: for j.Enter(); j.More(); { … }.
func (j *JSON) Enter() {
	j.Next()
	j.Offset++
}

// More reports whether the object or list has another member or element, at Offset; otherwise it is left.
func (j *JSON) More() bool {
	next := j.Next()
	if next == ',' {
		j.Offset++
		next = j.Next()
	}
	if next == ']' || next == '}' {
		j.Offset++
		return false
	}
	return true
}

// Key reads the key of the member that comes, up to its value.
func (j *JSON) Key() string {
	raw := j.skipString()
	key, ok := j.keys[string(raw)]
	if !ok {
		if j.keys == nil {
			j.keys = map[string]string{}
		}
		key = unquote(raw)
		j.keys[string(raw)] = key
	}
	j.Next()
	j.Offset++ // the colon
	j.Next()
	return key
}
