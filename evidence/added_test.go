package evidence

import (
	"strings"
	"testing"
)

func TestAStubIsAddedWhereItsSymbolHadNone(t *testing.T) {
	for name, c := range map[string]struct{ path, before, after, want string }{
		"new":                        {"a.py", "x = 1\n", "def f(): pass\n", "f"},
		"hollowed":                   {"a.py", "def f(): return 1\n", "def f(): pass\n", "f"},
		"there already":              {"a.py", "def f(): pass\n", "x = 1\n\ndef f(): pass\n", ""},
		"still one, otherwise":       {"a.py", "def f(): pass\n", "def f(a):\n    raise NotImplementedError\n", ""},
		"renamed":                    {"a.py", "def f(): pass\n", "def g(): pass\n", "g"},
		"of another class":           {"a.py", "class A:\n    def f(self): pass\n", "class B:\n    def f(self): pass\n", "B.f"},
		"complete before":            {"a.py", "class A:\n    @abstractmethod\n    def f(self): pass\n", "class A:\n    def f(self): pass\n", "A.f"},
		"complete now":               {"a.py", "class A:\n    def f(self): pass\n", "class A:\n    @abstractmethod\n    def f(self): pass\n", ""},
		"complete, and new":          {"a.py", "", "class A:\n    @abstractmethod\n    def f(self): pass\n", "A.f"},
		"another of that name":       {"a.py", "def f(): pass\n", "def f(): pass\ndef f(): ...\n", "f"},
		"one of two of that name":    {"a.py", "def f(): return 1\ndef f(): pass\n", "def f(): ...\ndef f(): pass\n", "f"},
		"a syntax error before":      {"a.py", "def f(: pass\n", "def f(): pass\n", ""},
		"a syntax error in it":       {"a.py", "x = 1\n", "def f(: pass\n", ""},
		"gone":                       {"a.py", "def f(): pass\n", "x = 1\n", ""},
		"no language before":         {"a.py", "!text\ndef f(): pass\n", "def f(): pass\n", "f"},
		"the other language before":  {"a.ts", "!js\nfunction f() {}\n", "function f(): void {}\n", ""},
		"gave back nothing, did not": {"a.go", "package a\n\nfunc f() error { return nil }\n", "package a\n\nfunc f() error { panic(\"not implemented\") }\n", "f"},
	} {
		before := Source{Path: c.path, Bytes: []byte(c.before)}
		if ext, src, ok := strings.Cut(c.before, "\n"); ok && strings.HasPrefix(ext, "!") {
			before = Source{Path: "old." + ext[1:], Bytes: []byte(src)}
		}
		stubs, err := AddedStubs(t.Context(), nil, before, Source{Path: c.path, Bytes: []byte(c.after)})
		var got []string
		for _, s := range stubs {
			got = append(got, s.Symbol)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, c.want)
		}
	}
	stubs, err := AddedStubs(t.Context(), nil, Source{Path: "a.py", Bytes: []byte("def f(): return 1\ndef f(): pass\n")}, Source{Path: "a.py", Bytes: []byte("def f(): ...\ndef f(): pass\n")})
	if err != nil || len(stubs) != 1 || stubs[0].Line != 1 {
		t.Errorf("%+v (%v), want the one whose text is new", stubs, err)
	}
	if _, err := AddedStubs(t.Context(), nil, Source{Path: "a.py", Bytes: []byte(strings.Repeat("(", 9000))}, Source{Path: "a.py", Bytes: []byte("def f(): pass\n")}); err == nil || !strings.Contains(err.Error(), "before the change: a.py: its brackets") {
		t.Errorf("%v, want what is in the way", err)
	}
}

// What is known of two versions is not told of others, and stays as it was found.
func TestAddedStubsAreKnownByBothVersions(t *testing.T) {
	stub, code := "def f():\n    pass\n", "def f():\n    return g()\n"
	at := func(path, id, text string) Source { return Source{Path: path, ID: id, Bytes: []byte(text)} }
	missing := Source{Path: "a.py"}
	c := NewCache()
	for range 2 {
		for _, v := range []struct {
			before, after Source
			want          int
		}{
			{missing, at("a.py", "1", stub), 1},
			{at("a.py", "2", code), at("a.py", "1", stub), 1},
			{at("a.py", "1", stub), at("a.py", "1", stub), 0},
			{at("a.py", "1", stub), at("a.py", "2", code), 0},
			{at("a.py", "", stub), at("a.py", "1", stub), 0},
			{missing, at("a.pyi", "1", stub), 1},
		} {
			added, err := AddedStubs(t.Context(), c, v.before, v.after)
			if err != nil || len(added) != v.want {
				t.Errorf("%s to %s: %v, %v", v.before.ID, v.after.ID, added, err)
				continue
			}
			for i := range added {
				if added[i].Symbol != "f" || (added[i].Exempt == "") != (v.after.Path == "a.py") {
					t.Errorf("%s to %s: %+v", v.before.ID, v.after.ID, added[i])
				}
				added[i].Symbol = "changed by who asked"
			}
		}
	}
}

// A model that claims have made is not made again.
func TestAddedStubsAreThoseOfAKnownModel(t *testing.T) {
	c, f := NewCache(), Source{Path: "a.py", ID: "1", Bytes: []byte("def f():\n    pass\n")}
	m, err := c.model(t.Context(), grammarOf(f.Path), f)
	if err != nil {
		t.Fatal(err)
	}
	m.definitions = nil // a new one would have them
	if added, err := AddedStubs(t.Context(), c, Source{Path: "a.py"}, f); err != nil || len(added) > 0 {
		t.Errorf("%v, %v", added, err)
	}
}
