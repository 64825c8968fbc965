package attest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/results"
)

// TestResultType is what a report of tests is signed as.
const TestResultType = "https://in-toto.io/attestation/test-result/v0.1"

// testResult is the predicate. Report and TimeCreated are ours, which consumers of the type leave out.
type testResult struct {
	Result        string     `json:"result"`
	Configuration []resource `json:"configuration"`
	PassedTests   []string   `json:"passedTests"`
	WarnedTests   []string   `json:"warnedTests"`
	FailedTests   []string   `json:"failedTests"`
	Report        resource   `json:"report"`
	TimeCreated   time.Time  `json:"timeCreated"`
}

// Tests is the payload that says what a report of tests says, run over the commit of the basis. What failed as it was
// expected to is a warning, and so is a run in which nothing was executed; what was skipped is in no list. A test that
// failed once has failed, however often it was tried.
func (b Basis) Tests(file diag.ResultFile, read *results.Tests, at time.Time) ([]byte, error) {
	named := map[results.Outcome][]string{}
	for _, c := range read.Cases {
		parts := slices.DeleteFunc([]string{c.Suite, c.Class, c.Name}, func(s string) bool { return s == "" })
		named[c.Outcome] = append(named[c.Outcome], strings.Join(slices.Compact(parts), " > "))
	}
	p := testResult{
		Result: "PASSED", Configuration: []resource{}, TimeCreated: at.UTC(),
		Report: resource{Name: file.Path, Digest: map[string]string{"sha256": file.SHA256}},
	}
	p.FailedTests = sorted(named[results.Failed], nil)
	p.WarnedTests = sorted(named[results.Expected], p.FailedTests)
	p.PassedTests = sorted(named[results.Passed], slices.Concat(p.FailedTests, p.WarnedTests))
	switch {
	case len(p.FailedTests) > 0:
		p.Result = "FAILED"
	case len(p.WarnedTests) > 0 || read.Counts().Ran == 0:
		p.Result = "WARNED"
	}
	return b.statement(TestResultType, p)
}

// sorted are names, each once, without others; readers get [] and never null.
func sorted(names, without []string) []string {
	left := map[string]bool{}
	for _, name := range names {
		left[name] = true
	}
	for _, name := range without {
		delete(left, name)
	}
	return append([]string{}, slices.Sorted(maps.Keys(left))...)
}
