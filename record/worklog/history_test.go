package worklog

import (
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// landed is a commit with this message, so many minutes after when.
func landed(t *testing.T, minutes int, message string) judge.LandedPart {
	t.Helper()
	parts := parser.Parse([]byte(message)).Parts
	if len(parts) != 1 {
		t.Fatalf("%q has %d parts", message, len(parts))
	}
	l := judge.LandedPart{Part: parts[0]}
	l.Commit.ID = repo.ID(strings.Repeat("0", 40))
	l.Commit.Author.Name, l.Commit.Author.When = "author", when.Add(time.Duration(minutes)*time.Minute)
	return l
}

func TestASessionIsRebuiltFromItsCommits(t *testing.T) {
	adapt := landed(t, 5, "ADAPT: T01 is complete\n\nTier: LIGHT\n")
	adapt.StatusMoves = []plan.Move{{Key: "T01", From: plan.InProgress, To: plan.Complete}}
	failed := landed(t, 3, "ACT: T02 logout\n\nOutcome: aborted\n")
	failed.HasFailed = true
	parts := []judge.LandedPart{landed(t, 4, "ACT: T01 login\n"), adapt, failed}
	again := func(name string) ListedSession { return rebuilt("nightly", name, parts, policy.Standard) }
	s := again("nightly")
	if s.Name != "nightly" || !IsSessionID(s.ID) || !strings.HasPrefix(s.ID, "20260126_143515-") ||
		again("nightly").ID != s.ID {
		t.Errorf("it is %q, %q", s.Name, s.ID)
	}
	if s.Started != "2026-01-26T14:35:15Z" || *s.Completed != "2026-01-26T14:37:15Z" || s.Outcome != Aborted ||
		s.Task != "T01, T02" || s.Tier != "STANDARD" {
		t.Errorf("got %+v", s.Session)
	}
	if len(s.Entries) != 3 ||
		s.Entries[1].Details.StatusChanges[0] != (StatusChange{"T01", plan.InProgress, plan.Complete}) ||
		s.Summary.Todos != 1 {
		t.Errorf("the entries are %+v", s.Entries)
	}
	const own = "20260126_143215-abcd"
	if got := again(own).ID; got != own {
		t.Errorf("its own id became %s", got)
	}
}

func TestAnACTAsAnEntry(t *testing.T) {
	l := landed(t, 0, "ACT: T01 login\n\nActor: executor-01\nReason: it is due\nOutcome: success\n")
	l.Files = []string{}
	l.Verdicts = []report.ClaimVerdict{
		{Item: "Add it", Evidence: "a.py:1", Verdict: report.Verified},
		{Item: "pytest -q", Status: rules.StatusRan, Verdict: report.Verified}, // earns nothing, and clones do not know of it
	}
	e := OperationOf(l)
	if e.Action != ActDone || e.Status != Completed || e.Context != "ACT: T01 login" || e.Details.Actor != "executor-01" ||
		e.Details.Reason != "it is due" ||
		e.Details.Files != nil || len(e.Details.Claims) != 1 || e.Details.Verification != "pass" ||
		e.Tokens != Tokens(len("Add it")+len("a.py:1")) {
		t.Errorf("got %+v", e)
	}
	for _, c := range []struct {
		verdicts []string
		want     string
	}{
		{nil, ""}, {[]string{"verified", "skipped"}, "pass"}, {[]string{"pending"}, ""}, {[]string{"verified", "unclear"},
			""},
		{[]string{"unclear", "not_verified"}, "fail"}, {[]string{"verified", "pending"}, "pass"},
	} {
		var claims []ClaimOutcome
		for _, v := range c.verdicts {
			claims = append(claims, ClaimOutcome{Verdict: v})
		}
		if got := verificationOf(claims); got != c.want {
			t.Errorf("%v: %q, want %q", c.verdicts, got, c.want)
		}
	}
}

// What commits tell and the record lacks is added in its place, and nothing twice, whatever it was rewritten into.
func TestARecordIsCompletedFromCommits(t *testing.T) {
	old, now, other := strings.Repeat("1", 40), strings.Repeat("2", 40), strings.Repeat("3", 40)
	act := func(at, commit string) Operation {
		return Operation{Time: at, Action: ActDone, Status: Completed, Details: Details{Commit: commit, Unit: "T01"}}
	}
	l := ListedSession{Session: &Session{Started: FormatTime(when), Entries: []Operation{
		{Time: "2026-01-26T14:33:00Z", Action: Edit}, act("2026-01-26T14:34:00Z", old), {Time: "2026-01-26T14:36:00Z",
			Action: Edit},
	}}}
	l.addFromCommits([]Operation{act("2026-01-26T14:34:00Z", now), act("2026-01-26T14:35:00Z", other)},
		map[string]string{old: now})
	if got := outline(l.Entries); got != "edit act act edit" || l.Entries[2].Details.Commit != other ||
		l.Summary.Operations != 4 {
		t.Errorf("got %s, %+v", got, l.Summary)
	}
	l.isSummary, l.Summary = true, Summary{Operations: 9}
	if l.addFromCommits([]Operation{act("2026-01-26T14:37:00Z", strings.Repeat("4", 40))}, nil); l.Summary.Operations != 9 ||
		len(l.Entries) != 5 {
		t.Errorf("a summary tells of more than is there: %+v", l.Summary)
	}
}
