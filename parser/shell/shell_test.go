package shell

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// listed are the programs of a script, each as its words, what it writes, and why its failure is forgiven.
func listed(runs []Run) string {
	var out []string
	for _, r := range runs {
		s := strings.Join(r.Words, " ")
		for _, file := range r.OutputFiles {
			s += " >" + file
		}
		if r.IgnoredBy != "" {
			s += " (" + r.IgnoredBy + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " / ")
}

func TestWhatAScriptStartsIsListed(t *testing.T) {
	for src, want := range map[string]string{
		"":                                "",
		"git commit -m 'a b'":             "git commit -m a b",
		"make && git push":                "make / git push",
		"make; git push":                  "make (the next statement decides) / git push",
		"set -e; make; git push":          "make / git push",
		"pytest || true":                  "pytest (|| true) / true",
		"pytest | tail -1":                "pytest (| tail -1) / tail -1",
		"set -o pipefail; pytest | tail":  "pytest / tail",
		"! pytest":                        "pytest (!)",
		"pytest &":                        "pytest (&)",
		"if a; then b; else c; fi":        "a (if) / b / c",
		"for f in *; do rm x; done":       "rm x",
		"f() { rm x; }; f":                "rm x",
		"f() { rm x; }":                   "rm x",
		"f() { rm x; }; ls":               "ls",
		"f() { rm x; }; ls f":             "ls f / rm x",
		"f() { rm x; }; $1":               "$1 / rm x",
		"f() { a; b; }; set -e; f || :":   "a (|| :) / b (|| :) / :",
		"f() { f; g; }; g() { f; }; g":    "f (the next statement decides) / g",
		"f() { f; }; g() { f; }; $1":      "$1 / f / f",
		"f() { ls; \"$@\"; }; f a 'b c'":  "ls (the next statement decides) / a b c",
		"f() { $* || true; }; f a b":      "a b (|| true) / true",
		"f() { shift; \"$@\"; }; f a b":   "shift (the next statement decides) / b",
		"f() { \"${@:2}\" $1; }; f a b c": "b c $1",
		"f() { eval $*; }; f 'a b'":       "a b",
		"f() { \"$@\"; }; f; ls":          "ls",
		"if ! a; then exit 1; fi":         "a",
		"if ! a; then b; fi":              "a (if) / b",
		"(cd a; ls)":                      "cd a (the next statement decides) / ls",
		"exit 0; make":                    "",
		"false && make":                   "false",
		"sh -c 'a && b'":                  "a / b",
		"eval 'a b'":                      "a b",
		"echo $(git push)":                "echo $(git push)",
		"git commit $OPT":                 "git commit $OPT",
		"X=1 make":                        "make",
		"echo a > b":                      "echo a >b",
		"echo a >> b 2> c":                "echo a >b >c",
		"cat < b":                         "cat",
		"cat <<END > b\ngit push\nEND":    "cat >b",
		"diff <(a) b":                     "diff <(a) b",
	} {
		runs, ok := Read(src, Mode{})
		if got := listed(runs); !ok || got != want {
			t.Errorf("%q (%v):\ngot  %s\nwant %s", src, ok, got, want)
		}
	}
	runs, ok := Read("it's\n# no shell\n(", Mode{})
	if got := listed(runs); ok || got != "it's / (" {
		t.Errorf("what is no shell is read as %q, %v", got, ok)
	}
	if runs, ok := Read(strings.Repeat("x", maxScript+1), Mode{}); ok || runs != nil {
		t.Error("a script above the bound was read")
	}
}

// Whatever printable words a program is run with, the line that is made of them is read as these words again.
func TestALineIsReadAsItsWords(t *testing.T) {
	if got := Line([]string{"a b", "it's", "x\ny", "", "--tb=short", "./...", "*.py", "~"}); got != `'a b' "it's" $'x\ny' '' --tb=short ./... '*.py' '~'` {
		t.Error(got)
	}
	if got := Line([]string{"A=1", "B=2"}); got != "'A=1' B=2" {
		t.Error(got)
	}
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune(`ab1-_=./ '#*?[]{}()|&;<>!~%é字`)
	for range 3000 {
		words := []string{"pytest"}
		for range r.IntN(4) {
			var arg []rune
			for range r.IntN(7) {
				arg = append(arg, alphabet[r.IntN(len(alphabet))])
			}
			words = append(words, string(arg))
		}
		line := Line(words)
		if all, ok := Read(line, Mode{}); !ok || len(all) != 1 || !slices.Equal(all[0].Words, words) {
			t.Fatalf("%q is written %s, and its program read as %s", words, line, listed(all))
		}
	}
}

// No script makes the reader hang or fall over, however it nests.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"cd a && A=b timeout 5 pytest -k 'x y' > log 2>&1", strings.Repeat("(", 4096), strings.Repeat("sh -c $(", 400), strings.Repeat("`", 99),
		`sh -c "sh -c 'sh -c \"sh -c x\"'"`, "\x00", "$'\\x41' <<E\nE", "a=(b c) declare -a x", strings.Repeat("{ ", 2000), "sh -c", "bash -c ''", "f() { f; f; \"$@\"; }; f $1", "f(){ g;g; }; g(){ h;h; }; h(){ f;f; }; h", "time", "\\", "\"\\\n\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		runs, _ := Read(s, Mode{})
		for _, r := range runs {
			if len(r.Words) == 0 || r.Line < 1 {
				t.Fatalf("%q starts %+v", s, r)
			}
		}
	})
}
