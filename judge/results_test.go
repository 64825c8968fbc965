package judge

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report/results"
)

const (
	tested = "import pytest\n\n\ndef test_f():\n    assert f(1) == 2\n\n\ndef test_g():\n    assert g(1) == 3\n"

	citesBoth = "Squashed\n\nACT: T01 one\n\nDone: add f | tests/test_a.py:4-5\n\nACT: T02 two\n\nDone: add g | tests/test_a.py:8-9\n"
)

// told are reports of tests: of each the name, with «!» behind it where it failed.
type told []string

func (r told) Read(context.Context, *policy.Policy, evidence.Tree) (*results.Set, error) {
	if r == nil {
		return nil, errors.New("the report is torn")
	}
	text := "<testsuite>"
	for _, name := range r {
		name, failed := strings.CutSuffix(name, "!")
		text += `<testcase classname="tests.test_a" name="` + name + `">`
		if failed {
			text += `<failure message="2 is not 3"/>`
		}
		text += "</testcase>"
	}
	set := &results.Set{}
	return set, set.Add(results.TestReport, "junit.xml", []byte(text+"</testsuite>"))
}

// Each part of a squash is held against the reports, and what they say of all is one account.
func TestReportsOfWhatIsStaged(t *testing.T) {
	g := repotest.New(t)
	g.Commit("x\n", "note", "1")
	g.Stage("tests/test_a.py", tested)
	for name, c := range map[string]struct {
		reports told
		want    string
	}{
		"both pass":     {told{"test_f", "test_g"}, ""},
		"one fails":     {told{"test_f", "test_g!"}, "warning test_failed T02\n"},
		"both fail":     {told{"test_f!", "test_g!"}, "warning test_failed T01\nwarning test_failed T02\n"},
		"one is not in": {told{"test_f"}, "warning test_not_run T02\n"},
	} {
		result, err := judgeStaged(t, g, func(s *StagedCommit) { s.Reports = c.reports }, citesBoth)
		if err != nil || found(result.Findings) != c.want {
			t.Errorf("%s: %v\n%s", name, err, found(result.Findings))
			continue
		}
		if result.Results == nil || len(result.Results.Claims) != 2 || len(result.Results.Files) != 1 {
			t.Errorf("%s: the account is %+v", name, result.Results)
		}
	}
	if _, err := judgeStaged(t, g, func(s *StagedCommit) { s.Reports = told(nil) }, citesBoth); err == nil {
		t.Error("a claim is judged without the reports that cannot be read")
	}
	result, err := judgeStaged(t, g, func(s *StagedCommit) { s.Reports = told(nil) }, "Work\n")
	if err != nil || len(result.Warnings) != 0 || result.Results != nil {
		t.Errorf("what claims nothing does not ask for them: %+v, %v", result, err)
	}
}

// What a push brings is held to the runs of the session that pushes, where there is one.
func TestAPushIsHeldToTheRunsOfASession(t *testing.T) {
	g := repotest.New(t)
	g.Commit("x\n", "note", "1")
	base := g.ID()
	g.Commit("ACT: T01\n\nDone: add f | a.py:1-3\nRan: go test ./... | exit 0\nSession: s1\n", "a.py", code)
	r := g.Open()
	update := Update{Commits: brought(t, r, base, "main"), Base: repo.ID(base)}
	exit := 1
	runs := func(context.Context, string) ([]rules.RecordedRun, error) {
		return []rules.RecordedRun{{Command: "go test ./...", Exit: &exit}}, nil
	}
	for name, c := range map[string]struct {
		push *History
		want string
	}{
		"one that was red": {NewHistory(r, runs), "error run_contradicted T01\n"},
		"none":             {NewHistory(r, nil), ""},
	} {
		if result, err := c.push.JudgeUpdate(t.Context(), update); err != nil || found(result.Findings) != c.want {
			t.Errorf("%s: %v\n%s", name, err, found(result.Findings))
		}
	}
}
