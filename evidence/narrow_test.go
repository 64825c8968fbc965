package evidence

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// sourcesByLanguage are the sources of all cases of the languages that Narrow reads.
func sourcesByLanguage(t *testing.T) map[string][]Source {
	t.Helper()
	all := map[string][]Source{}
	for _, files := range caseFiles(t) {
		for _, f := range files {
			g := grammarOf(f.Name)
			if layouts[g.Name] != nil && !strings.Contains(f.Name, "/") && len(f.Data) < 3000 {
				all[g.Name] = append(all[g.Name], Source{f.Name, f.Data})
			}
		}
	}
	if len(all) != len(layouts) {
		t.Fatalf("there are sources of %d languages, and %d layouts", len(all), len(layouts))
	}
	return all
}

// TestNarrowHidesNoAddedStub puts sources of a language together, changes a few lines, or one whole source, and asks of
// what is left what it asks of the whole.
func TestNarrowHidesNoAddedStub(t *testing.T) {
	rounds := 250
	if n, err := strconv.Atoi(os.Getenv("ACTA_NARROW")); err == nil { // a long search
		rounds = n
	}
	for name, sources := range sourcesByLanguage(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(13, uint64(len(name))))
			sure, alone, adds := 0, 0, 0
			for range rounds {
				before, after, path := changedSources(random, sources)
				none, err := addsNone(t.Context(), nil, Source{path, before}, Source{path, after})
				if err != nil {
					t.Fatal(err)
				}
				if !none {
					continue
				}
				sure++
				if n := narrow(nil, path, before, after, ofStubs); n != nil && n.addsNone(t.Context(), path) {
					alone++
				}
				if added, err := wholeAdded(t.Context(), nil, Source{path, before}, Source{path, after}); err == nil && len(added) > 0 {
					adds++
					t.Errorf("what is left adds no stub, the whole adds %+v\n%s\n==== became\n%s", added, before, after)
				}
				if adds > 0 {
					return
				}
			}
			t.Logf("%d of %d are sure, %d by what differs alone", sure, rounds, alone)
			if sure == 0 || alone == 0 {
				t.Errorf("none of %d changes was narrowed, so nothing was compared", rounds)
			}
		})
	}
}

// filler is a function of substance for each language, so that there is something to leave out.
var filler = map[string]string{
	"go": "func fill@(a, b int) int {\n\ttotal := a\n\tfor i := range b {\n\t\ttotal += work(i, total)\n\t}\n\tsend(total)\n\treturn total\n}\n",
	"python": "def fill@(a, b):\n    total = a\n    for i in range(b):\n        total += work(i, total)\n    send(total)\n    " +
		"return total\n",
	"rust": "fn fill@(a: u32, b: u32) -> u32 {\n    let mut total = a;\n    for i in 0..b {\n        total += work(i, total);\n" +
		"    }\n    send(total);\n    total\n}\n",
	"ruby": "def fill@(a, b)\n  total = a\n  b.times do |i|\n    total += work(i, total)\n  end\n  send_it(total)\n  total\nend\n",
	"kotlin": "fun fill@(a: Int, b: Int): Int {\n    var total = a\n    for (i in 0..b) {\n        total += work(i, total)\n    }\n" +
		"    send(total)\n    return total\n}\n",
	"swift": "func fill@(a: Int, b: Int) -> Int {\n    var total = a\n    for i in 0..<b {\n        total += work(i, total)\n    }\n" +
		"    send(total)\n    return total\n}\n",
	"php": "function fill@($a, $b) {\n    $total = $a;\n    foreach (range(0, $b) as $i) {\n        $total += work($i, $total);\n" +
		"    }\n    send($total);\n    return $total;\n}\n",
	"javascript": scriptFiller, "typescript": scriptFiller, "tsx": scriptFiller,
	"": "int fill@(int a, int b) {\n    int total = a;\n    for (int i = 0; i < b; i++) {\n        total += work(i, total);\n" +
		"    }\n    send(total);\n    return total;\n}\n",
}

