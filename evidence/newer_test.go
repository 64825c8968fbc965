package evidence

import "testing"

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
		if got := string(grammarOf("a.swift").AsRead([]byte(src))); got != want {
			t.Errorf("%q:\n%q, want\n%q", src, got, want)
		}
	}
	plain := []byte("let x = 1")
	if &grammarOf("a.swift").AsRead(plain)[0] != &plain[0] {
		t.Error("a source that needs nothing was copied")
	}
}
