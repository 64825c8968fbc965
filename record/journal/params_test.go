package journal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/acta-git/acta/report"
)

const fullID = "0123456789abcdef0123456789abcdef01234567"

// Two clones, or a history before a rebase and after it, say the same in other commit ids.
func TestParamsHoldNoCommitID(t *testing.T) {
	for message, want := range map[string]string{
		"its last ACT, 0123456789ab, failed":       "its last ACT, …, failed",
		"(" + fullID + ")":                         "(…)",
		"see commit 0123456":                       "see commit …",
		"0123456789ab.":                            "….",
		"src/0123456789ab/a.py":                    "src/0123456789ab/a.py", // a folder
		"deadbeef is no id of a length that is":    "deadbeef is no id of a length that is",
		"commit message, and 12 characters of it?": "commit message, and 12 characters of it?",
	} {
		if got := MessageParams(WarningSeverity, message); got["message"] != want || got["severity"] != "warning" {
			t.Errorf("%q: got %v, want %q", message, got, want)
		}
	}
	if got := RefusalParams("unit_not_owned", "commit "+fullID); got["message"] != "commit …" || got["rule"] != "unit_not_owned" || got["severity"] != "refusal" {
		t.Errorf("a refusal: %v", got)
	}
}

// What a finding or a claim does not say is no key.
func TestParamsOfFindingsAndClaims(t *testing.T) {
	for want, params := range map[string]map[string]any{
		`{"message":"m","rule":"r","severity":"error"}`: FindingParams(report.Finding{Rule: "r", Severity: report.Error, Message: "m"}),
		`{"item":"i","line":3,"message":"m","path":"a.py","rule":"r","severity":"warning","unit":"T01"}`: FindingParams(
			report.Finding{Rule: "r", Severity: report.Warning, Message: "m", Path: "a.py", Line: 3, Unit: "T01", Item: "i"}),
		`{"contradiction":false,"item":"i","unit":"T01","verdict":"verified"}`: ClaimParams(
			report.ClaimVerdict{Unit: "T01", Item: "i", Verdict: report.Verified}, ""),
		`{"actor":"a","contradiction":true,"evidence":"a.py:1","item":"i","message":"see commit …","optional":true,"unit":"T01","verdict":"not_verified"}`: ClaimParams(
			report.ClaimVerdict{Unit: "T01", Item: "i", Evidence: "a.py:1", Verdict: report.NotVerified, IsContradiction: true, IsOptional: true, Reason: "see commit 0123456"}, "a"),
	} {
		got, err := json.Marshal(params)
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}

func TestAnActOfUnmarshalableParamsIsNotRecorded(t *testing.T) {
	log := Events(t.TempDir())
	_, err := log.Append(t.Context(), Caller{Actor: Agent}, when, Action{Cmd: "plan add", Params: map[string]any{"a": func() {}}})
	if err == nil || !strings.Contains(err.Error(), "plan add cannot be recorded") {
		t.Errorf("got %v", err)
	}
	if entries, err := log.Read(); entries != nil || err != nil {
		t.Errorf("something was: %v, %v", entries, err)
	}
}

func TestALogIsReadWhole(t *testing.T) {
	log := Events(t.TempDir())
	for _, cmd := range []string{"one", "two"} {
		if _, err := log.Append(t.Context(), Caller{Actor: Agent}, when, Action{Cmd: cmd}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := log.Read()
	if err != nil || len(all) != 2 || all[0].Session != ProcessSession() || all[1].Cmd != "two" {
		t.Errorf("got %v, %v", all, err)
	}
}
