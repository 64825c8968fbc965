package evidence

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// narrowly compares the stubs of a file that is parsed narrowly with those of the
// whole file; narrowed is false where it is parsed whole anyway.
func narrowly(t *testing.T, path string, src []byte) (narrowed bool) {
	t.Helper()
	ctx := context.Background()
	g := grammarOf(path)
	if shallow(src) != nil {
		return false
	}
	narrow := g.narrowed(ctx, Source{path, src})
	if narrow == nil {
		return false
	}
	whole, err := analyse(ctx, g, path, newText(src))
	if err != nil {
		return false // it takes too long; the narrow one did not
	}
	list := func(m *model) string {
		var b strings.Builder
		for _, d := range m.stubs(false) {
			fmt.Fprintf(&b, "%+v\n", m.stubOf(d))
		}
		return b.String()
	}
	if got, want := list(narrow), list(whole); got != want && len(whole.errors) == 0 {
		t.Errorf("%s: parsed narrowly\n%swhole\n%s", path, got, want)
	}
	return true
}

func TestAFileParsedNarrowlyHasTheSameStubs(t *testing.T) {
	const idle = "\n\ndef busy(a):\n    \"\"\"def f(): pass\n\ndef g(): pass\n    \"\"\"\n    return [\n1, a]\n\n\n"
	for name, src := range map[string]string{
		"a function":              "import x\n" + idle + "def f():\n    pass\n" + idle,
		"a method":                "class A(B):\n    \"\"\"Doc.\"\"\"\n\n    @property\n    def a(self):\n        return self._a\n\n    @deco(\n    1)\n    async def b(self):\n        pass\n\n    def c(self):\n        return 1\n" + idle,
		"an abstract method":      idle + "class A(ABC):\n    @abstractmethod\n    def a(self): ...\n    def b(self):\n        return 1\n",
		"a nested class":          "class A:\n    class B:\n        def f(self):\n            pass\n        def g(self):\n            return 1\n    x = 1\n    def h(self):\n        return 2\n",
		"a nested function":       idle + "def f():\n    x = 1\n    def g():\n        pass\n    return g\n",
		"a comment at the margin": idle + "def f():\n# why\n    pass\n# after\n" + idle,
		"strings that evaluate":   "def a(x):\n    return f\"{x['a']} {x!r}\" if x else f'{{}}'\n\ndef f():\n    pass\n",
		"in a branch":             idle + "if X:\n    def f():\n        pass\nelse:\n    def f():\n        return 1\n",
		"one line":                idle + "def f(): pass\ndef g(): return 1\nclass A: pass\n",
		"Windows line ends":       strings.ReplaceAll(idle+"def f():\n    pass\n", "\n", "\r\n"),
	} {
		if !narrowly(t, "a.py", []byte(src)) {
			t.Errorf("%s: parsed whole", name)
		}
	}
	for name, src := range map[string]string{
		"tabs":                   "def a():\n\treturn 1\ndef f():\n\tpass\n",
		"a line that continues":  "def a():\n    return 1 + \\\n        2\ndef f():\n    pass\n",
		"a bracket too many":     "def a():\n    return 1)\ndef f():\n    pass\n",
		"an open string":         "def a():\n    return 'x\ndef f():\n    pass\n",
		"a body that is missing": "def a():\n    return 1\ndef f():\n    # todo\nx = 1\n",
		"quotes in an f-string":  "def a(x):\n    return f\"{x[\"a\"]}\"\ndef f():\n    pass\n",
	} {
		if narrowly(t, "a.py", []byte(src)) {
			t.Errorf("%s: parsed narrowly", name)
		}
	}
}

func TestAMutatedFileParsedNarrowlyHasTheSameStubs(t *testing.T) {
	for _, l := range scanned {
		if g := grammarOf(l.path); g.Idle == nil {
			continue
		}
		n := 0
		for _, src := range snippets(t, l.folder) {
			joined := append([]byte("def busy(a):\n    return a\n\n\n"), src...)
			if narrowly(t, l.path, joined) {
				n++
			}
		}
		if n < 40 {
			t.Errorf("%s: only %d snippets are parsed narrowly", l.path, n)
		}
	}
}

// TestCorporaNarrowly compares over Python's own library.
func TestCorporaNarrowly(t *testing.T) {
	root := pythonLibrary(t)
	files, n := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			if err == nil && d.IsDir() && d.Name() == "site-packages" && os.Getenv("ACTA_CORPUS") != "all" {
				return filepath.SkipDir
			}
			return err
		}
		if files++; os.Getenv("ACTA_CORPUS") != "all" && files%5 != 0 {
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil && grammarOf(path).mayHold(src) && narrowly(t, path, src) {
			n++
		}
		return err
	})
	if err != nil || n < 20 {
		t.Errorf("%d of %d files were parsed narrowly: %v", n, files, err)
	}
	t.Logf("%d of %d files were parsed narrowly", n, files)
}
