package evidence

import (
	"context"
	"strings"
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

// TestAParameterThatTheItemNamesIsRead: an item that names a parameter needs code that reads it.
func TestAParameterThatTheItemNamesIsRead(t *testing.T) {
	const blurs = "def blur(image, radius):\n    return convolve(image, GAUSS_3X3)\n"
	const mayView = "<?php\nfinal class PostPolicy\n{\n    public function view(User $user, Post $post): bool\n    {\n" +
		"        return $user->isActive();\n    }\n}\n"
	mayEdit := strings.Replace(mayView, "}\n}\n", "}\n\n    public function edit(User $user, Post $post): bool\n    {\n"+
		"        return $post->author->is($user);\n    }\n}\n", 1)
	const doubted = "unclear evidence_unclear"
	for _, c := range []struct{ item, name, src, want string }{
		{"Gaussian blur with configurable radius", "a.py", blurs, doubted},
		{"Gaussian blur of images", "a.py", blurs, "verified"},
		{"Blur by radius", "a.py", strings.Replace(blurs, "GAUSS_3X3", "gauss(radius)", 1), "verified"},
		{"Blur by radius", "a.py", "@filters.register\n" + blurs, "verified"},
		{"Blur by radius", "a.py", strings.Replace(blurs, "radius", "_radius", 1), "verified"},
		{"Authors edit their posts", "a.php", mayView, doubted},
		{"Authors edit their posts", "a.php", mayEdit, "verified"},
		{"Honour the CancellationToken", "A.cs", "class Export\n{\n    public Task WriteAsync(Stream to, CancellationToken cancellationToken)\n" +
			"    {\n        return writer.FlushAsync(to);\n    }\n}\n", doubted},
		{"Honour the CancellationToken", "A.cs", "class Export : IExport\n{\n    public Task WriteAsync(Stream to, CancellationToken cancellationToken)\n" +
			"    {\n        return writer.FlushAsync(to);\n    }\n}\n", "verified"},
		{"Honour the tax rate", "a.py", "def add_tax(price, rate):\n    return price * Settings(**locals()).factor\n", "verified"},
		{"Blur ignores its radius", "a.py", blurs, "verified"},
		{"Same blur for every radius", "a.py", blurs, "verified"},
		{"Track click events", "a.js", "function onClick(event) {\n  tracker.send('click');\n}\n", "verified"},
		{"Print the usage without arguments", "A.java", "class A {\n    public static void main(String[] arguments) {\n        Cli.help(OUT);\n    }\n}\n", "verified"},
		{"Keep the mailer", "a.ts", "export class Orders {\n  constructor(public readonly mailer: Mailer) {\n    connect(this);\n  }\n}\n", "verified"},
	} {
		expectAll(t, c.item, c.name, c.src, c.want)
	}
}

// TestSettingsThatNoGrammarReads: their lines count, but not comments alone.
func TestSettingsThatNoGrammarReads(t *testing.T) {
	for name, src := range map[string]string{
		"go.mod": "// the newest\nrequire example.org/a v1.2.0\n", "gradle.properties": "# the newest\nagp=9.4.0\n",
		"src/App.csproj": "<!-- the newest -->\n<PackageReference Include=\"A\" />\n", ".env.test": "# here\nPORT=1\n",
		".sdkmanrc": "# here\njava=25\n", ".github/.stylelintignore": "# here\ndist\n",
	} {
		expectAll(t, "Update a", name, src, "verified")
		comment, _, _ := strings.Cut(src, "\n")
		expectAll(t, "Update a", name, comment+"\n", "not_verified checklist_evidence_empty_impl")
	}
	expectAll(t, "Update a", "a.modx", "require a\n", "unclear evidence_unclear")
	for name, src := range map[string]string{
		".gitignore": "!keep.log\n", "my.cnf": "!includedir /etc/my.cnf.d\n", ".npmrc": "//example.org/:_authToken=a\n",
		"a.csv": "#,name\n;x;2\n", "pom.xml": "<!-- pinned --><version>1</version>\n",
		".gitattributes": "* text=auto eol=lf\n", ".dockerignore": "*\n",
	} {
		expectAll(t, "Update a", name, src, "verified")
	}
}
