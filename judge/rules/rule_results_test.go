package rules

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
)

// junit is a report of tests of tests/test_auth.py, each case by its name; behind «!» it failed, behind «~» it was
// skipped. A case of another class is written as class/name.
func junit(cases ...string) string {
	var b strings.Builder
	b.WriteString("<testsuite>")
	for _, c := range cases {
		class, inside := "tests.test_auth", ""
		if of, name, ok := strings.Cut(c, "/"); ok {
			class, c = of, name
		}
		switch {
		case strings.HasSuffix(c, "!"):
			inside = `<failure message="assert None is not None"/>`
		case strings.HasSuffix(c, "~"):
			inside = `<skipped message="no database"/>`
		}
		b.WriteString(`<testcase classname="` + class + `" name="` + strings.TrimRight(c, "!~") + `">` + inside + "</testcase>")
	}
	return b.String() + "</testsuite>"
}

// tested is an ACT that cites test_login, lines 4 to 6 of a file that holds test_logout as well, and the results of it.
func tested(reports map[string]string) commit {
	c := commit{message: citingTest, files: testedFiles(), reports: reports}
	c.files["tests/test_auth.py"] += "\n\ndef test_logout(session):\n    logout(session)\n    assert session.user is None\n"
	return c
}

// ofTests is tested with one report of tests.
func ofTests(cases ...string) commit { return tested(map[string]string{"junit": junit(cases...)}) }

// held is a commit as a tier holds it, under a policy.
func held(c commit, tier policy.Tier, policy string) commit {
	c.tier, c.policy = tier, policy
	return c
}

// titled is an ACT that cites a test by its title, beside files that hold that title too, and a report without paths.
func titled(class string, others ...string) commit {
	const source = "describe('sum', () => {\n  it('adds', () => { expect(sum(1, 2)).toBe(3) })\n})\n"
	c := commit{message: "ACT: T01 sum\n\nDone: Test sum | web/sum.test.js:2\n",
		files:   map[string]string{"web/sum.test.js": source},
		reports: map[string]string{"junit": `<testsuite><testcase classname="` + class + `" name="adds"/></testsuite>`}}
	for _, f := range others {
		c.files[f] = source
	}
	return c
}

const requiresTests = "results: {require: {test: ran, code: executed}}\n"

func TestTestFailed(t *testing.T) {
	found := one("warning tests/test_auth.py:4")
	waived := held(ofTests("test_login!"), policy.Strict, "waivable: [test_failed]\n")
	waived.message += "Waive: test_failed | tests/test_auth.py:4-6 | The server is down today\n"
	inside := ofTests("test_login!")
	inside.message = "ACT: T01 login\n\nDone: Test login | tests/test_auth.py:5-6\n"
	both := ofTests("test_login!", "test_logout!")
	both.message = "ACT: T01 login\n\nDone: Test login | tests/test_auth.py:4-11\n"
	code := ofTests("test_login!")
	code.message = "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n"
	testRule(t, "test_failed", []row{
		{"it failed", ofTests("test_login!"), found, "a cited test failed: test_login"},
		{"lines within it are cited", inside, found, "test_login"},
		{"two failed", both, found, "a cited test failed: test_login, test_logout"},
		{"with one of its parameters", ofTests("test_login[a]", "test_login[b]!"), found, ""},
		{"in STRICT", held(ofTests("test_login!"), policy.Strict, ""), one("error tests/test_auth.py:4"), ""},
		{"in LIGHT", held(ofTests("test_login!"), policy.Light, ""), found, ""},
		{"in EXEMPT", held(ofTests("test_login!"), policy.Exempt, ""), nil, ""},
		{"where the policy requires it", held(ofTests("test_login!"), policy.Standard, requiresTests),
			one("error tests/test_auth.py:4"), ""},
		{"waived", waived, found, "waived: The server is down today"},
		{"it passed", ofTests("test_login"), nil, ""},
		{"it failed and passed when it was tried again", ofTests("test_login!", "test_login"), nil, ""},
		{"it was skipped", ofTests("test_login~"), nil, ""},
		{"another test failed", ofTests("test_login", "test_logout!"), nil, ""},
		{"one of another file failed", ofTests("test_login", "tests.test_other/test_login!"), nil, ""},
		{"one of a longer name failed", ofTests("test_login", "test_login_twice!"), nil, ""},
		{"no test is cited", code, nil, ""},
		{"nothing is given", tested(nil), nil, ""},
	})
}

