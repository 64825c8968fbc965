package rules

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
)

// lcov is a report of the coverage of src/auth.py: «line,times» each.
func lcov(lines ...string) string {
	return "SF:src/auth.py\nDA:" + strings.Join(lines, "\nDA:") + "\nend_of_record\n"
}

// covered is an ACT that cites lines of src/auth.py, and the coverage of it.
func covered(cites, report string) commit {
	return commit{message: "ACT: T01 login\n\nDone: Add login() | " + cites + "\n", files: testedFiles(),
		reports: map[string]string{"coverage": report}}
}

func TestEvidenceNotExecuted(t *testing.T) {
	const cites = "src/auth.py:5-8"
	none := covered(cites, lcov("5,0", "6,0", "7,0", "8,0"))
	found := one("warning src/auth.py:5")
	types := covered("src/auth.py:4-5", lcov("4,0", "5,0"))
	types.files["src/auth.py"] = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import login\n    from a import b\n"
	goCode := func(tests string) commit {
		c := covered("tax/tax.go:3-5", "mode: set\nexample.com/m/tax/tax.go:3.28,5.2 1 0\n")
		c.files["go.mod"] = "module example.com/m\n"
		c.files["tax/tax.go"] = "package tax\n\nfunc login(v int) int {\n\treturn v * 19 / 100\n}\n"
		c.reports["junit"] = tests
		return c
	}
	testRule(t, "evidence_not_executed", []row{
		{"nothing was executed", none, found, "None of the 3 instrumented lines of 'src/auth.py:5-8' was executed"},
		{"the header alone was", covered(cites, lcov("5,1", "6,0", "7,0", "8,0")), found, "None of the 3"},
		{"one line is instrumented", covered(cites, lcov("6,0")), found, "The one instrumented line of"},
		{"in STRICT", held(none, policy.Strict, ""), one("error src/auth.py:5"), ""},
		{"in EXEMPT", held(none, policy.Exempt, ""), nil, ""},
		{"where the policy requires it", held(none, policy.Light, requiresTests), one("error src/auth.py:5"), ""},
		{"of Go, whose tests passed", goCode(junit("test_x")), one("warning tax/tax.go:3"), ""},
		{"of Go, and a test failed, so that its package may be left out", goCode(junit("test_x!")), nil, ""},
		{"one line was executed", covered(cites, lcov("6,0", "7,0", "8,1")), nil, ""},
		{"another report has it executed", covered(cites, lcov("6,0", "7,0")+lcov("7,2")), nil, ""},
		{"the header alone is known", covered(cites, lcov("5,0")), nil, ""},
		{"no line is known", covered(cites, lcov("1,0", "2,0")), nil, ""},
		{"the file is not known", covered(cites, "SF:src/other.py\nDA:6,0\nend_of_record\n"), nil, ""},
		{"lines for types alone", types, nil, ""},
		{"a test is cited", covered("tests/test_auth.py:4-6", "SF:tests/test_auth.py\nDA:5,0\nDA:6,0\nend_of_record\n"), nil,
			""},
		{"nothing is given", commit{message: none.message, files: none.files}, nil, ""},
	})
}

func TestCoverageIsCounted(t *testing.T) {
	c := covered("src/auth.py:5-8", lcov("1,1", "5,1", "6,1", "7,0", "8,1"))
	out, err := c.ask(t, Rules())
	if err != nil || len(out.Results.Claims) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	if got, want := out.Results.Claims[0].Words(), "2 of 3 lines ran"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if files := out.Results.Files; len(files) != 1 {
		t.Errorf("of files %+v", files)
	}
}

// No run of Python comes by what stands below `if TYPE_CHECKING:`.
func TestLinesForTypesAlone(t *testing.T) {
	const source = "import typing\n" +
		"if typing.TYPE_CHECKING:\n" + // 2
		"    import a\n" +
		"\n" +
		"    class B:\n" + // 5
		"        def f(self): ...\n" +
		"else:\n" +
		"    a = None\n" +
		"if not TYPE_CHECKING:\n" +
		"    import b\n" + // 10
		"def g():\n" +
		"    if TYPE_CHECKING:\n" +
		"        from c import d\n" +
		"    return 1\n" +
		"# if TYPE_CHECKING:\n" + // 15
		"    h()\n" +
		"i()\n"
	alone := map[int]bool{3: true, 5: true, 6: true, 13: true}
	for line := 1; line <= 18; line++ {
		if got := isTypeCheckingOnly(source, line); got != alone[line] {
			t.Errorf("line %d is for types alone: %v", line, got)
		}
	}
	if isTypeCheckingOnly("a\n", 1) || isTypeCheckingOnly("TYPE_CHECKING", 99) {
		t.Error("a file without the mark, or a line that there is none of, is for types alone")
	}
}