const scriptFiller = "function fill@(a, b) {\n  let total = a;\n  for (let i = 0; i < b; i++) {\n    total += work(i, total);\n  }\n" +
	"  send(total);\n  return total;\n}\n"

// decorators stand above functions, over several lines.
var decorators = map[string]string{
	"python": "@mark.parametrize(\n    (\"a\", \"b\"),\n    [\n        # two\n        (1, 2),\n    ],\n)\n@mark.slow\n",
	"rust":   "#[case(\n    1,\n    2,\n)]\n#[test]\n", "java": "@CsvSource({\n    \"1, 2\",\n})\n@Test\n",
	"kotlin": "@CsvSource(\n    \"1, 2\",\n)\n", "php": "#[TestWith(\n    [1, 2],\n)]\n",
}

// texts hold lines that look like code in the first column.
var texts = map[string]string{
	"php":        "function text() {\n    send(<<<EOT\nfunction none() {\nEOTX\n  }\n    EOT, 'it\n}\n');\n    return work(1);\n}\n",
	"rust":       "fn text() -> u32 {\n    send(r#\"\nfn none() {\n\"#, \"\n}\n/* \");\n    work(1)\n}\n",
	"go":         "func text() int {\n\tsend(`\nfunc none() {\n*/\n`)\n\treturn work(1)\n}\n",
	"python":     "def text():\n    send(\"\"\"\ndef none():\n    pass\n'\n\"\"\")\n    return work(1)\n",
	"javascript": "function text() {\n  send(`\nfunction none() {\n`);\n  return work(1);\n}\n",
	"c":          "int text(void)\n{\n/*\nint none(void) {\n*/\n    return work(1);\n}\n",
}

// changedSources are two versions of a file that is put together from some of the sources, and its path.
func changedSources(random *rand.Rand, sources []Source) (before, after []byte, path string) {
	pick := func() Source { return sources[random.IntN(len(sources))] }
	first := pick()
	fill := filler[grammarOf(first.Path).Name]
	if fill == "" {
		fill = filler[""]
	}
	var parts [][]byte
	if grammarOf(first.Path).Name == "php" {
		parts = append(parts, []byte("<?php\n"))
	}
	plain := func(src []byte) []byte { return bytes.ReplaceAll(src, []byte("<?php"), nil) }
	for i := range 24 {
		part := strings.ReplaceAll(fill, "@", string(rune('A'+i)))
		if i%3 == 1 {
			part = decorators[grammarOf(first.Path).Name] + part
		}
		parts = append(parts, []byte(part))
		if i%8 == 3 {
			parts = append(parts, plain(pick().Bytes))
		}
	}
	parts = append(parts, []byte(texts[grammarOf(first.Path).Name]))
	before = bytes.Join(parts, []byte("\n"))
	at := 1 + random.IntN(len(parts)-1)
	changed := append([][]byte{}, parts...)
	switch random.IntN(4) {
	case 0:
		changed[at] = plain(pick().Bytes)
	case 1:
		changed[at] = nil
	default: // some lines are gone, or those of another source come in their place
		lines := bytes.SplitAfter(parts[at], []byte("\n"))
		from := random.IntN(len(lines))
		to := min(len(lines), from+random.IntN(4))
		var come [][]byte
		if random.IntN(2) == 0 {
			other := bytes.SplitAfter(plain(pick().Bytes), []byte("\n"))
			k := random.IntN(len(other))
			come = other[k:min(len(other), k+random.IntN(3))]
		}
		changed[at] = bytes.Join(append(append(append([][]byte{}, lines[:from]...), come...), lines[to:]...), nil)
	}
	if random.IntN(4) == 0 { // macros that no grammar knows
		for _, m := range [][2]string{{")", " UNUSED)"}, {"{", "{\ncontainer_of(a, struct b, c)\n"}} {
			if random.IntN(2) == 0 {
				changed[at] = bytes.Replace(changed[at], []byte(m[0]), []byte(m[1]), 1+random.IntN(2))
			}
		}
	}
	return before, bytes.Join(changed, []byte("\n")), first.Path
}

