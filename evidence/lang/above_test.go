package lang

import (
	"strings"
	"testing"
)

func TestLinesAboveAreTheCommentsThatTouchADefinition(t *testing.T) {
	for src, want := range map[string]string{
		"# a\n# b\ndef f":       "# a\n# b\n",
		"x\n  # a\n  def f":     "  # a\n",
		"# a\n\ndef f":          "",
		"def f":                 "",
		"x # a\ndef f":          "",
		"# a\nx\n# b\r\ndef f":  "# b\r\n",
		"# only\ny\n\n  def f":  "",
		"#!/bin/sh\n# a\ndef f": "#!/bin/sh\n# a\n",
	} {
		before := src[:strings.Index(src, "def")]
		if got := LinesAbove([]byte(before), "#"); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestQuotedIsTheContentOfAWholeLiteral(t *testing.T) {
	for src, want := range map[string]string{`"a b"`: "a b", `'a'`: "a", "\n \"a\"": "a", "``": "", `a`: "", `"`: "", `"a'`: "", "": ""} {
		got := Quoted([]byte(src), Span{0, len(src)})
		if text := src[got.Start:got.End]; text != want {
			t.Errorf("%q: %q, want %q", src, text, want)
		}
	}
}

func TestBlankReplacesGroupsAndKeepsTheSource(t *testing.T) {
	p := Lazy(`x(a+)|(b)`)
	src := []byte("xaa b aa")
	if got := string(p.Blank(src)); got != "x     aa" {
		t.Errorf("%q", got)
	}
	if string(src) != "xaa b aa" {
		t.Errorf("the source is now %q", src)
	}
	if none := []byte("c"); &p.Blank(none)[0] != &none[0] {
		t.Error("what matches nothing is copied")
	}
}

func TestConstantsThatAreNothingHoldInEveryLanguage(t *testing.T) {
	for call, want := range map[string]bool{
		"assert.is_nil(nil)": true, "assertNull(null)": true, "assert.truthy(true)": true, "assert.falsy(false)": true,
		"assert.falsy(nil)": true, "assert_nil(x)": false, "assert.same('a', 'b')": false,
	} {
		name, arguments, _, ok := Call(call)
		if got := ok && AlwaysHolds(name, arguments); got != want {
			t.Errorf("%s: %v, want %v", call, got, want)
		}
	}
}
