package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object calls known at the value of every key, and keeps the value that it does not know.
// Keys are remembered in their order.
func (r *reader) object(readValue func(key string) bool) []member {
	start := len(r.members)
	seen := map[string]bool{}
	for r.Enter(); r.More(); {
		at := r.Offset
		m := member{key: r.Key()}
		if seen[m.key] {
			r.addProblem(at, false, "the key %q occurs twice in one object", m.key)
		}
		seen[m.key] = true
		if !readValue(m.key) {
			var b bytes.Buffer
			_ = json.Compact(&b, r.Skip()) // it is well formed
			m.raw = b.Bytes()
		}
		r.members = append(r.members, m)
	}
	all := append([]member{}, r.members[start:]...) // never nil: the object was read
	r.members = r.members[:start]
	return all
}

func (r *reader) addProblem(offset int, isGrave bool, format string, args ...any) {
	r.problems = append(r.problems, &Error{Message: fmt.Sprintf(format, args...), offset: offset, isGrave: isGrave})
}

// expect reports whether the next value has a type, given its first byte. Another value is skipped and reported, except
// null.
func (r *reader) expect(first byte, field, expected string, isGrave bool) bool {
	c := r.Next()
	number := first == '0' && (c == '-' || c >= '0' && c <= '9')
	truth := first == 't' && (c == 't' || c == 'f')
	if c == first || number || truth {
		return true
	}
	at := r.Offset
	r.Skip()
	if c != 'n' {
		r.addProblem(at, isGrave, "%q holds a JSON %s where %s is expected", field, kindOf(c), expected)
	}
	return false
}

func kindOf(first byte) string {
	switch first {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func (r *reader) string(field string, isGrave bool) string {
	if !r.expect('"', field, "a string", isGrave) {
		return ""
	}
	return r.Text()
}
