package check

import (
	"fmt"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/results"
)

// fromResults are the default severities of what results say: they are made elsewhere, and warn.
var fromResults = Severities{diag.Error, diag.Warning, diag.Warning, 0}

// resultsRule completes a rule that asks a question of each place that verified claims cite.
func resultsRule(id string, ask func(*heldPlace) *diag.Finding, r Rule) *Rule {
	r.ID, r.Since, r.Class, r.Scope, r.Severity = id, "0.2", OfClaims, OfPart, fromResults
	r.Run, r.RunRange = onPlaces(ask), onRangePlaces(ask)
	return &r
}

func ruleTestFailed() *Rule {
	return resultsRule("test_failed", failedTests, Rule{
		Requires: TestRan,
		Title:    "a cited test failed",
		Doc: "The item is reported as done, its test is cited, and the reports of tests that were given to `acta\n" +
			"verify` or `acta check` (`--junit`, or `results.junit` of the policy) have that test as failed. A\n" +
			"test that a runner tried again counts by its best try in that report; of several reports, as of\n" +
			"several systems, the worst counts. Mend the code or the test and let it run again. docs/results.md\n" +
			"says how reports are made and how a case is known to be a test's; one that is not surely the cited\n" +
			"test's is no finding.",
		Example: Example{
			Files: testedFiles(), Message: citingTest,
			Reports: map[string]string{"junit": `<testsuite><testcase classname="tests.test_auth" name="test_login">` +
				`<failure message="assert None is not None"/></testcase></testsuite>`},
		},
	})
}

func ruleTestNotRun() *Rule {
	return resultsRule("test_not_run", testsNotRun, Rule{
		Requires: TestRan,
		Title:    "a cited test did not run",
		Doc: "A test shows something when it is run. The reports of tests that were given have other tests of\n" +
			"the same file, and have this one as skipped, or not at all: it is marked to be skipped, its name\n" +
			"is one that the runner does not collect, or the run left it out (`-k`, `-run`). Take away what\n" +
			"skips it, or cite the test that runs. Reports that have no test of the file say nothing of it, and\n" +
			"neither do they of a test whose name is made when it runs.",
		Example: Example{
			Files: testedFiles(), Message: citingTest,
			Reports: map[string]string{"junit": `<testsuite><testcase classname="tests.test_auth" name="test_logout"/>` +
				`<testcase classname="tests.test_auth" name="test_login"><skipped message="no database"/></testcase></testsuite>`},
		},
	})
}

func ruleTestNotRed() *Rule {
	return resultsRule("test_not_red", testsNotRed, Rule{
		Requires: TestRed,
		Title:    "a new test passes without the work that it is cited for",
		Doc: "A test that is written for a change fails before the change. `--junit-base` (`results.junit_base`)\n" +
			"names reports of the same tests over the code that the work began with; docs/results.md has the\n" +
			"recipe. Where a cited test is new, code changes with it, and it passed there as well, it does not\n" +
			"see the change: let it assert what is otherwise now. A test that shows that something has not\n" +
			"changed is honest: cite what was changed, or waive the finding.",
		Example: Example{
			Base:  map[string]string{"src/auth.py": strings.Replace(session, "    session.user = user\n", "", 1)},
			Files: testedFiles(), Message: citingTest,
			Reports: map[string]string{
				"junit":      `<testsuite><testcase classname="tests.test_auth" name="test_login"/></testsuite>`,
				"junit_base": `<testsuite><testcase classname="tests.test_auth" name="test_login"/></testsuite>`,
			},
		},
	})
}

