package evidence

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// A comparison maps lines to equal lines, in order, and everything else is new or gone.
func TestAComparisonIsAnEditScript(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "c", "", "    ", "}", "return x"}
	for range 2000 {
		make := func() string {
			var b strings.Builder
			for range random.IntN(12) {
				b.WriteString(words[random.IntN(len(words))] + "\n")
			}
			return b.String()
		}
		old, now := newText([]byte(make())), newText([]byte(make()))
		c, ok := compareLines(old, now, maxDiffLines)
		if !ok {
			t.Fatal("a small file was too large to compare")
		}
		kept, last := 0, int32(0)
		for i, from := range c.from {
			switch {
			case from == 0 && !c.isTouched[i] && strings.TrimSpace(now.at(i+1)) != "":
				t.Fatalf("new line %d is not touched:\n%q\n%q", i+1, old.bytes, now.bytes)
			case from == 0:
			case from <= last || c.isRemoved[from-1] || old.at(int(from)) != now.at(i+1):
				t.Fatalf("line %d is said to be old line %d:\n%q\n%q", i+1, from, old.bytes, now.bytes)
			default:
				last = from
				kept++
			}
		}
		stays := 0
		for _, gone := range c.isRemoved {
			if !gone {
				stays++
			}
		}
		if kept != stays {
			t.Fatalf("%d lines stay in the old version and %d in the new:\n%q\n%q", stays, kept, old.bytes, now.bytes)
		}
		if string(old.bytes) == string(now.bytes) && strings.Contains(fmt.Sprint(c.isTouched), "true") {
			t.Fatalf("equal files have touched lines: %q", old.bytes)
		}
	}
}

// oneFile is a tree of one file.
func oneFile(text string) Tree {
	return memory{"a.py": file(text)}.tree()
}

// past are the earlier commits of a unit, the newest first; one with an error is the last.
type past []struct {
	step Step
	err  error
}

func (p past) Steps(context.Context) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		for _, s := range p {
			if !yield(s.step, s.err) || s.err != nil {
				return
			}
		}
	}
}

func pastOf(texts ...string) EarlierCommits {
	all := make(past, max(0, len(texts)-1))
	for i := range all {
		k := len(texts) - 1 - i
		before := oneFile(texts[k-1])
		if all[i].step = (Step{Before: &before, After: oneFile(texts[k])}); texts[k] == "cut" {
			all[i].step, all[i].err = Step{}, ErrShallow
		}
	}
	return all
}

