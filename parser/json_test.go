package parser

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// read is the value that comes, as encoding/json reads one into an any.
func read(j *JSON) any {
	switch first := j.Next(); first {
	case '{':
		all := map[string]any{}
		for j.Enter(); j.More(); {
			key := j.Key()
			all[key] = read(j)
		}
		return all
	case '[':
		all := []any{}
		for j.Enter(); j.More(); {
			all = append(all, read(j))
		}
		return all
	case '"':
		return j.Text()
	}
	var v any
	_ = json.Unmarshal(j.Skip(), &v) // a word or a number
	return v
}

// TestJSONIsReadAsTheLibraryReadsIt holds the reader to encoding/json, read value by value, and passed whole.
func TestJSONIsReadAsTheLibraryReadsIt(t *testing.T) {
	for _, text := range []string{
		`{}`, ` [ ] `, `"a"`, `-1.5e3`, `null`, ` true`, `[[],{},[{}]]`, "{\"a\":1,\n \"b\" : [true , null,\t\"x,]}:\"]}",
		`{"a\u0062\"\\": "\ud83d\ude00 ä \u00e4 \ud800"}`, "[\"\xff\"]", `{"a": {"a": {"a": 0}}, "b": "]"}`, `"\\"`,
	} {
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		j := &JSON{Source: []byte(text)}
		if got := read(j); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %#v, want %#v", text, got, want)
		}
		at := j.Offset
		j.Offset = 0
		if j.Skip(); j.Offset != at {
			t.Errorf("%s: passed, it ends at %d, read at %d", text, j.Offset, at)
		}
	}
}

func TestNotJSONSaysWhereItIsNone(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`: "0 <nil>",
		`{"a": x}`: "6 invalid character 'x' looking for beginning of value",
		`{"a": 1`:  "7 unexpected end of JSON input",
		``:         "0 unexpected end of JSON input",
		`{} {}`:    "3 invalid character '{' after top-level value",
	} {
		at, err := CheckJSON([]byte(text))
		if got := fmt.Sprint(at, " ", err); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
