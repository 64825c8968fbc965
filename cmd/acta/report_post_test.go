package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/record/ledger"
)

// reportTaker is a ledger that keeps what it is sent.
type reportTaker struct {
	*httptest.Server
	mu      sync.Mutex
	reports []ledger.Report
	tokens  []string
	code    int // what it answers
}

func newReportTaker(t *testing.T) *reportTaker {
	taker := &reportTaker{code: http.StatusOK}
	taker.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = z
		}
		var report ledger.Report
		if err := json.NewDecoder(body).Decode(&report); err != nil {
			t.Error(err)
		}
		taker.mu.Lock()
		defer taker.mu.Unlock()
		taker.reports, taker.tokens = append(taker.reports, report), append(taker.tokens, r.Header.Get("Authorization"))
		w.WriteHeader(taker.code)
		fmt.Fprintf(w, `{"verdicts": %d, "new": %d}`, len(report.Verdicts), len(report.Verdicts))
	}))
	t.Cleanup(taker.Close)
	return taker
}

// last is what came last, and how often something came.
func (r *reportTaker) last(t *testing.T) (ledger.Report, string, int) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.reports) == 0 {
		t.Fatal("nothing was reported")
	}
	return r.reports[len(r.reports)-1], r.tokens[len(r.tokens)-1], len(r.reports)
}

// reporter is a repository with an ACT on main, and one that does not hold on a branch.
type reporter struct {
	*testing.T
	dir string
}

