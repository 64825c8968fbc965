package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/acta-git/acta/report"
)

// matcher is a problem matcher of GitHub's runner: patterns that match lines one
// after the other, and what their groups are.
type matcher struct {
	Owner   string
	Pattern []struct {
		Regexp                                      string
		File, Line, Column, Message, Code, Severity int
	}
}

// problem is what a matcher makes of output.
type problem struct{ place, message, code, severity string }

func (m matcher) problems(lines []string) []problem {
	var all []problem
	for i := range lines {
		var p problem
		if m.read(lines[i:], &p) {
			all = append(all, p)
		}
	}
	return all
}

func (m matcher) read(lines []string, p *problem) bool {
	if len(lines) < len(m.Pattern) {
		return false
	}
	for i, pattern := range m.Pattern {
		g := regexp.MustCompile(pattern.Regexp).FindStringSubmatch(lines[i])
		if g == nil {
			return false
		}
		if pattern.File > 0 {
			p.place = strings.TrimSuffix(g[pattern.File]+":"+g[pattern.Line]+":"+g[pattern.Column], "::")
			p.message = g[pattern.Message]
		}
		if pattern.Code > 0 {
			p.code = g[pattern.Code]
		}
		if pattern.Severity > 0 {
			p.severity = g[pattern.Severity]
		}
	}
	return true
}

func matchers(t *testing.T) map[string]matcher {
	t.Helper()
	data, err := os.ReadFile("../../docs/ci/problem-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ ProblemMatcher []matcher }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	all := map[string]matcher{}
	for _, m := range file.ProblemMatcher {
		all[m.Owner] = m
	}
	if want := []string{"acta"}; !slices.Equal(slices.Sorted(maps.Keys(all)), want) {
		t.Fatalf("matchers %v", slices.Collect(maps.Keys(all)))
	}
	return all
}

func TestProblemMatcherReadsRealOutput(t *testing.T) {
	all := matchers(t)
	v := settledHistory(t)
	text, _, _ := v.run("", v.acta, "verify", "HEAD~3..HEAD")
	out, _, _ := v.run("", v.acta, "verify", "--format", "json", "HEAD~3..HEAD")
	var whole report.Report
	if err := json.Unmarshal([]byte(out), &whole); err != nil {
		t.Fatal(err)
	}
	// A finding in the message, one without a line, one without a hint: as the same writer prints them.
	whole.Findings = append(whole.Findings,
		report.Finding{Rule: "checklist_missing", Severity: report.Warning, Message: "missing: all of it [sic]", Unit: "T01"},
		report.Finding{Rule: "checklist_reason_required", Severity: report.Error, Line: 3, Column: 8, Message: "no reason", Hint: "(say why)"},
		report.Finding{Rule: "evidence_moved", Severity: report.Note, Path: "a.py", Line: 1, Message: "moved"})
	var more strings.Builder
	for _, f := range whole.Findings[len(whole.Findings)-3:] {
		more.WriteString(f.Text())
	}
	lines := strings.Split(strings.TrimSuffix(more.String()+text, "\n"), "\n")
	got := all["acta"].problems(lines)
	var want []problem
	for _, f := range whole.Findings {
		place := f.Path
		if place == "" {
			place = "commit message"
		}
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", place, f.Line, max(f.Column, 1))
		}
		if f.Severity > report.Note {
			want = append(want, problem{place, f.Message, f.Rule, f.Severity.String()})
		}
	}
	sort := func(p []problem) {
		slices.SortFunc(p, func(a, b problem) int { return strings.Compare(a.place+a.message, b.place+b.message) })
	}
	sort(got)
	sort(want)
	if len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("read %q, want %q from\n%s", got, want, strings.Join(lines, "\n"))
	}

	stubs, _, _ := v.run("", v.acta, "stubs", "T01.py", "T04.py")
	if got := all["acta"].problems(strings.Split(stubs, "\n")); len(got) != 1 || got[0].place != "T04.py:1:1" {
		t.Errorf("read %q from %s", got, stubs)
	}
}

// noService takes the variables of the service that runs the tests out of a script's environment.
const noService = "export GITHUB_ACTIONS= GITLAB_CI= BUILDKITE= JENKINS_URL= PRE_COMMIT_FROM_REF= PRE_COMMIT_REMOTE_URL=\n"

// scriptOf returns the script of a CI file that calls acta verify.
func scriptOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	var content struct {
		Runs struct {
			Steps []struct{ Run string }
		}
		Acta struct{ Script []string }
	}
	if err := yaml.Unmarshal(data, &content); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	scripts := content.Acta.Script
	for _, step := range content.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: what a caller gives is pasted into a script: %s", file, step.Run)
		}
		scripts = append(scripts, step.Run)
	}
	for _, s := range scripts {
		if strings.Contains(s, " verify ") {
			return s
		}
	}
	t.Fatalf("%s has no script that calls verify", file)
	return ""
}

