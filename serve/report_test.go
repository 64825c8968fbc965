package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// reportOf is the report of a range.
func reportOf(t *testing.T, w *world, span judge.LandedRange) string {
	t.Helper()
	r, err := OpenRepository(t.Context(), w.dir, w.env())
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	var b bytes.Buffer
	if err := WriteReport(t.Context(), &b, r, span, state); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A proof is shown with its verdict in the report, where a commit tells of it, and on the page as the session has it.
func TestProofsAreShown(t *testing.T) {
	w := newWorld(t, "shop")
	w.write("src/cart.py", function("add(cart, item)", "cart.lines[item] = cart.lines.get(item, 0) + 1", "return cart"))
	w.commit("executor-01", "2026-01-26T09:15", "ACT: T01 cart\n\nDone: Add add() to src/cart.py | src/cart.py:1-3\n"+
		"Proved: 1 of 1 | pytest -q\nActor: executor-01\n")
	tree := w.git(nil, "rev-parse", "HEAD^{tree}")
	w.git(nil, "notes", "--ref", judge.RunNotes, "add", "-m", `{"time":"2026-01-26T09:14:00Z","command":"acta prove -- pytest -q",`+
		`"exit":0,"counts":"1 passed","trees":["`+tree+`"],"proof":{"command":"pytest -q","tree":"`+tree+`","noticed":1,"asked":1}}`)
	page := html.UnescapeString(reportOf(t, w, judge.LandedRange{Head: "HEAD"}))
	if !regexp.MustCompile(`>verified</span>[^\n]* Proved: pytest -q<`).MatchString(page) || !strings.Contains(page, "1 of 1") ||
		strings.Contains(page, "the file is not there") {
		t.Error("the report lacks the proof")
	}
	run := worklog.Operation{Context: "acta prove -- pytest -q", Details: worklog.Details{Proof: &report.Proof{Command: "pytest -q", Noticed: 1, Tried: 2}}}
	if e := (&builder{}).entry(&Repository{}, &record{}, worklog.ListedSession{Session: &worklog.Session{}}, &run); e.Text != "Proved: 1 of 2 | pytest -q" {
		t.Errorf("the page says %q of a proof in a session", e.Text)
	}
}

// A report is of its range, and of equal commits it is equal.
func TestReport(t *testing.T) {
	w := story(t)
	whole := reportOf(t, w, judge.LandedRange{Head: "HEAD"})
	if again := reportOf(t, w, judge.LandedRange{Head: "HEAD"}); again != whole {
		t.Error("two reports of the same commits differ")
	}
	for _, part := range []string{"everything up to", "Add charge() to src/pay.py", "checklist_evidence_empty_impl", "M02/S04/T10", `data-tier="outstanding"`, "<span>session 20260126_144500-abcd</span>"} {
		if !strings.Contains(whole, part) {
			t.Errorf("the report lacks %s", part)
		}
	}
	if page := serve(t, nil, w).page("/"); !strings.Contains(page, "<span>session 20260126_144500-abcd</span>") {
		t.Error("the page does not name the session of an ACT")
	}
	// The story is honest but for what it is about, and its ADAPTs tell nothing of their ACTs.
	rules := regexp.MustCompile(`<span class="muted small">([a-z_]+) ·`).FindAllStringSubmatch(whole, -1)
	rules = slices.DeleteFunc(rules, func(r []string) bool { return r[1] == "observation_missing" })
	if len(rules) != 3 {
		t.Errorf("its findings are %q", rules)
	}
	last := reportOf(t, w, judge.LandedRange{Base: "HEAD~1", Head: "HEAD"})
	log := last[strings.Index(last, `id="log"`):strings.Index(last, `id="board"`)]
	if !strings.Contains(log, "Add send() to src/mail.py") || strings.Contains(log, "Add login to src/auth.py") {
		t.Error("the time line is not that of the range")
	}
	if !strings.Contains(last, "/*! github.com/leeoniya/uPlot ") {
		t.Error("the file does not say whose the chart library is")
	}
	for _, scheme := range []string{"http://", "https://"} { // the story has none
		if i := strings.Index(last, scheme); i >= 0 {
			t.Errorf("the file names an address: %.80s", last[i:])
		}
	}
	for _, never := range []string{` src="`, "<link", w.dir, "/api/", "feedback"} {
		if i := strings.Index(withoutScript(last), never); i >= 0 {
			t.Errorf("the file holds %q: %.200s", never, withoutScript(last)[i:])
		}
	}
	// What only this machine knows is no part of it.
	w.git(nil, "config", "user.name", "Another")
	w.write(".git/acta/unit-claims.json", `{"M02/S04/T10": {"agent": "somebody", "claimed_at": "2026-01-26T10:00:00Z"}}`)
	if again := reportOf(t, w, judge.LandedRange{Head: "HEAD"}); again != whole {
		t.Error("the report depends on the local state")
	}
}

func withoutScript(page string) string {
	before, rest, _ := strings.Cut(page, "<style>")
	_, rest, _ = strings.Cut(rest, "</style>")
	middle, rest, _ := strings.Cut(rest, "<script>")
	_, after, _ := strings.Cut(rest, "</script>")
	return before + middle + after
}

// The policy in the file lets run what is in it.
func TestReportPolicy(t *testing.T) {
	page := reportOf(t, newReportable(t), judge.LandedRange{Head: "HEAD"})
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+tag+">")
		content, _, ok := strings.Cut(rest, "</"+tag+">")
		sum := sha256.Sum256([]byte(content))
		if hash := base64.StdEncoding.EncodeToString(sum[:]); !ok || !strings.Contains(html.UnescapeString(page), "'sha256-"+hash+"'") {
			t.Errorf("the policy does not have the hash of the %s", tag)
		}
	}
}

func newReportable(t *testing.T) *world {
	w := newWorld(t, "small")
	w.write("README.md", "# Small\n")
	w.commit("Olga Operator", "2026-01-26T10:00", "Begin")
	return w
}

func TestReportOfNothing(t *testing.T) {
	w := newReportable(t)
	page := reportOf(t, w, judge.LandedRange{Head: "HEAD"})
	for _, part := range []string{"no score", "Nothing was found.", "There is no plan", "Nothing is recorded yet"} {
		if !strings.Contains(page, part) {
			t.Errorf("the report lacks %q", part)
		}
	}
	r, err := OpenRepository(t.Context(), w.dir, w.env())
	if err != nil {
		t.Fatal(err)
	}
	err = WriteReport(t.Context(), io.Discard, r, judge.LandedRange{Head: "nothing"}, t.TempDir())
	if !errors.Is(err, repo.ErrNotFound) {
		t.Error(err)
	}
}

// What asks less is shown with what stood there before beside it.
func TestReportShowsBothSides(t *testing.T) {
	w := newReportable(t)
	workflow := func(run string) string {
		return "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: " + run + "\n"
	}
	w.write(".github/workflows/ci.yml", workflow("pytest -q"))
	w.commit("Olga Operator", "2026-01-26T10:10", "Test it")
	w.write(".github/workflows/ci.yml", workflow("pytest -q || true"))
	w.commit("Olga Operator", "2026-01-26T10:20", "Get it green")
	page := html.UnescapeString(reportOf(t, w, judge.LandedRange{Base: "HEAD~1", Head: "HEAD"}))
	for _, part := range []string{
		"tests: 1 gate weaker", `before</figcaption><pre><code>      - run: pytest -q</code></pre>`, "- run: pytest -q || true</code></pre>",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the report lacks %q", part)
		}
	}
}
