package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/journal"
)

func addAudit(t *testing.T, log journal.Log, name, message string) {
	t.Helper()
	by := journal.By{Actor: journal.Agent, Name: name, Session: "s"}
	act := journal.Act{Cmd: "verify", Params: map[string]any{"severity": "warning", "message": message}}
	if _, err := log.Append(context.Background(), by, time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC), act); err != nil {
		t.Fatal(err)
	}
}

// What is added while --follow runs is printed once, when it is asked for again.
func TestFollowPrintsWhatIsAdded(t *testing.T) {
	log := journal.Audit(t.TempDir())
	var out strings.Builder
	p := auditPrinter{out: &out, wanted: func(e journal.Entry) bool { return e.Name != "other" }}
	rounds := 0
	next := func(context.Context) bool {
		rounds++
		switch rounds {
		case 1:
			addAudit(t, log, "executor-01", "one")
		case 2: // nothing
		case 3:
			addAudit(t, log, "other", "two")
			addAudit(t, log, "executor-01", "three\x1b[2J\nfour")
		}
		return rounds < 5
	}
	if err := follow(context.Background(), log, p.print, next); err != nil {
		t.Fatal(err)
	}
	want := "2026-01-26T14:32:15Z executor-01 verify: warning: one\n" +
		"2026-01-26T14:32:15Z executor-01 verify: warning: three\\u001b[2J\\nfour\n"
	if out.String() != want || rounds != 5 {
		t.Errorf("got %q after %d rounds, want %q", out.String(), rounds, want)
	}
}

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
	r.findings([]diag.Finding{
		{Severity: diag.Note, Rule: "evidence_moved", Message: "left out"},
		{Severity: diag.Error, Rule: "evidence_regressed", Commit: strings.Repeat("ab", 20), Message: "Evidence 'a1b2c3d4e5f6.py:9' of commit 3c9c9fe7e76c is gone."},
	})
	if len(r.acts) != 1 || r.acts[0].Commit != strings.Repeat("ab", 20) || r.acts[0].Params["message"] != "Evidence 'a1b2c3d4e5f6.py:9' of commit … is gone." {
		t.Errorf("got %+v", r.acts)
	}
}

// A run that finds a lot says how much more there was.
func TestARunAddsSoManyLinesAtMost(t *testing.T) {
	r := &record{cmd: "verify"}
	for range maxActs + 7 {
		r.say(caution, "again")
	}
	if len(r.acts) != maxActs || r.left != 7 {
		t.Errorf("%d acts, and %d left out", len(r.acts), r.left)
	}
}
