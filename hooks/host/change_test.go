package host

import (
	"strings"
	"testing"
)

func TestAChangeIsSummedUp(t *testing.T) {
	for name, c := range map[string]struct {
		edits []replacement
		want  string
	}{
		"a function more":       {[]replacement{{"def a():\n    return 1\n", "def a():\n    return 1\n\n\ndef b():\n    return 2\n"}}, "+4 -0, b()"},
		"in a function":         {[]replacement{{"def a():\n    return 1\n", "def a():\n    return 2\n"}}, "+1 -1, a()"},
		"a function less":       {[]replacement{{"x = 1\ndef a(): pass\n", "x = 1\n"}}, "+0 -1, a()"},
		"another name":          {[]replacement{{"func Old(x int) {", "func (s *Store) New(x int) {"}}, "+1 -1, New()"},
		"a file":                {[]replacement{{"", "export default class Store {\n  x = 1\n}\nexport async function open() {}\n"}}, "+4 -0, Store, open()"},
		"several":               {[]replacement{{"a", "fn a() {}"}, {"b", "pub(crate) fn b() {}\npub struct C;"}}, "+3 -2, C, a(), b()"},
		"more than are named":   {[]replacement{{"", "def a(): x\ndef b(): x\ndef c(): x\ndef d(): x\ndef e(): x\n"}}, "+5 -0, a(), b(), c(), 2 more"},
		"between others":        {[]replacement{{"a = 1\nc = 3\n", "a = 1\nb = 2\nc = 3\n"}}, "+1 -0"},
		"prose":                 {[]replacement{{"one", "The function of this: none."}}, "+1 -1"},
		"nothing that was told": {nil, ""},
		"the same":              {[]replacement{{"a", "a"}}, ""},
	} {
		if got := fileUse("Edit", "a").withChange(c.edits...).change; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if fileUse("Edit").withChange(replacement{"", "x"}) != nil {
		t.Error("of no file nothing was changed")
	}
	long := strings.Repeat("def f(): x\n", 100_000)
	if got := fileUse("Write", "a").withChange(replacement{"", long}).change; got != "+100000 -0, f()" {
		t.Error(got)
	}
}
