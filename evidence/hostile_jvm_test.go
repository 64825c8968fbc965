//go:build linux

package evidence

import (
	"os"
	"strings"
	"testing"
)

// hostileOfJavaKin are hostile sources in languages like Java. Locate looks at parents and siblings, which costs most where
// a class has many members.
func hostileOfJavaKin() map[string]map[string]string {
	repeat := func(before, line string, times int) string { return before + strings.Repeat(line, times) }
	all := map[string]map[string]string{
		".java": {
			"methods":   repeat("class A {\n", "void f() {}\n", 40_000),
			"overrides": repeat("class A {\n", "@Override void f() { return null; }\n", 20_000),
			"anonymous": repeat("class A { Object f() { return ", "new A() { Object f() { return ", 700),
			"calls":     repeat("class A { void f() { ", "assertTrue(true", 1400),
			"generics":  "class A extends " + strings.Repeat("B<", 50_000),
			"chain":     "class A { Object x = a" + strings.Repeat(".b()", 200_000) + "; }",
		},
		".cs": {
			"methods":    repeat("class A {\n", "void F() => throw new X();\n", 20_000),
			"properties": repeat("class A {\n", "int P { get { return 1; } set { } }\n", 20_000),
			"attributes": repeat("class A {\n", "[A]\n", 200_000),
			"lambdas":    "var x = " + strings.Repeat("a=>", 100_000) + "1;",
			"ifs":        strings.Repeat("#if A\n", 50_000),
		},
		".kt": {
			"functions":    repeat("class A {\n", "fun f() = TODO()\n", 20_000),
			"accessors":    repeat("class A {\n", "val a: Int\n  get() { return 1 }\n", 20_000),
			"lambdas":      strings.Repeat("test(\"a\") {", 1400),
			"interfaces":   strings.Repeat("fun interface A {}\n", 20_000),
			"constructors": strings.Repeat("class A<", 60_000) + "\nconstructor",
			"strings":      strings.Repeat("\"${", 1400),
		},
		".scala": {
			"defs":     repeat("object A {\n", "def f = ???\n", 80_000),
			"indented": repeat("object A:\n", "  def f =\n    ???\n", 40_000),
			"infix":    "def a = \"x\"" + strings.Repeat(" in \"x\"", 60_000) + " {}",
			"types":    "def a: " + strings.Repeat("A[", 1400) + " = 1",
			"strings":  strings.Repeat("s\"${", 1400),
		},
	}
	for _, sources := range all {
		sources["brackets"] = strings.Repeat("(", 100_000)
		sources["closed"] = strings.Repeat("{", 1400) + strings.Repeat("}", 1400)
		sources["string"] = "x = \"" + strings.Repeat("()", 1<<20) + "\""
	}
	return all
}

// TestPrefixesOfJavaKinAreJudged cuts the cases at many bytes: each is what an editor holds half way.
func TestPrefixesOfJavaKinAreJudged(t *testing.T) {
	cut := 0
	for path, folder := range map[string]string{"a.java": "java", "a.cs": "csharp", "a.kt": "kotlin", "a.scala": "scala"} {
		for _, name := range []string{"stubs", "complete"} {
			src, err := os.ReadFile("lang/" + folder + "/cases/" + name + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			src = src[:min(len(src), 4000)]
			for end := 0; end < len(src); end += 61 {
				if _, err := Functions(t.Context(), Source{Path: path, Bytes: src[:end]}); err != nil {
					t.Fatal(err)
				}
				cut++
			}
		}
	}
	if cut < 500 {
		t.Errorf("only %d prefixes", cut)
	}
}
