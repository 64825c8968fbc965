package main

import "testing"

// ctags names functions that stand in comments and documentation; nobody wrote those as code.
func TestFunctionsInCommentsAreNone(t *testing.T) {
	for path, text := range map[string]string{
		"a.lua": "--[[\nlocal function f(x)\n  return x\nend\n--]]\nlocal function g(x)\n  return x\nend\n",
		"a.ex":  "  @moduledoc \"\"\"\n  def f(x) do\n    x\n  end\n  \"\"\"\n  def g(x) do\n    x\n  end\n",
		"a.c":   "/*\nint f(int x) {\n\treturn x;\n}\n*/\nint g(int x) {\n\treturn x;\n}\n",
	} {
		src := &source{path: path, bytes: []byte(text)}
		found := functionsOf(src, []start{{name: "f", line: 2}, {name: "g", line: 6}, {name: "macro", line: 6}})
		if len(found) != 1 || found[0].Name != "g" || found[0].End != 8 {
			t.Errorf("%s: %d functions are found", path, len(found))
		}
	}
}
