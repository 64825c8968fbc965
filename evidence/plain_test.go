package evidence

import "testing"

// TestSpellingsAreNoDisguise: what says that it is not done says so however its names and texts are spelt; and real
// code in odd spelling is none.
func TestSpellingsAreNoDisguise(t *testing.T) {
	for _, c := range []struct {
		path, src string
		stub      bool
	}{
		{"a.js", "function f(u) {\n  throw new N\\u006ftImplementedError();\n}\n", true},
		{"a.ts", "function f(u: string): void {\n  throw new Error(\"n\\x6Ft \\u{69}mplemented\");\n}\n", true},
		{"a.js", "function f(u) {\n  throw new Error(`not ${\"implemented\"}`);\n}\n", true},
		{"a.rs", "fn f(u: &str) {\n    r#todo!()\n}\n", true},
		{"a.kt", "fun f(u: String) {\n    `TODO`()\n}\n", true},
		{"a.scala", "object A {\n  def f(u: String): Boolean = `???`\n}\n", true},
		{"a.py", "def f(u):\n    raise \uff2eotImplementedError\n", true},
		{"a.py", "def f(u):\n    raise Exception(\"not \\151mplemented\")\n", true},
		{"a.go", "package a\n\nfunc f(u string) {\n\tpanic(\"not \\x69mplemented\")\n}\n", true},
		{"a.cs", "class A {\n  void F(int n) { throw new @NotImplementedException(); }\n}\n", true},
		{"a.java", "class A {\n  void f(int n) { throw new Unsupp\\u006frtedOperationException(\"not \\u0069mplemented\"); }\n}\n", true},
		{"a.php", "<?php\nfunction f($u) {\n    throw new \\Exception(\"not \\u{69}mplemented\");\n}\n", true},
		{"a.rb", "def f(u)\n  raise \"not \\u0069mplemented\"\nend\n", true},
		{"a.lua", "function f(u)\n  error(\"not \\105mplemented\")\nend\n", true},
		{"a.ex", "defmodule A do\n  def f(u), do: raise \"not \\x69mplemented\"\nend\n", true},
		{"a.sh", "f() {\n  \\true\n}\ng() {\n  command :\n}\nh() {\n  builtin true\n}\n", true},
		{"a.c", "int f(int c) {\n\treturn c == '\\x41' ? '\\101' : c;\n}\n", false},
		{"a.go", "package a\n\nfunc f(c rune) bool {\n\treturn c == '\\x41' || c == '\\u0042'\n}\n", false},
		{"a.kt", "fun f(u: M) {\n    `when`(u.get()).thenReturn(`Any`.of(u))\n}\n", false},
		{"a.rs", "fn f(u: R) -> u8 {\n    u.r#type + r#match(u)\n}\n", false},
		{"a.py", "def f(u):\n    return re.sub('[\\x41-\\x5a]+', '', u)\n", false},
		{"a.js", "function f(u) {\n  return /[\\u0041-\\u005a]/.test(`a ${\"b\"} ${u}`);\n}\n", false},
	} {
		found, err := Functions(t.Context(), Source{Path: c.path, Bytes: []byte(c.src)})
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", c.path, found, err)
		}
		for _, f := range found {
			want := ClassComplete
			if c.stub {
				want = ClassStub
			}
			if f.Class != want {
				t.Errorf("%s is %s (%s), want %s:\n%s", f.Symbol, f.Class, f.Why(), want, c.src)
			}
		}
	}
}
