package evidence

import (
	"strings"
	"testing"
)

// TestErrorsAreOnlyWhatCannotBeRead: what is whole inside of an error stays usable.
func TestErrorsAreOnlyWhatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"a.js", "function a() { return 1; }\n", ""},
		{"a.js", "function a() {\n  return 1;\n}\nif (x {\n", "if ( x {"},
		{"a.js", "function a() {\n  y();\n", "<>"},
		{"a.js", "x = [(a) {}];", "(a)"},
		{"a.go", "package a\n\nfunc a() {}\n}\n\nfunc c() {}\n", "}"},
		{"a.go", "package a\n\ntype ( A = B; I interface { M() } )\n", ""},
		{"a.py", "x = f(1) g(2)\n", "g"},
		{"a.py", "def f(:\n    pass\n", "<>"},
	} {
		s, err := grammarOf(c.path).parse(t.Context(), nil, Source{Path: c.path, Bytes: []byte(c.src)}, everyBody)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range s.errors {
			if e.start == e.end {
				got = append(got, "<>")
				continue
			}
			got = append(got, c.src[e.start:e.end])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestNestingCountsOpenBrackets(t *testing.T) {
	deep := strings.Repeat("(", maxNesting)
	for src, refused := range map[string]bool{"": false, deep: false, deep + "(": true, deep + ")[": false, ")))" + deep: false} {
		if got := checkNesting([]byte(src)) != nil; got != refused {
			t.Errorf("%.20q: %v, want %v", src, got, refused)
		}
	}
}

func TestTextCountsLinesAsGitDoes(t *testing.T) {
	for src, want := range map[string]int{"": 0, "\n": 1, "a": 1, "a\n": 1, "a\nb": 2, "a\r\nb\r\n": 2, "a\rb": 1, "\n\n": 2, "a\u2028b": 1} {
		text := newText([]byte(src))
		if got := text.count(); got != want {
			t.Errorf("%q: %d lines, want %d", src, got, want)
		}
		for line := 1; line <= text.count(); line++ {
			if got := text.line(text.span(line, line).start); got != line {
				t.Errorf("%q: line %d begins in line %d", src, line, got)
			}
		}
	}
}