func newReporter(t *testing.T) *reporter {
	t.Helper()
	r := &reporter{t, filepath.Join(t.TempDir(), "shop")}
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	if err := os.WriteFile(filepath.Join(r.dir, "work.py"), []byte("def one(a, b):\n    return a + b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", "ACT: T01 work\n\nDone: Add one | work.py:1-2\n")
	r.git("checkout", "-q", "-b", "work")
	if err := os.WriteFile(filepath.Join(r.dir, "more.py"), []byte("def two(a, b):\n    pass\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", "ACT: T02 more\n\nDone: Add two | more.py:1-2\n")
	r.git("checkout", "-q", "main")
	return r
}

func (r *reporter) git(args ...string) {
	r.Helper()
	if code, out, complaints := r.run(nil, "git", args...); code != 0 {
		r.Fatalf("git %q: %d\n%s%s", args, code, out, complaints)
	}
}

func (r *reporter) run(env []string, name string, args ...string) (code int, stdout, stderr string) {
	r.Helper()
	var out, complaints strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.dir, &out, &complaints
	cmd.Env = append(append([]string{"PATH=" + os.Getenv("PATH")}, gitEnv(filepath.Dir(r.dir))...), env...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), complaints.String()
}

func (r *reporter) verify(env []string, args ...string) (code int, stdout, stderr string) {
	r.Helper()
	return r.run(env, actaCommand(r.T), append([]string{"verify"}, args...)...)
}

func TestVerifyReports(t *testing.T) {
	r, taker := newReporter(t), newReportTaker(t)
	_, alone, _ := r.verify(nil, "HEAD")
	code, out, complaints := r.verify([]string{"ACTA_TOKEN=t1"}, "HEAD", "--report", taker.URL)
	if code != 0 || out != alone || complaints != "acta: reported 1 verdict, 1 of them new\n" {
		t.Errorf("%d\n%s%s", code, out, complaints)
	}
	report, token, n := taker.last(t)
	if n != 1 || token != "Bearer t1" || !report.IsLanded || report.Repository != "shop" || report.Validate() != nil {
		t.Errorf("%d, %q, %+v", n, token, report)
	}
	if len(report.Verdicts) != 1 || report.Verdicts[0].Actor != "executor-01" || report.Verdicts[0].Day != "2026-01-26" || len(report.Verdicts[0].Keys) != 1 {
		t.Errorf("%+v", report.Verdicts)
	}

	tokens := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokens, []byte("t2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, _ = r.verify([]string{"ACTA_TOKEN=t1"}, "main..work", "--report="+taker.URL, "--report-token-file", tokens, "--report-as", "acme/shop")
	report, token, _ = taker.last(t)
	if code != 1 || token != "Bearer t2" || report.IsLanded || report.Repository != "acme/shop" || len(report.Verdicts) != 1 {
		t.Errorf("%d, %q, %+v", code, token, report)
	}

	for name, c := range map[string]struct {
		env    []string
		args   []string
		landed bool
		called string
	}{
		"GitLab, a branch":  {[]string{"GITLAB_CI=true", "CI_PROJECT_PATH=acme/shop", "CI_COMMIT_BRANCH=topic", "CI_DEFAULT_BRANCH=main"}, []string{"HEAD"}, false, "acme/shop"},
		"GitLab, main":      {[]string{"GITLAB_CI=true", "CI_COMMIT_BRANCH=main", "CI_DEFAULT_BRANCH=main"}, []string{"HEAD"}, true, "shop"},
		"GitLab, elsewhere": {[]string{"GITLAB_CI=true", "CI_COMMIT_BRANCH=main", "CI_DEFAULT_BRANCH=main"}, []string{"work"}, false, "shop"},
		"Buildkite, a pull": {[]string{"BUILDKITE=true", "BUILDKITE_BRANCH=main", "BUILDKITE_PIPELINE_DEFAULT_BRANCH=main", "BUILDKITE_PULL_REQUEST=7"}, []string{"HEAD"}, false, "shop"},
		"Buildkite, main":   {[]string{"BUILDKITE=true", "BUILDKITE_BRANCH=main", "BUILDKITE_PIPELINE_DEFAULT_BRANCH=main", "BUILDKITE_REPO=git@git.example:acme/shop.git"}, []string{"HEAD"}, true, "acme/shop"},
		"Jenkins, a change": {[]string{"JENKINS_URL=x", "BRANCH_NAME=PR-7", "CHANGE_TARGET=main"}, []string{"HEAD"}, false, "shop"},
		"Jenkins, main":     {[]string{"JENKINS_URL=x", "BRANCH_NAME=main", "BRANCH_IS_PRIMARY=true", "GIT_URL=https://u:p@git.example/acme/shop.git"}, []string{"HEAD"}, true, "acme/shop"},
	} {
		r.verify(c.env, append(c.args, "--report", taker.URL)...)
		if report, _, _ := taker.last(t); report.IsLanded != c.landed || report.Repository != c.called {
			t.Errorf("%s: landed %t, %q", name, report.IsLanded, report.Repository)
		}
	}
}

func TestALedgerThatFailsIsAWarning(t *testing.T) {
	r, taker := newReporter(t), newReportTaker(t)
	dead := newReportTaker(t)
	dead.Close()
	elsewhere := newReportTaker(t)
	moved := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/api/reports", http.StatusTemporaryRedirect))
	t.Cleanup(moved.Close)
	taker.code = http.StatusUnauthorized
	for name, to := range map[string]string{"dead": dead.URL, "refuses": taker.URL, "moved": moved.URL} {
		for _, commits := range []string{"main", "main..work"} {
			want := map[string]int{"main": 0, "main..work": 1}[commits]
			args := []string{commits, "--report", to, "--report-within", "600ms"}
			code, out, complaints := r.verify([]string{"ACTA_TOKEN=t1"}, args...)
			if code != want || !strings.Contains(out, "1 ACT") || !strings.Contains(complaints, "acta: warning: the result stands, but was not reported") {
				t.Errorf("%s: %d\n%s%s", name, code, out, complaints)
			}
			code, _, complaints = r.verify([]string{"ACTA_TOKEN=t1"}, append(args, "--require-report")...)
			if code != 3 || !strings.Contains(complaints, "the result was not reported") || strings.Contains(complaints, "t1") {
				t.Errorf("%s, required: %d\n%s", name, code, complaints)
			}
		}
	}
	elsewhere.mu.Lock()
	defer elsewhere.mu.Unlock()
	if len(elsewhere.tokens) > 0 {
		t.Errorf("another host was told %q", elsewhere.tokens)
	}
}

func TestReportsThatCannotBe(t *testing.T) {
	r := newReporter(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--require-report"}, {"--report", "ledger.example"}, {"--report", "http://localhost", "--report-token-file", "missing"},
		{"--report", "http://localhost", "--report-token-file", empty}, {"--report", "http://localhost", "--report-within", "0s"},
	} {
		if code, out, complaints := r.verify(nil, append([]string{"HEAD"}, args...)...); code != 2 || out != "" {
			t.Errorf("%q: %d\n%s%s", args, code, out, complaints)
		}
	}
}
