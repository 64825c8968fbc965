package check

import "testing"

func TestValuesAreComparedAndNotBytes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a": 1, "b": [true, null, "x"]}`, "{\"b\":[true,null,\"x\"],\r\n\"a\":1}\n", true},
		{`{"a": 1}`, `{"a": 1.0}`, true},
		{`[100]`, `[1e2]`, true},
		{`{"a": "\u00e9"}`, `{"a": "é"}`, true},
		{"\ufeff[]", `[]`, true},
		{`{"a": 1}`, `{"a": 2}`, false},
		{`{"a": 1}`, `{"a": "1"}`, false},
		{`{"a": 1}`, `{"a": 1, "b": null}`, false},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1]`, `[1, 1]`, false},
		{`[9007199254740993]`, `[9007199254740992]`, false},
		{`[1e400]`, `[1e401]`, false},
		{`[]`, `{}`, false},
		{`null`, `false`, false},
	} {
		a, okA := parseJSON([]byte(c.a))
		b, okB := parseJSON([]byte(c.b))
		if !okA || !okB {
			t.Fatalf("%s or %s does not parse", c.a, c.b)
		}
		if equalJSON(a, b) != c.same || equalJSON(b, a) != c.same {
			t.Errorf("%s and %s: the same is %v", c.a, c.b, !c.same)
		}
	}
	for _, bad := range []string{"", "{", `{"a": 1} {"a": 2}`, "goal: login"} {
		if _, ok := parseJSON([]byte(bad)); ok {
			t.Errorf("%q parses", bad)
		}
	}
}