func ruleEvidenceNotExecuted() *Rule {
	return resultsRule("evidence_not_executed", notExecuted, Rule{
		Requires: CodeExecuted,
		Title:    "no line of the cited code was executed",
		Doc: "The reports of coverage that were given (`--coverage`, or `results.coverage` of the policy) know\n" +
			"the cited lines, and none of them was executed: no test reaches the code. The header of a function\n" +
			"is not counted, for many languages execute it when the file is loaded. Write a test that runs the\n" +
			"code and let it run. Where a part of the lines was executed the claim's results say which: «7 of 9\n" +
			"lines ran». Files and lines that no report knows are no finding.",
		Example: Example{
			Files: testedFiles(), Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n",
			Reports: map[string]string{"coverage": "SF:src/auth.py\nDA:5,1\nDA:6,0\nDA:7,0\nDA:8,0\nend_of_record\n"},
		},
	})
}

// testedFiles are the files of the examples of results.
func testedFiles() map[string]string {
	return map[string]string{"src/auth.py": session, "tests/test_auth.py": "from src.auth import login\n\n\n" +
		"def test_login(session, user):\n    login(session, user, \"secret\")\n    assert session.user is not None\n"}
}

var session = strings.Replace(login, "    pass\n", "    session.end()\n", 1)

const citingTest = "ACT: T01 login\n\nDone: Test login | tests/test_auth.py:4-6\n"

// told are the tests of a place that something is true of, in words; nil for none.
func (h *heldPlace) told(is func(*heldTest) bool) (first *heldTest, names string) {
	var all []string
	for i := range h.tests {
		if t := &h.tests[i]; is(t) {
			if first == nil {
				first = t
			}
			all = append(all, t.Name)
		}
	}
	if more := len(all) - 2; more > 1 {
		all = append(all[:2], fmt.Sprintf("%d more", more))
	}
	return first, strings.Join(all, ", ")
}

// about is a finding about tests of a place; nil where it is about none.
func (h *heldPlace) about(message, hint string, is func(*heldTest) bool) *diag.Finding {
	t, names := h.told(is)
	if t == nil {
		return nil
	}
	return &diag.Finding{Path: h.path, Line: t.Line, Column: 1, EndLine: t.EndLine,
		Message: fmt.Sprintf(message, names), Hint: hint}
}

func failedTests(h *heldPlace) *diag.Finding {
	return h.about("The results have %s, which is cited, as failed.",
		"mend what fails, run the tests again and give the new report",
		func(t *heldTest) bool { return t.fate == fateFailed })
}

func testsNotRun(h *heldPlace) *diag.Finding {
	f := h.about("The results have %s, which is cited, as skipped.",
		"take away what skips it, run the tests again and give the new report, or cite a test that runs",
		func(t *heldTest) bool { return t.fate == fateSkipped })
	if f != nil {
		return f
	}
	return h.about("The results have no %s, which is cited, but other tests of the same file.",
		"let the runner collect it and run all tests of the file, then give the new report, or cite a test that runs",
		func(t *heldTest) bool { return t.fate == fateNotRun })
}

func testsNotRed(h *heldPlace) *diag.Finding {
	return h.about("%s is new, and passed on the base's code too: it does not see the work that it is cited for.",
		"let it assert what is otherwise now; a test of what has not changed needs no red run: say so with a Waive: line",
		func(t *heldTest) bool { return t.fate != fateFailed && t.before == results.Passed })
}

func notExecuted(h *heldPlace) *diag.Finding {
	if h.lines == 0 || h.ran > 0 || h.partial || len(h.tests) > 0 || evidence.HoldsTests(h.path) {
		return nil
	}
	lines := fmt.Sprintf("None of the %d instrumented lines", h.lines)
	if h.lines == 1 {
		lines = "The one instrumented line"
	}
	return &diag.Finding{Path: h.path, Line: h.first, Column: 1, EndLine: h.end(),
		Message: fmt.Sprintf("%s of '%s' was executed, as the coverage has it.", lines, h.cited),
		Hint:    "write a test that runs this code, run the tests with coverage and give the new report"}
}

// end is the last line of the place as findings have it: of a whole file the first.
func (h *heldPlace) end() int {
	if h.last == wholeFile {
		return h.first
	}
	return h.last
}
