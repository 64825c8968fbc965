package main

import (
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/report"
)

func TestSinceIsATimeOrHowLongAgo(t *testing.T) {
	now := time.Date(2026, 1, 26, 14, 32, 15, 0, time.FixedZone("", 3600))
	for text, want := range map[string]string{
		"": "0001-01-01T00:00:00Z", "2h": "2026-01-26T12:32:15+01:00", "2026-01-26": "2026-01-26T00:00:00+01:00",
		"2026-01-26 10:00:00": "2026-01-26T10:00:00+01:00", "2026-01-26T14:32:15Z": "2026-01-26T14:32:15Z",
		"-2h": "", "yesterday": "", "26.1.2026": "",
	} {
		got, err := sinceTime(text, now)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q is %v", text, got)
		case want != "" && (err != nil || got.Format(time.RFC3339) != want):
			t.Errorf("%q: got %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestParamsHoldNoCommitIDs(t *testing.T) {
	r := &record{cmd: "verify"}
	r.addFindings([]report.Finding{
		{Severity: report.Note, Rule: "evidence_moved", Message: "left out"},
		{Severity: report.Error, Rule: "evidence_regressed", Commit: strings.Repeat("ab", 20), Message: "Evidence 'a1b2c3d4e5f6.py:9' of commit 3c9c9fe7e76c is gone."},
	})
	if len(r.actions) != 1 || r.actions[0].Commit != strings.Repeat("ab", 20) || r.actions[0].Params["message"] != "Evidence 'a1b2c3d4e5f6.py:9' of commit … is gone." {
		t.Errorf("got %+v", r.actions)
	}
}

// A run that finds a lot says how much more there was.
func TestARunAddsSoManyLinesAtMost(t *testing.T) {
	r := &record{cmd: "verify"}
	for range maxActions + 7 {
		r.addMessage(caution, "again")
	}
	if len(r.actions) != maxActions || r.omitted != 7 {
		t.Errorf("%d acts, and %d left out", len(r.actions), r.omitted)
	}
}
