package rules

import (
	"fmt"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

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
func (h *heldPlace) about(message, hint string, is func(*heldTest) bool) *report.Finding {
	t, names := h.told(is)
	if t == nil {
		return nil
	}
	return &report.Finding{Path: h.path, Line: t.Line, Column: 1, EndLine: t.EndLine,
		Message: fmt.Sprintf(message, names), Hint: hint}
}

func failedTests(h *heldPlace) *report.Finding {
	return h.about("The test results show that a cited test failed: %s.",
		"fix what fails, run the tests again and pass the new report",
		func(t *heldTest) bool { return t.fate == fateFailed })
}

func testsNotRun(h *heldPlace) *report.Finding {
	f := h.about("The test results show that a cited test was skipped: %s.",
		"remove what skips it, run the tests again and pass the new report, or cite a test that runs",
		func(t *heldTest) bool { return t.fate == fateSkipped })
	if f != nil {
		return f
	}
	return h.about("The test results lack a cited test, and have others of the same file: %s.",
		"make the runner collect it, run all tests of the file and pass the new report, or cite a test that runs",
		func(t *heldTest) bool { return t.fate == fateNotRun })
}

func notExecuted(h *heldPlace) *report.Finding {
	if h.lines == 0 || h.ran > 0 || h.partial || len(h.tests) > 0 || evidence.HoldsTests(h.path) {
		return nil
	}
	lines := fmt.Sprintf("None of the %d instrumented lines", h.lines)
	if h.lines == 1 {
		lines = "The one instrumented line"
	}
	return &report.Finding{Path: h.path, Line: h.first, Column: 1, EndLine: h.end(),
		Message: fmt.Sprintf("%s of '%s' was executed, as the coverage report says.", lines, h.cited),
		Hint:    "write a test that runs this code, run the tests with coverage and pass the new report"}
}

// end is the last line of the place as findings have it: of a whole file the first.
func (h *heldPlace) end() int {
	if h.last == wholeFile {
		return h.first
	}
	return h.last
}