func TestTestNotRun(t *testing.T) {
	found := one("warning tests/test_auth.py:4")
	many := ofTests("test_login~", "test_logout~", "test_a~", "test_b~")
	many.files["tests/test_auth.py"] += "\n\ndef test_a():\n    assert a() == 1\n\n\ndef test_b():\n    assert b() == 2\n"
	many.message = "ACT: T01 login\n\nDone: Test login | tests/test_auth.py:4-19\n"
	testRule(t, "test_not_run", []row{
		{"skipped", ofTests("test_login~", "test_logout"), found, "a cited test was skipped: test_login"},
		{"four of them", many, found, "a cited test was skipped: test_login, test_logout, 2 more"},
		{"left out", ofTests("test_logout"), found, "lack a cited test, and have others of the same file: test_login"},
		{"left out beside one that was skipped", ofTests("test_logout~"), found, "others of the same file: test_login"},
		{"in STRICT", held(ofTests("test_logout"), policy.Strict, ""), one("error tests/test_auth.py:4"), ""},
		{"in EXEMPT", held(ofTests("test_logout"), policy.Exempt, ""), nil, ""},
		{"where the policy requires it", held(ofTests("test_logout"), policy.Light, requiresTests),
			one("error tests/test_auth.py:4"), ""},
		{"it ran", ofTests("test_login"), nil, ""},
		{"it failed, which is said elsewhere", ofTests("test_login!"), nil, ""},
		{"skipped with one of its parameters", ofTests("test_login[a]", "test_login[b]~"), nil, ""},
		{"the report has none of its file", ofTests("tests.test_other/test_x"), nil, ""},
		{"the report calls a test of its file otherwise", ofTests("test_logout", "Log in, and see the page"), nil, ""},
		{"nothing is given", tested(nil), nil, ""},
		{"coverage is given alone", tested(map[string]string{"coverage": lcov("1,1")}), nil, ""},
	})
}

// What results say of a claim is told with it, whatever the rules find.
func TestWhatResultsSayIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		commit
		want string // "" for nothing
	}{
		"passed":                  {ofTests("test_login"), "test passed"},
		"failed":                  {ofTests("test_login!"), "test failed"},
		"skipped":                 {ofTests("test_login~"), "test skipped"},
		"not run":                 {ofTests("test_logout"), "test not run"},
		"not known":               {ofTests("tests.test_other/test_x"), "test unclear"},
		"titled":                  {titled("sum"), "test passed"},
		"titled twice":            {titled("sum", "web/other.test.js"), "test unclear"},
		"titled where no test is": {titled("sum", "web/page.js"), "test passed"},
		"titled in other groups":  {titled("product"), "test unclear"},
		"without tests":           {tested(map[string]string{"coverage": "SF:src/other.py\nDA:1,1\nend_of_record\n"}), ""},
	} {
		out, err := c.ask(t, Rules())
		if err != nil || out.Results == nil {
			t.Fatalf("%s: %+v, %v", name, out, err)
		}
		got := ""
		for _, said := range out.Results.Claims {
			got += said.Words()
		}
		if got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
	both := ofTests("test_login", "test_logout!")
	both.message = "ACT: T01 login\n\nDone: Test login | tests/test_auth.py:4-6, tests/test_auth.py:9-11\n"
	out, err := both.ask(t, Rules())
	if err != nil || len(out.Results.Claims) != 1 || out.Results.Claims[0].Test != "failed" {
		t.Errorf("of two places the worst counts: %+v, %v", out.Results, err)
	}
}
