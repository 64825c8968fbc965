package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestTerminalMakesVisibleWhatIsNotText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain, ünïcode 漢字 👍\tand a tab\n", "plain, ünïcode 漢字 👍\tand a tab\n"},
		{"\x1b[2J\a\x7f\u0085\r\n", `\u001b[2J\u0007\u007f\u0085\r` + "\n"},
		{"a\u202eb\u2066c\u200ed\u2028\u061c", `a\u202eb\u2066c\u200ed\u2028\u061c`},
		{"\xff and \xc3", `\xff and `}, // the rest may still come
		{"::set-output name=x::y\n", `\u003a:set-output name=x::y` + "\n"},
		{"  \t::error::x\na::b\n", "  \t" + `\u003a:error::x` + "\na::b\n"},
		{"x ##[error]y #[ok]\n", `x ##\u005berror]y #[ok]` + "\n"},
	} {
		for _, size := range []int{1, 2, len(c.in)} {
			var b strings.Builder
			w := NewTerminal(&b, false)
			for at := 0; at < len(c.in); at += size {
				if n, err := w.Write([]byte(c.in[at:min(at+size, len(c.in))])); err != nil || n == 0 {
					t.Fatal(n, err)
				}
			}
			if b.String() != c.want {
				t.Errorf("%q in pieces of %d became %q, want %q", c.in, size, b.String(), c.want)
			}
		}
	}
}

func TestTerminalKeepsArgumentsToOneLine(t *testing.T) {
	var b strings.Builder
	w := NewTerminal(&b, false)
	w.Printf("%s|%-6s|%d|%q|%5.1f|%v\n", "a\nb\x1b", "c", 3, "d\ne", 1.25, errors.New("one\ntwo"))
	if want := `a\nb\u001b|c     |3|"d\ne"|  1.2|one` + "\n    two\n"; b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
}

func TestTerminalPaintsTheSeverityAlone(t *testing.T) {
	for in, want := range map[string]string{
		"a b.py:1:2: error: it warns: error: x [r]\n": "a b.py:1:2: \x1b[1;31merror\x1b[0m: it warns: error: x [r]\n",
		"commit message: warning: x\n":                "commit message: \x1b[1;33mwarning\x1b[0m: x\n",
		"note: x\n":                                   "\x1b[1;36mnote\x1b[0m: x\n",
		"    a: error: a hint\n":                      "    a: error: a hint\n",
		`{"message":"a: error: b"}`:                   `{"message":"a: error: b"}`,
		"\x1b[31m: error: x\n":                        `\u001b[31m: ` + "\x1b[1;31merror\x1b[0m: x\n",
	} {
		var b strings.Builder
		if _, err := NewTerminal(&b, true).Write([]byte(in)); err != nil || b.String() != want {
			t.Errorf("%q became %q (%v)", in, b.String(), err)
		}
	}
}

// FuzzTerminal: nothing hidden comes out, and JSON means what it meant.
func FuzzTerminal(f *testing.F) {
	f.Add("a\x1b\u202e\n::x ##[y]\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var b, j strings.Builder
		if _, err := NewTerminal(&b, false).Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(strings.TrimLeft(line, " \t"), "::") || strings.Contains(line, "##[") || strings.ContainsFunc(strings.TrimRight(line, "\n"), func(r rune) bool {
				return r != '\t' && isHidden(r)
			}) {
				t.Fatalf("%q became %q", s, b.String())
			}
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewTerminal(&j, true).Write(data); err != nil {
			t.Fatal(err)
		}
		var before, after string
		if json.Unmarshal(data, &before) != nil || json.Unmarshal([]byte(j.String()), &after) != nil || before != after {
			t.Fatalf("%q is not %q", j.String(), data)
		}
	})
}
