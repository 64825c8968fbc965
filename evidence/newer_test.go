package evidence

import (
	"strings"
	"testing"
)

func TestSwiftIsReadWithoutWhatIsNewerThanItsGrammar(t *testing.T) {
	for src, want := range map[string]string{
		"#expect(x)":                       "_expect(x)",
		"try #require(x)":                  "try _require(x)",
		"func f() throws(E) {}":            "func f() throws    {}",
		"nonisolated(unsafe) var x":        "nonisolated         var x",
		"struct A: ~Copyable {}":           "struct A:  Copyable {}",
		"func f(_ x: sending T)":           "func f(_ x:         T)",
		"func f() -> sending T":            "func f() ->         T",
		"func `a b c`() {}":                "func `a_b_c`() {}",
		"#if DEBUG\n#else\n#endif":         "#if DEBUG\n#else\n#endif",
		"#selector(f)":                     "#selector(f)",
		"let s = #\"a\"#":                  "let s = #\"a\"#",
		"let sending = borrowing + ~x":     "let sending = borrowing + ~x",
		"throws(\nE)":                      "throws(\nE)",
		"let x = `":                        "let x = `",
		"func consuming(x: consuming: T) ": "func consuming(x: consuming: T) ",
	} {
		if got := string(grammarOf("a.swift").Parsable([]byte(src))); got != want {
			t.Errorf("%q:\n%q, want\n%q", src, got, want)
		}
	}
	plain := []byte("let x = 1")
	if &grammarOf("a.swift").Parsable(plain)[0] != &plain[0] {
		t.Error("a source that needs nothing was copied")
	}
}

func TestGoReadsANewOfAnExpressionAsACall(t *testing.T) {
	for _, expression := range []string{
		"1", "-x", `"a"`, "`(`", "'('", "f(x)", "m.t.Unix()*1000 + 1", "a && b", "T{1}", "[]int{1}", `map[string]int{"a": 1}`, "*p + 1", "(a + b)", "!ok",
		"\n\t1,\n", `f("\")")`, "x.(T)", "&T{" + strings.Repeat("1, ", 300) + "}", "secret(value)", "List[int]{1}",
		"xs[0]", "xs[i+1]", "xs[len(xs)-1]", `m["a"]`, "xs[f(i)]", `[]byte("x")`, "[]int{1}[0]", "func() int { return 1 }()", "structure + 1",
	} {
		src := "x := new(" + expression + ")"
		if got := string(grammarOf("a.go").Parsable([]byte(src))); got != strings.Replace(src, "new(", "neW(", 1) {
			t.Errorf("%s", got)
		}
	}
	for _, plain := range []string{
		"x := new(T)", "new(pkg.T)", "new( T )", "new(*T)", "new(**T)", "new([]int)", "new([4]T)", "new(map[string]*T)", "new(chan int)", "new(<-chan int)",
		"new(func(int) error)", "new(struct{ a int })", "new(interface{ M() })", "new(List[int])", "new(List[map[string]int])", "new((T))", "new()", "new(",
		"renew(1)", "x", "", "new([]struct{ a int })",
		"new(Map[string, *T])", "new(List[[4]int])", "new(chan<- []T)", "new(struct { a int })", "new(structure)", "new([])",
	} {
		src := []byte(plain)
		if got := grammarOf("a.go").Parsable(src); string(got) != plain || len(src) > 0 && &got[0] != &src[0] {
			t.Errorf("%s became %s", plain, got)
		}
	}
}