func TestTheActionJudgesAndPrintsEveryFormat(t *testing.T) {
	v := settledHistory(t)
	script := scriptOf(t, "action.yml")
	bin := filepath.Join(v.home, "acta", "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(v.acta, filepath.Join(bin, "acta")); err != nil {
		t.Fatal(err)
	}
	run := func(env string) (string, int) {
		out, stderr, code := v.run(noService+"set -eo pipefail\n"+env+"\n"+script, "bash", "-c",
			`RUNNER_TEMP=$HOME GITHUB_OUTPUT=$HOME/output GITHUB_STEP_SUMMARY=$HOME/summary exec bash -s`)
		return out + stderr, code
	}
	exists := func(name string) bool {
		info, err := os.Stat(filepath.Join(v.home, name))
		return err == nil && info.Size() > 0
	}
	if out, code := run("export ACTA_RANGE=HEAD~4..HEAD~3 ACTA_SARIF="); code != exitFindings || !strings.Contains(out, "::error file=T04.py") {
		t.Errorf("exit %d: %s", code, out)
	}
	if !exists("output") || !exists("summary") {
		t.Error("no output or no summary was written")
	}
	if out, code := run("export ACTA_RANGE=HEAD ACTA_SARIF=$HOME/acta.sarif"); code != exitFindings || !exists("acta.sarif") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, env := range []string{"ACTA_RANGE=nowhere..HEAD", "ACTA_RANGE='--help'", "ACTA_RANGE="} {
		if out, code := run("export ACTA_SARIF= " + env); code != exitUndecided {
			t.Errorf("%s exits %d: %s", env, code, out)
		}
	}
	silent := filepath.Join(bin, "acta")
	if err := errors.Join(os.Remove(silent), os.WriteFile(silent, []byte("#!/bin/sh\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if out, code := run("export ACTA_RANGE= ACTA_SARIF="); code != exitUndecided {
		t.Errorf("without a result it exits %d: %s", code, out)
	}
}

func TestTheGitLabTemplateJudgesAndPrintsEveryFormat(t *testing.T) {
	v := settledHistory(t)
	script := "set -eo pipefail\nacta() { " + v.acta + " \"$@\"; }\ncd " + v.dir + "\n" + scriptOf(t, "docs/ci/gitlab.yml")
	run := func(env string) (string, int) {
		out, stderr, code := v.run(noService+env+"\n"+script, "bash", "-s")
		return out + stderr, code
	}
	const gitlab = "export GITLAB_CI=true CI_COMMIT_BRANCH=work CI_DEFAULT_BRANCH=main CI_PIPELINE_SOURCE=push "
	out, code := run(gitlab + "CI_COMMIT_SHA=$(git rev-parse HEAD~3) CI_COMMIT_BEFORE_SHA=$(git rev-parse HEAD~4)")
	if code != exitFindings || !strings.Contains(out, "T04.py:1:1: error: ") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, name := range []string{"acta.json", "acta-codequality.json", "acta.md"} {
		if info, err := os.Stat(filepath.Join(v.dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out, code := run(gitlab + "CI_COMMIT_SHA=$(git rev-parse HEAD)"); code != exitUndecided {
		t.Errorf("without a range it exits %d: %s", code, out)
	}
}

func TestDocumentedYAMLCanBeRead(t *testing.T) {
	for file, least := range map[string]int{"docs/ci.md": 5, "README.md": 2, "docs/score.md": 1} {
		data, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(data, -1)
		if len(blocks) < least {
			t.Errorf("%s has %d blocks of YAML", file, len(blocks))
		}
		for _, b := range blocks {
			var any any
			if err := yaml.Unmarshal(b[1], &any); err != nil {
				t.Errorf("%s: %v in\n%s", file, err, b[1])
			}
		}
	}
}

// A page's job that calls `acta report` installs what that starts, and README.md names the oldest pre-commit.
func TestDocumentedJobsHaveWhatTheyNeed(t *testing.T) {
	page := func(name string) string {
		data, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	calls := regexp.MustCompile(`(?s)cmd/acta-serve@v\S+\n.*run: acta report`)
	if serve := page("docs/score.md"); !calls.MatchString(serve) || strings.Contains(page("action.yml"), "acta-serve") {
		t.Error("docs/score.md calls acta report before acta-serve is installed, which action.yml does not build")
	}
	oldest := regexp.MustCompile(`minimum_pre_commit_version: (\S+)`).FindStringSubmatch(page(".pre-commit-hooks.yaml"))
	for _, name := range []string{"README.md", "docs/install.md"} {
		if oldest == nil || !strings.Contains(page(name), "pre-commit "+oldest[1]+" or newer") {
			t.Errorf("%s does not name the oldest pre-commit that will do: %v", name, oldest)
		}
	}
}
