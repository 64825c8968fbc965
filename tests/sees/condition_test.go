package sees

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/syntax"
)

// A condition that ends with its brackets asks for no more than stands between them; where it may go on, or a text may
// hide a bracket, the file is looked at.
func TestABranchBeginsWhereTwoValuesMayBeAskedFor(t *testing.T) {
	for line, want := range map[string]bool{
		"if (a == 1)": false, "} else if (f(a) == 1)": false, "if (a == 1) {": false, "if (a)": false,
		"if (a == 1 && b == 2)": true, "if (a == 1 &&\n b == 2)": true, "if (a == ')')": false,
		"if (a == '\\')' && b == 2)": true, "if (a) && b": false, "if a == 1 && b == 2": false,
		"if unlikely(a == 1 && b == 2)": true, "if /* so */ (a == 1 && b == 2)": true, "iffy(a == 1 && b == 2)": false,
		"if (a == 1 /* or */ && b == 2)": true, "// if (a == 1 && b == 2)": false, "#if (a == 1 && b == 2)": false,
	} {
		n := newLines{name: "c", after: []byte(line + "\n\treturn 3;\n")}
		if n.mayAnswer() != want {
			t.Errorf("%s: want %v", line, want)
		}
		if n.after = []byte(line + " {\n\tgo();\n}\n"); n.mayAnswer() && strings.HasPrefix(line, "if (a ==") && !strings.Contains(line, "/*") {
			t.Errorf("%s answers nothing", line)
		}
	}
	if n := (newLines{name: "rust", after: []byte("if (a == 1) && b == 2 {\n    3\n}\n")}); !n.mayAnswer() {
		t.Error("a condition of Rust may go on behind its brackets")
	}
}

// branchesOf are the branches of languages: @ is a condition, % an answer.
var branchesOf = map[string][]string{
	"python": {"def f(a, b):\n    if @:\n        return %\n", "def f(a, b):\n    if g(a): pass\n    elif @: return %\n",
		"def f(a, b):\n    if @:  # if so\n        # that\n        return %\n    return 1\n"},
	"javascript": {"function f(a, b) {\n  if (@) { return % }\n}\n", "function f(a, b) {\n  if (@)\n    return %;\n  else return 1;\n}\n"},
	"typescript": {"function f(a: number): any {\n  if (@) {\n    return %;\n  }\n}\n"},
	"tsx":        {"function f(a: number): any {\n  if (@) /* so */ {\n    return %;\n  }\n}\n"},
	"go":         {"package p\nfunc f(a, b int) any {\n\tif @ {\n\t\treturn %\n\t}\n\tif c := g(a); @ {\n\t\treturn %\n\t}\n}\n"},
	"rust":       {"fn f(a: u32) -> u32 {\n    if @ {\n        %\n    } else { g(a) }\n}\n", "fn f() -> u32 {\n    if unsafe { @ } { return %; }\n}\n"},
	"java":       {"class A {\n  int f(int a) {\n    if (@) {\n      return %;\n    }\n  }\n}\n", "class A {\n  int f(int a) {\n    if (a)\n      g(); else if (@) return %;\n  }\n}\n"},
	"kotlin":     {"fun f(a: Int): Any {\n  if (@) return %\n  return if (@) % else 3\n}\n", "fun f() = g(if (@) % else 4)\n"},
	"scala":      {"object A {\n  def f(a: Int) = if (@) % else g(a)\n}\n", "def f(a: Int) = if @ then % else g(a)\n"},
	"csharp":     {"class A {\n  int F(int a) {\n    if (@) { return %; }\n    return 1;\n  }\n}\n"},
	"ruby":       {"def f(a)\n  if @\n    %\n  elsif @\n    return %\n  end\nend\n", "def f(a)\n  if @ then % end\nend\n"},
	"php":        {"<?php\nfunction f($a) {\n  if (@) {\n    return %;\n  }\n}\n", "<?php\nif (@) $b = 1; elseif (@) return %;\n"},
	"swift":      {"func f(a: Int) -> Any {\n  if @ {\n    return %\n  }\n}\n"},
	"c":          {"int f(int a) {\n\tif (@)\n\t\treturn %;\n#if A == 1 && B == 2\n\treturn 3;\n#endif\n}\n"},
	"cpp":        {"int f(int a) {\n\tif constexpr (@) return %;\n\tif (auto b = g(a); @) { return %; }\n}\n"},
}

// Whatever the parse finds to be a branch that answers the inputs of a test on one line, the scan lets through.
func TestNoBranchThatAnswersIsMissed(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	value := func() string {
		return pick("1", "-30", "17", `"a"`, `"(b"`, `"c)"`, `"\""`, `"{"`, `":"`, "(2, 3)", "[4]", "['x']", "{}", "true", `'y'`, `"""z"""`)
	}
	condition := func() string {
		var b strings.Builder
		for i := range 1 + random.IntN(3) {
			if i > 0 {
				b.WriteString(pick(" && ", " || ", " and ", " &&\n      ", " /* if so */ && ", " && // if\n  "))
			}
			if random.IntN(2) == 0 { // which is one in each language
				b.WriteString("a == " + pick("17", `"a"`))
				continue
			}
			b.WriteString(pick("a", "$a", "f(a)", "(a)", "a[1]", "a.b", "g(x -> x)", "h(|x| x)", "!a", "{ a }", "(if (a) 1 else 2)",
				"func() int { return 1 }()", "not a", "a ? b : c"))
			b.WriteString(pick(" == ", " === ", "==", " is ", " == ") + value())
		}
		if whole := b.String(); random.IntN(4) == 0 {
			return "(" + whole + ")"
		}
		return b.String()
	}
	for name, shapes := range branchesOf {
		paths := pathsOf[name]
		if name == "c" || name == "cpp" {
			paths[0] = "pkg/a." + name
		}
		found := 0
		for range 500 {
			src := pick(shapes...)
			for strings.Contains(src, "@") {
				src = strings.Replace(strings.Replace(src, "@", condition(), 1), "%", value(), 1)
			}
			o, err := evidence.OutlineOf(t.Context(), paths[0], []byte(src))
			if err != nil || o == nil {
				t.Fatal(paths[0], err)
			}
			if o.Tree.Root().HasError() {
				continue // where it begins and ends is a guess
			}
			o.Tree.Walk(func(n *syntax.Node, _ int) bool {
				if asked, answer := branchAt(n, o.Source); asked != nil && !strings.Contains(answer, "\n") {
					found++
					l := newLines{name: name, after: o.Source, tests: true}
					if !l.mayAnswer() {
						t.Fatalf("%s: the branch on %s is missed in\n%s", name, asked.Content(o.Source), src)
					}
				}
				return true
			})
		}
		if found == 0 {
			t.Errorf("%s: no branch answers a test, so nothing was asked", name)
		}
	}
}