// What is left out are blanks, and nothing moves.
func TestNarrowLeavesEverythingInItsPlace(t *testing.T) {
	for _, sources := range sourcesByLanguage(t) {
		random := rand.New(rand.NewPCG(1, 9))
		for range 40 {
			before, after, path := changedSources(random, sources)
			n := narrow(nil, path, before, after, question(random.IntN(int(ofOwn)+1)))
			if n == nil {
				continue
			}
			left := n.narrowed()
			if left == nil {
				continue
			}
			for _, side := range [][2][]byte{{before, left.Before}, {after, left.After}} {
				if len(side[0]) != len(side[1]) {
					t.Fatalf("%s: %d bytes became %d", path, len(side[0]), len(side[1]))
				}
				for i, b := range side[1] {
					if b != side[0][i] && b != ' ' {
						t.Fatalf("%s: byte %d is %q and was %q", path, i, b, side[0][i])
					}
				}
			}
		}
	}
}

// A function in a large one is asked for, however much that does.
func TestNarrowReadsFunctionsInLargeOnes(t *testing.T) {
	for path, f := range map[string]struct{ head, line, inner, end string }{
		"a.py": {"def f(a):\n    total = 0\n", "    total += work(a, total)\n", "    def inner():\n        pass\n    inner()\n", "    return total\n"},
		"a.rs": {"fn f(a: u32) -> u32 {\n    let mut t = 0;\n", "    t += work(a, t);\n", "    fn inner() {}\n    inner();\n", "    t\n}\n"},
		"a.js": {"function f(a) {\n  let t = 0;\n", "  t += work(a, t);\n", "  const inner = () => {};\n  inner();\n", "  return t;\n}\n"},
		"a.kt": {"fun f(a: Int): Int {\n    var t = 0\n", "    t += work(a, t)\n", "    fun inner() {}\n    inner()\n", "    return t\n}\n"},
		"a.cs": {
			"class A\n{\n    int F(int a)\n    {\n        var t = 0;\n", "        t += Work(a, t);\n",
			"        void Inner() { }\n        Inner();\n", "        return t;\n    }\n}\n",
		},
		"a.java": {
			"class A {\n    int f(int a) {\n        int t = 0;\n", "        t += work(a, t);\n",
			"        run(new Job() {\n            public void go() {\n            }\n        });\n", "        return t;\n    }\n}\n",
		},
	} {
		large := strings.Repeat(f.line, 60)
		before := Source{path, []byte(f.head + large + f.end)}
		after := Source{path, []byte(f.head + f.inner + large + f.end)}
		added, err := AddedStubs(t.Context(), nil, before, after)
		if err != nil || len(added) != 1 {
			t.Errorf("%s: one stub is added, found %+v, %v", path, added, err)
		}
	}
}

// A method that does nothing is asked for in the whole file, though only it is new: the comment of the next one, which
// is left out, would otherwise be its own.
func TestNarrowKeepsWhatTellsAStub(t *testing.T) {
	method := "    def step@(self, a):\n        self.total = work(a)\n        return self.total + more(a)\n\n"
	var others strings.Builder
	for i := range 12 {
		others.WriteString(strings.ReplaceAll(method, "@", string(rune('a'+i))))
	}
	head, rest := "class Config(Command):\n    description = 'try things'\n\n",
		"    # Methods for the steps. Subclasses may use these freely.\n\n"+others.String()
	added, err := AddedStubs(t.Context(), nil, Source{"a.py", []byte(head + rest)},
		Source{"a.py", []byte(head + "    def run(self):\n        pass\n\n" + rest)})
	if err != nil || len(added) != 1 {
		t.Errorf("one stub is added, found %+v, %v", added, err)
	}
}
