package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestPositionsCountFromOneInBytes(t *testing.T) {
	src := []byte("ab\nçd\n\nx")
	l := NewLines(src)
	for _, c := range []struct{ offset, line, column int }{
		{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 3}, {7, 3, 1}, {8, 4, 1}, {9, 4, 2}, {100, 4, 2}, {-1, 1, 1},
	} {
		if p := l.Pos(c.offset); p.Line != c.line || p.Column != c.column {
			t.Errorf("offset %d is %d:%d, want %d:%d", c.offset, p.Line, p.Column, c.line, c.column)
		}
	}
	if got := string(spanOf(l, 3, 6).Of(src)); got != "çd" {
		t.Errorf("span holds %q", got)
	}
	if spanOf(l, 0, 2).Of([]byte("a")) != nil {
		t.Error("a span outside the text holds something")
	}
}

// spanOf is the span of the bytes [start, end).
func spanOf(l *Lines, start, end int) Span { return Span{Start: l.Pos(start), End: l.Pos(end)} }

func TestZeroSeverityAndVerdictAreRefused(t *testing.T) {
	if _, err := json.Marshal(Finding{}); err == nil {
		t.Error("a finding without severity was written")
	}
	if _, err := json.Marshal(ClaimVerdict{}); err == nil {
		t.Error("a claim without verdict was written")
	}
}

func TestFindingsAreSortedAndEachOnce(t *testing.T) {
	a := Finding{Rule: "r", Severity: Error, Path: "a", Line: 2, Message: "m"}
	b := Finding{Rule: "r", Severity: Error, Path: "a", Line: 10, Message: "m"}
	c := Finding{Rule: "r", Severity: Error, Path: "b", Line: 1, Message: "m"}
	got := Normalize([]Finding{c, b, a, b})
	if len(got) != 3 || got[0] != a || got[1] != b || got[2] != c {
		t.Errorf("got %+v", got)
	}
}

func TestJSONHasEveryKeyAndNoNull(t *testing.T) {
	r := Report{Acta: "0.1.0", Range: "staged"}
	r.Add([]Finding{{Rule: "r", Severity: Warning, Message: "<&>"}}, []ClaimVerdict{{Verdict: Skipped}})
	var b bytes.Buffer
	if err := WriteJSON(&b, &r); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	for _, k := range strings.Fields("acta range commits acts adapts claims findings verdicts") {
		if _, ok := m[k]; !ok {
			t.Errorf("no key %s", k)
		}
	}
	f := m["findings"].([]any)[0].(map[string]any)
	for _, k := range strings.Fields("rule severity path line column end_line commit unit item message hint") {
		if _, ok := f[k]; !ok {
			t.Errorf("a finding has no key %s", k)
		}
	}
	if r.Claims.Skipped != 1 || f["message"] != "<&>" || strings.Contains(b.String(), `\u003c`) {
		t.Errorf("printed %s", b.String())
	}
	b.Reset()
	if err := WriteJSON(&b, &Report{}); err != nil || strings.Contains(b.String(), "null") {
		t.Errorf("an empty report prints %s (%v)", b.String(), err)
	}
}

func TestTextIsOneLineAFindingWhateverTheMessageHolds(t *testing.T) {
	f := Finding{
		Rule: "r", Severity: Error, Path: "a b.py", Line: 3, Column: 2,
		Message: "bad\x1b[31m\nthing", Hint: "do\tthis", Unit: "T1", Item: "an\nitem", Commit: strings.Repeat("a", 40),
	}
	want := "a b.py:3:2: error: bad\\u001b[31m\\nthing [r]\n    do this\n    (T1, «an\\nitem», commit aaaaaaaaaaaa)\n"
	if got := f.Text(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := (Finding{Rule: "r", Severity: Note, Message: "m"}).Text(); !strings.HasPrefix(got, "commit message: note: m [r]\n") {
		t.Errorf("got %q", got)
	}
}

func TestSummaryCounts(t *testing.T) {
	r := Report{Commits: 1, Acts: 1, Findings: []Finding{{Severity: Error}, {Severity: Warning}, {Severity: Warning}}}
	r.Claims.NotVerified = 2
	want := "1 commit, 1 ACT, 0 ADAPT; 2 not verified; 1 error, 2 warnings"
	if got := r.Summary(); got != want {
		t.Errorf("got %q", got)
	}
}

func TestAFindingIsAtMostThreeLines(t *testing.T) {
	many := strings.Repeat("x\n", 20)
	f := Finding{Rule: "r", Severity: Error, Path: "a\nb", Message: many, Hint: many, Unit: many, Item: many, Commit: strings.Repeat("a", 40)}
	if n := strings.Count(f.Text(), "\n"); n != 3 {
		t.Errorf("%d lines: %s", n, f.Text())
	}
}

func TestDigestShowsErrorsFirstAndSaysWhatItLeavesOut(t *testing.T) {
	var r Report
	for n := range 45 {
		r.Findings = append(r.Findings, Finding{Rule: "w", Severity: Warning, Path: "a", Line: n + 1, Message: "m", Hint: "h"})
	}
	var b strings.Builder
	if err := WriteText(&b, &r); err != nil || strings.Count(b.String(), "\n") != 47 {
		t.Errorf("45 warnings that share a hint are\n%s", b.String())
	}
	r.Findings = append(r.Findings, Finding{Rule: "e", Severity: Error, Path: "z", Message: "m"})
	for _, most := range []int{6, 40} {
		b.Reset()
		if err := WriteDigest(&b, &r, most, "acta check"); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		if len(lines)-1 > most || !strings.Contains(b.String(), "z: error: m [e]\nacta: and ") || !strings.Contains(b.String(), " more: acta check\nacta: 0 commits") {
			t.Errorf("in %d lines:\n%s", most, b.String())
		}
	}
}