func TestLinesBelongToTheUnitsChange(t *testing.T) {
	const (
		f  = "def f():\n    return a()\n"
		g  = "def g():\n    return b()\n"
		g2 = "def g():\n    return b(1)\n"
		h  = "def h():\n    return c()\n"
	)
	for name, c := range map[string]struct {
		base, now string
		past      []string // versions of the file, a step from each to the next
		cite      string
		outside   bool
		cut       bool
	}{
		"new lines":                            {base: f, now: f + g, cite: "a.py:3-4"},
		"old lines":                            {base: f, now: f + g, cite: "a.py:1-2", outside: true},
		"a span that reaches into the change":  {base: f, now: f + g, cite: "a.py:1-3"},
		"one changed line of a function":       {base: f + g, now: f + g2, cite: "a.py:3-4"},
		"beside a deletion":                    {base: f + g + h, now: f + h, cite: "a.py:1-2"},
		"away from a deletion":                 {base: f + g + h, now: g + h, cite: "a.py:3-4", outside: true},
		"of an earlier step":                   {base: f + g, now: f + g, past: []string{f, f + g}, cite: "a.py:3-4"},
		"of an earlier step, shifted since":    {base: h + f + g, now: h + f + g, past: []string{f, f + g}, cite: "a.py:5-6"},
		"of an earlier step, but not these":    {base: f + g, now: f + g, past: []string{f, f + g}, cite: "a.py:1-2", outside: true},
		"written earlier, rewritten by others": {base: f + g2, now: f + g2, past: []string{f, f + "def g():\n    pass\n"}, cite: "a.py:4", outside: true},
		"of the first of two steps":            {base: f + g + h, now: f + g + h, past: []string{f, f + g, f + g + h}, cite: "a.py:3-4"},
		"of a step that made the file":         {base: f, now: f, past: []string{"", f}, cite: "a.py:1-2"},
		"beyond a cut":                         {base: f, now: f, past: []string{f, "cut"}, cite: "a.py:1-2", outside: true, cut: true},
		"anchored and moved to the change":     {base: f, now: f + g, cite: "a.py:1-2#g"},
	} {
		base := oneFile(c.base)
		j := &Judge{Tree: oneFile(c.now), Base: &base, Earlier: pastOf(c.past...), Cache: NewCache()}
		e := parser.ParseEvidence(c.cite, report.Pos{})[0]
		r, err := j.Evidence(context.Background(), Claim{Evidence: e})
		if err != nil {
			t.Fatal(err)
		}
		if r.IsOutside != c.outside || r.IsCut != c.cut || c.outside != (r.Verdict == report.Unclear) || r.fails(codeNotInDiff) != c.outside {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestAlterationsAreWhatAChangeAddsAltersAndRemoves(t *testing.T) {
	for name, c := range map[string]struct{ path, old, now, want string }{
		"a new function":                 {"a.py", "", "def f():\n    return a()\n", "1-2#f"},
		"a comment alone":                {"a.py", "def f():\n    return a()\n", "def f():\n    # why\n    return a()\n", ""},
		"an import alone":                {"a.py", "x = 1\n", "import os\nx = 1\n", ""},
		"a method, not its class":        {"a.py", "class A:\n    def f(self):\n        return 1\n", "class A:\n    def f(self):\n        return 2\n", "2-3#A.f"},
		"a class of fields":              {"a.py", "", "class A:\n    x = 1\n    y = 2\n", "1-3#A"},
		"a closure is its function's":    {"a.py", "", "def f():\n    def g():\n        return 1\n    return g\n", "1-4#f"},
		"a test with a title":            {"a.js", "", "test('adds', () => {\n  expect(add(1, 1)).toBe(2);\n});\n", "1-3 adds"},
		"a stub":                         {"a.py", "", "def f():\n    pass\n", "1-2#f(pass)"},
		"a removed function":             {"a.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n", "def g():\n    return 2\n", "-1-2"},
		"a renamed function":             {"a.py", "def f():\n    return 1\n", "def g():\n    return 1\n", "1-2#g"},
		"lines outside of definitions":   {"a.py", "x = 1\n", "x = 1\ny = 2\nz = 3\n", "2-3"},
		"a file without a grammar":       {"a.xyz", "a\nb\nc\n", "a\nB\nc\nd\n", "2 4"},
		"a statement less":               {"a.py", "def f():\n    a()\n    b()\n    return 1\n", "def f():\n    a()\n    return 1\n", "1-3#f"},
		"the same file":                  {"a.py", "x = 1\n", "x = 1\n", ""},
		"what a grammar will not read":   {"a.py", "", strings.Repeat("(", 3000) + "\n", "1"},
		"a line that only lost its pair": {"a.py", "class A:\n    \"\"\"Doc.\"\"\"\n    x = 1\n", "class A:\n    x = 1\n", ""},
	} {
		found, err := Alterations(context.Background(), c.path, []byte(c.old), []byte(c.now), false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, a := range found {
			text := lines(a.Line, a.EndLine)
			if a.IsRemoved {
				text = "-" + text
			}
			if a.Symbol != "" {
				text += "#" + a.Symbol
			}
			if a.Title != "" && !a.IsRemoved {
				text += " " + a.Title
			}
			if a.Stub != "" {
				text += "(" + string(a.Stub) + ")"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), c.want)
		}
	}
	for _, src := range []string{"a\x00b", "version https://git-lfs.github.com/spec/v1\n"} {
		if _, err := Alterations(context.Background(), "a.bin", nil, []byte(src), false); err == nil {
			t.Errorf("%q has lines", src)
		}
	}
}

// A diff decides for itself which of two equal lines is the new one; evidence that cites the other one is of the change too.
func TestWhatADiffMayAsWellCallChanged(t *testing.T) {
	old := "func a() {\n\tone()\n}\n\nfunc z() {\n\tlast()\n}\n"
	now := "func a() {\n\tone()\n}\n\nfunc b() {\n\ttwo()\n}\n\nfunc z() {\n\tlast()\n}\n"
	marked := func(set []bool) string {
		var b strings.Builder
		for _, on := range set {
			b.WriteByte("-+"[map[bool]int{true: 1}[on]])
		}
		return b.String()
	}
	c, ok := compareLines(newText([]byte(old)), newText([]byte(now)), maxDiffLines)
	if got := marked(c.mayBeTouched); !ok || got != "--+-+++----" {
		t.Errorf("added: %s touched may be %s", marked(c.isTouched), got)
	}
	c, ok = compareLines(newText([]byte(now)), newText([]byte(old)), maxDiffLines)
	if got := marked(c.mayBeRemoved); !ok || got != "--++++++---" {
		t.Errorf("removed: gone %s may be %s", marked(c.isRemoved), got)
	}
}
