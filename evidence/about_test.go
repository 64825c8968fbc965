package evidence

import (
	"context"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// What has no lines of code shows none, unless the item is about that file, or about what was done to it.
func TestWhatHasNoLinesShowsNoCode(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	was := memory{
		"auth.py": {content: "x = 1\n", mode: "100644"}, "login.py": file("y = 2\n"), "old/deep.py": file("z = 3\n"),
	}
	changed := func(name string, n node) memory {
		m := memory{}
		for p, is := range was {
			m[p] = is
		}
		if m[name] = n; n == (node{}) {
			delete(m, name)
		}
		return m
	}
	moved := changed("login", was["login.py"])
	delete(moved, "login.py")
	for name, c := range map[string]struct {
		now         memory
		cite, about string
	}{
		"a mode":         {changed("auth.py", node{content: "x = 1\n", mode: "100755"}), "auth.py", "Make auth.py executable"},
		"another mode":   {changed("auth.py", node{content: "x = 1\n", mode: "100755"}), "auth.py", "Fix the permissions"},
		"a link":         {changed("auth.py", node{kind: Symlink, content: "/etc/passwd"}), "auth.py", "Link auth.py"},
		"a submodule":    {changed("auth.py", node{kind: Submodule, content: "1"}), "auth.py", "Bump the submodule"},
		"a pointer":      {changed("auth.py", file(pointer)), "auth.py", "Add the images"},
		"a binary file":  {changed("login.so", file("\x00\x01")), "login.so", "Add login.so"},
		"a rename":       {moved, "login", "Rename login.py"},
		"a removal":      {changed("auth.py", node{}), "-auth.py", "Remove the old login"},
		"another one's":  {changed("old/deep.py", node{}), "-old/deep.py", "Drop deep"},
		"a removed part": {changed("auth.py", file("")), "-auth.py:1", "Fix the login"},
	} {
		for item, want := range map[string]report.Verdict{
			c.about:                   report.Verified,
			"Add login() to auth.py":  report.Unclear,
			"Implement the login":     report.Unclear,
			"Write the code of login": report.Unclear,
		} {
			base := was.tree()
			j := &Judge{Tree: c.now.tree(), Base: &base, Cache: NewCache()}
			v, err := j.Item(context.Background(), parser.Claim{Status: parser.Done, Item: parser.Text{Value: item},
				Evidence: []parser.Evidence{cite(t, c.cite)}}, KindCode)
			if err != nil {
				t.Fatal(err)
			}
			if v.Verdict != want && !(item == "Implement the login" && c.cite == "login") {
				t.Errorf("%s, %q: %s (%s), want %s", name, item, v.Verdict, v.Why, want)
			}
		}
	}
}

// The names of an item are looked for in all that the unit changed, before and after.
func TestWhatTheItemMakesIsInTheChangeOfTheUnit(t *testing.T) {
	const f, g = "def f():\n    return a()\n", "def g():\n    return b()\n"
	base, now := oneFile(f), oneFile(f+g)
	one := changed{"a.py"}
	earlier := func(paths ...string) EarlierCommits {
		return past{{step: Step{Before: &base, After: now, Change: changed(paths)}}}
	}
	for name, c := range map[string]struct {
		item string
		Judge
		want report.Verdict
	}{
		"made":                     {"Add g() to a.py", Judge{Change: one}, report.Verified},
		"made elsewhere":           {"Add f() to a.py", Judge{Change: one}, report.Unclear},
		"not made":                 {"Add h() to a.py", Judge{Change: one}, report.NotVerified},
		"not known what changed":   {"Add h() to a.py", Judge{}, report.Unclear},
		"changed earlier":          {"Add f() to a.py", Judge{Change: changed{}, Earlier: earlier("a.py")}, report.Unclear},
		"never changed":            {"Add h() to a.py", Judge{Change: one, Earlier: earlier("a.py")}, report.NotVerified},
		"a file that is not there": {"Call g() in b.py", Judge{Change: one}, report.NotVerified},
		"a file that is gone":      {"Remove h() from b.py", Judge{Change: one}, report.Unclear},
		"a file that is meant":     {"Call g() for b.py", Judge{Change: one}, report.Verified},
		"not as code":              {"Fix a() in a.py", Judge{Change: one}, report.Unclear},
		"prose":                    {"Log in by GitHub on Node.js", Judge{Change: one}, report.Verified},
	} {
		j := c.Judge
		j.Tree, j.Base, j.Cache = now, &base, NewCache()
		v, err := j.Item(context.Background(), parser.Claim{Status: parser.Done, Item: parser.Text{Value: c.item},
			Evidence: []parser.Evidence{cite(t, "a.py:3-4")}}, KindCode)
		if err != nil {
			t.Fatal(err)
		}
		if v.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, v.Verdict, v.Why, c.want)
		}
	}
}
