package lang

import "testing"

// TestPlain: names and texts as a language reads them, of the same length, whatever way they are written.
func TestPlain(t *testing.T) {
	l := Language{Name: "x", Optional: Lazy("(r#)todo|(`)[A-Z]\\w*(`)")}
	for src, want := range map[string]string{
		"throw new N\\u006ftImpl()":          "throw new      NotImpl()",
		`Error("not \u0069mple\x6Dented")`:   `Error("        not implemented")`,
		`"\u{69}s" + '\x69' + "\\x69"`:       `"     is" + '\x69' + "\\x69"`,
		"x(`not ${\"done\"} ${y}`)":          "x(`     not done ${y}`)",
		"raise Ｎot\n":                        "raise   Not\n",
		"r#todo!(); `TODO`(); `in`; '\\101'": "  todo!();  TODO (); `in`; '\\101'",
		`"\151s \27[1m"`:                     `"   is \27[1m"`,
	} {
		got := string(l.Plain([]byte(src)))
		if got != want || len(got) != len(src) {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
		if again := string(l.Plain([]byte(got))); again != got {
			t.Errorf("%q is not plain: %q", got, again)
		}
	}
	plain := []byte("a := `\\d+` + \"é\\n\"\n")
	if &l.Plain(plain)[0] != &plain[0] {
		t.Error("what is plain is copied")
	}
	lua := Language{Name: "lua"}
	if got := string(lua.Plain([]byte(`"n\111t"`))); got != `"   not"` {
		t.Errorf("%q", got)
	}
	data := Language{Traits: []string{"data"}}
	if got := string(data.Plain([]byte(`"\u0069"`))); got != `"\u0069"` {
		t.Errorf("%q", got)
	}
}
