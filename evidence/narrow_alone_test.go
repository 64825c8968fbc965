package evidence

import (
	"strings"
	"testing"
)

// A function that stands as it did becomes a stub by what stands around it: the lines that say so are asked about.
func TestWhatSaysSomethingOfFunctionsIsNoQuietChange(t *testing.T) {
	for path, f := range map[string]struct{ body, before, after string }{
		"a.c": {"int work@(int a)\n{\n\tint b = more(a);\n\treturn use(b, a);\n}\n\n",
			"#ifndef A\n\nvoid go(void)\n{\n}\n\n#endif\n\n", "void go(void)\n{\n}\n\n"},
		"b.c": {"int work@(int a)\n{\n\tint b = more(a);\n\treturn use(b, a);\n}\n\n",
			"BEGIN(thing) entry(a)\n\nint f(void) mark(3) other\n{\n}\n\n", "BEGIN(thing) entry(a)\n\n{\n}\n\n"},
	} {
		var others strings.Builder
		for i := range 40 {
			others.WriteString(strings.ReplaceAll(f.body, "@", string(rune('A'+i%26))+string(rune('a'+i/26))))
		}
		before := Source{path, []byte(others.String() + f.before + others.String())}
		after := Source{path, []byte(others.String() + f.after + others.String())}
		added, err := AddedStubs(t.Context(), nil, before, after)
		if err != nil || len(added) != 1 {
			t.Errorf("%s: one stub is added, found %+v, %v", path, added, err)
		}
	}
}

// A field, a prototype or a constant says nothing of functions: the rest of the file is not parsed.
func TestAQuietChangeIsToldAlone(t *testing.T) {
	for path, f := range map[string][3]string{
		"a.c":  {"int work@(int a)\n{\n\tint b = more(a);\n\treturn use(b, a);\n}\n\n", "struct s {\n\tint a;\n", "};\n\n"},
		"a.h":  {strings.Repeat("int work@(int a);\n\n", 3), "typedef struct {\n\tint a;\n", "} s;\n\n"},
		"a.rs": {"fn work@(a: u32) -> u32 {\n    let b = more(a);\n    use_it(b, a)\n}\n\n", "struct S {\n    a: u32,\n", "}\n\n"},
	} {
		others := strings.Repeat(f[0], 40)
		before, after := others+f[1]+f[2], others+f[1]+strings.ReplaceAll(f[1][strings.Index(f[1], "\n")+1:], "a", "b")+f[2]
		n := narrow(nil, path, []byte(before), []byte(after), ofStubs)
		if n == nil || n.more || !n.addsNone(t.Context(), path) {
			t.Errorf("%s: it is not seen that no stub is added", path)
		}
	}
}
