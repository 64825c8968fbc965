package evidence

import (
	"strings"
	"testing"
)

// Imports are no work by themselves, unless the item asks for them.
func TestWhatOnlyImportsShowsNoWork(t *testing.T) {
	const imports = "it only imports, and the item asks for code"
	for name, c := range map[string]struct{ path, source, item, want string }{
		"Python":                 {"a.py", "@@import bcrypt\nfrom os import (\n    path,\n)\n@@x = 1\n", "Hash words", imports},
		"Go":                     {"a.go", "package a\n\n@@import (\n\t\"crypto\"\n)\n@@var x = 1\n", "Hash words", imports},
		"a line of Go":           {"a.go", "package a\n\nimport (\n@@\t\"crypto\"\n@@)\n\nvar x = 1\n", "Hash words", imports},
		"JavaScript":             {"a.js", "@@import { hash } from 'bcrypt';\n@@hash(1);\n", "Hash words", imports},
		"Java":                   {"A.java", "@@import java.util.List;\n@@class A {}\n", "Hash words", imports},
		"Rust":                   {"a.rs", "@@use bcrypt::hash;\n@@const X: i32 = 1;\n", "Hash words", imports},
		"C":                      {"a.c", "@@#include <crypt.h>\n@@int x = 1;\n", "Hash words", imports},
		"C#":                     {"A.cs", "@@using System.Text;\n@@class A {}\n", "Hash words", imports},
		"a comment with it":      {"a.py", "@@# Words are hashed.\nimport bcrypt\n@@x = 1\n", "Hash words", imports},
		"for a test":             {"test_a.py", "@@import bcrypt\n@@x = 1\n", "Test hashing", imports},
		"the item asks for it":   {"a.py", "@@import bcrypt\n@@x = 1\n", "Use bcrypt", ""},
		"users are no use":       {"a.py", "@@import bcrypt\n@@x = 1\n", "Lock users out", imports},
		"code beside it":         {"a.py", "@@import bcrypt\nHASH = bcrypt.hashpw\n@@", "Hash words", ""},
		"a required module":      {"a.js", "@@const bcrypt = require('bcrypt');\n@@", "Hash words", ""},
		"a file of imports":      {"__init__.py", "@@from .hash import digest as digest\n@@", "Hash words", ""},
		"a header":               {"a.py", "@@def f(word):\n@@    return g(word)\n", "Hash words", ""},
		"a decorator":            {"a.py", "@@@cached\n@@def f(word):\n    return g(word)\n", "Hash words", ""},
		"an attribute":           {"A.cs", "class A {\n@@    [Obsolete]\n@@    int x;\n}\n", "Hash words", ""},
		"an annotation":          {"A.java", "class A {\n@@    @Deprecated\n@@    int x;\n}\n", "Hash words", ""},
		"an attribute of Rust":   {"a.rs", "struct A {\n@@    #[serde(skip)]\n@@    x: i32,\n}\n", "Hash words", ""},
		"data":                   {"a.yaml", "@@hash: bcrypt\n@@", "Hash words", ""},
		"no grammar":             {"a.xyz", "@@import bcrypt\n@@", "Hash words", ""},
		"an import within":       {"a.py", "def f(word):\n@@    import bcrypt\n@@    return bcrypt.hashpw(word)\n", "Hash words", imports},
		"a class with an import": {"a.py", "@@class A:\n    import bcrypt\n@@", "Hash words", ""},
	} {
		part := strings.Split(c.source, "@@")
		if strings.HasPrefix(c.source, "@@@") {
			part = []string{"", "@" + part[1], part[2]}
		}
		first := strings.Count(part[0], "\n") + 1
		last := first + strings.Count(part[1], "\n") - 1
		j := &Judge{Tree: memory{c.path: file(strings.Join(part, ""))}.tree(), Cache: NewCache()}
		e := cite(t, c.path+":"+lines(first, last))
		if r, err := j.Evidence(t.Context(), Claim{Evidence: e, Item: c.item}); err != nil || r.Aside != c.want {
			t.Errorf("%s: %q, want %q: %+v, %v", name, r.Aside, c.want, r, err)
		}
	}
}
