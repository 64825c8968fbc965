package evidence

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// scanned are the languages whose files are scanned before they are parsed, and
// a name that a file of theirs may have.
var scanned = []struct{ folder, path string }{{"golang", "a.go"}, {"bash", "a.sh"}}

// holdsUnseen returns the stubs of a source that the scan says holds none.
func holdsUnseen(t testing.TB, path string, src []byte) []Stub {
	t.Helper()
	g := grammarOf(path)
	if g.MayHold(src) {
		return nil
	}
	m, err := analyse(context.Background(), g, path, newText(src))
	if err != nil {
		return nil
	}
	var stubs []Stub
	for _, d := range m.stubs(false) {
		stubs = append(stubs, m.stubOf(d))
	}
	return stubs
}

// snippets are the sources of the cases of a language.
func snippets(t testing.TB, folder string) [][]byte {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(folder, "cases", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 2 {
			all = append(all, archive.Files[i].Data)
		}
	}
	if len(all) < 40 {
		t.Fatalf("%s has only %d snippets", folder, len(all))
	}
	return all
}

// TestAScanNeverHidesAStub mutates the snippets of the cases: whatever the bytes
// are, what the scan passes over holds no stub.
func TestAScanNeverHidesAStub(t *testing.T) {
	for _, l := range scanned {
		t.Run(l.folder, func(t *testing.T) {
			t.Parallel()
			all := snippets(t, l.folder)
			random := rand.New(rand.NewPCG(7, 11))
			clear := 0
			for range 12_000 {
				src := mutate(random, all)
				if !grammarOf(l.path).MayHold(src) {
					clear++
				}
				if stubs := holdsUnseen(t, l.path, src); len(stubs) > 0 {
					t.Fatalf("the scan sees no stub, and there is %+v:\n%s\n%q", stubs, src, src)
				}
			}
			if clear < 1000 {
				t.Errorf("the scan cleared only %d sources, so little was compared", clear)
			}
		})
	}
}

// mutate returns a piece of a snippet with a few changes to its bytes and lines.
func mutate(random *rand.Rand, all [][]byte) []byte {
	lines := strings.SplitAfter(string(all[random.IntN(len(all))]), "\n")
	from := random.IntN(len(lines))
	lines = lines[from:min(len(lines), from+1+random.IntN(12))]
	src := []byte(strings.Join(lines, ""))
	tokens := []string{
		"def ", "func ", "pass", "...", "return", "raise ", "(", ")", "{", "}", "[", "]", ":", ";", ",", "\"", "'", "\"\"\"", "`", "#", "//", "/*", "*/",
		"\\", "\n", "\r", "\t", "    ", "\f", "\x00", "\u200b", "\ufeff", "é", "\xff", "->", "lambda", "f'{", "}'", "TODO", "panic(\"not implemented\")",
		"async ", "class A:\n", "@x\n", "1", "None", "_ = x", "import x", "struct{", "interface{", "=", "= 1", "x", "if x:", "else:",
	}
	for range random.IntN(5) {
		at, token := random.IntN(len(src)+1), tokens[random.IntN(len(tokens))]
		switch random.IntN(4) {
		case 0:
			src = append(src[:at:at], src[min(len(src), at+1+random.IntN(9)):]...)
		case 1:
			other := all[random.IntN(len(all))]
			i := random.IntN(len(other) + 1)
			token = string(other[i:min(len(other), i+random.IntN(40))])
			fallthrough
		default:
			src = append(src[:at:at], append([]byte(token), src[at:]...)...)
		}
	}
	return src
}

// FuzzScan looks for what TestAScanNeverHidesAStub may not have thought of.
func FuzzScan(f *testing.F) {
	for i, l := range scanned {
		for _, src := range snippets(f, l.folder) {
			f.Add(src, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, which uint8) {
		path := scanned[int(which)%len(scanned)].path
		if stubs := holdsUnseen(t, path, src); len(stubs) > 0 {
			t.Errorf("%s: the scan sees no stub, and there is %+v", path, stubs)
		}
	})
}

// TestAScanClearsWhatHoldsNoStub holds that a scan is worth its while, on sources
// that a careless one would take for stubs.
func TestAScanClearsWhatHoldsNoStub(t *testing.T) {
	for path, sources := range map[string][]string{
		"a.go": {
			"package a\n\nvar f = func() {}\n",
			"package a\n\nfunc (T) m() struct{} { return struct{}{} }\n",
			"package a\n\nfunc f() interface{ m() } { x := struct{}{}; return x }\n",
			"package a\n\nfunc f[T any](x T) T { return x }\n",
			"package a\n\nfunc assembly(x int) int\n\nvar x = []int{}\n",
			"package a\n\nfunc f() { panic(\"no way\") }\n",
			"package a\n\n// TODO: more\nfunc f() error { return nil }\n",
			"package a\n\nfunc f() {\n\tt.m = map[string]int{}\n}\n",
			"package a\n\nfunc TestA(t *testing.T) {\n\tt.Parallel()\n\tif f() != 1 {\n\t\tt.Error(2)\n\t}\n}\n",
			"package a\n\n// It writes what is there.\nfunc f(p int) int {\n\t// Would it be 0, the caller writes it.\n\treturn p + q()\n}\n",
		},
	} {
		for _, src := range sources {
			if grammarOf(path).MayHold([]byte(src)) {
				t.Errorf("%s may hold a stub:\n%s", path, src)
			}
		}
	}
}

// TestScansStayInProportion: a source that a scan could read over and over is given up.
func TestScansStayInProportion(t *testing.T) {
	for path, sources := range map[string][]string{
		"a.go": {
			strings.Repeat("func f(", 250_000), strings.Repeat("func /*", 300_000), strings.Repeat("func f() '", 200_000),
			strings.Repeat("func f() { return 1 +\n", 90_000),
		},
	} {
		for _, src := range sources {
			if !grammarOf(path).MayHold([]byte(src)) {
				t.Errorf("%.20s: the scan is sure of it, which it cannot be without reading on and on", src)
			}
		}
	}
}

// TestCorporaScanned compares the scan with the parse over the sources of Go that are here.
func TestCorporaScanned(t *testing.T) {
	for ext, root := range map[string]string{".go": goSources(t)} {
		clear := 0
		files := corpus(t, root, ext, corpusStep(20))
		for _, path := range files {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !grammarOf(path).MayHold(src) {
				clear++
			}
			if stubs := holdsUnseen(t, path, src); len(stubs) > 0 {
				t.Errorf("%s: the scan sees no stub, and there is %+v", path, stubs)
			}
		}
		t.Logf("%s: %d of %d files are cleared", root, clear, len(files))
		if clear < len(files)/3 {
			t.Errorf("%s: only %d of %d files are cleared", root, clear, len(files))
		}
	}
}
